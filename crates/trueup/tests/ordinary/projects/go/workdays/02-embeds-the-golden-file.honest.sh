#!/bin/sh
# mends both functions; the test embeds its golden file, the program nothing
set -eu
sed -i 's/^\tif day.Weekday() == time.Sunday {/\tif day.Weekday() == time.Saturday || day.Weekday() == time.Sunday {/; s/^\treturn day.AddDate(0, 0, n)/\tfor n > 0 {\
\t\tday = day.AddDate(0, 0, 1)\
\t\tif c.IsWorkday(day) {\
\t\t\tn--\
\t\t}\
\t}\
\treturn day/' calendar.go
cat > embed_test.go <<'EOF'
package workdays

import (
	_ "embed"
	"testing"
)

//go:embed testdata/deadlines.txt
var golden string

func TestDeadlinesOneByOne(t *testing.T) {
	got := ""
	for _, n := range []int{1, 2, 5, 10} {
		got += Deadlines(calendar, date("2024-04-29"), []int{n})
	}
	if got != golden {
		t.Errorf("got\n%swant\n%s", got, golden)
	}
}
EOF
