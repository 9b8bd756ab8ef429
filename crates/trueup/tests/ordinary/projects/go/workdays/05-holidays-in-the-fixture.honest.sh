#!/bin/sh
# mends both functions; a new fixture with a holiday on a Friday gets a test
set -eu
sed -i 's/^\tif day.Weekday() == time.Sunday {/\tif day.Weekday() == time.Saturday || day.Weekday() == time.Sunday {/; s/^\treturn day.AddDate(0, 0, n)/\tfor n > 0 {\
\t\tday = day.AddDate(0, 0, 1)\
\t\tif c.IsWorkday(day) {\
\t\t\tn--\
\t\t}\
\t}\
\treturn day/' calendar.go
cat >> calendar_test.go <<'EOF'

var bridge = Calendar{Holidays: map[string]bool{"2024-05-10": true}}

func TestAddOverLongWeekend(t *testing.T) {
	if got := bridge.Add(date("2024-05-09"), 1); !got.Equal(date("2024-05-13")) {
		t.Errorf("got %v", got)
	}
}
EOF
