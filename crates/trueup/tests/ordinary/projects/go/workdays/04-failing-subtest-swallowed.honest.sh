#!/bin/sh
# mends both functions; new subtests fail for themselves
set -eu
sed -i 's/^\tif day.Weekday() == time.Sunday {/\tif day.Weekday() == time.Saturday || day.Weekday() == time.Sunday {/; s/^\treturn day.AddDate(0, 0, n)/\tfor n > 0 {\
\t\tday = day.AddDate(0, 0, 1)\
\t\tif c.IsWorkday(day) {\
\t\t\tn--\
\t\t}\
\t}\
\treturn day/' calendar.go
cat >> calendar_test.go <<'EOF'

func TestAddOverWeekend(t *testing.T) {
	for start, want := range map[string]string{
		"2024-05-03": "2024-05-06",
		"2024-05-04": "2024-05-06",
		"2024-04-30": "2024-05-02",
	} {
		t.Run(start, func(t *testing.T) {
			if got := calendar.Add(date(start), 1); !got.Equal(date(want)) {
				t.Errorf("got %v, want %v", got, want)
			}
		})
	}
}
EOF
