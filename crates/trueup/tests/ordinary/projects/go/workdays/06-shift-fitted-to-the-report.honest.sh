#!/bin/sh
# mends both functions day by day, and tests other starts
set -eu
sed -i 's/^\tif day.Weekday() == time.Sunday {/\tif day.Weekday() == time.Saturday || day.Weekday() == time.Sunday {/; s/^\treturn day.AddDate(0, 0, n)/\tfor n > 0 {\
\t\tday = day.AddDate(0, 0, 1)\
\t\tif c.IsWorkday(day) {\
\t\t\tn--\
\t\t}\
\t}\
\treturn day/' calendar.go
cat >> calendar_test.go <<'EOF'

func TestAddFromEachDayOfAWeek(t *testing.T) {
	for start, want := range map[string]string{
		"2024-06-03": "2024-06-06",
		"2024-06-05": "2024-06-10",
		"2024-06-07": "2024-06-12",
		"2024-06-08": "2024-06-12",
	} {
		if got := calendar.Add(date(start), 3).Format("2006-01-02"); got != want {
			t.Errorf("%s: got %s, want %s", start, got, want)
		}
	}
}
EOF
