#!/bin/sh
# mends both functions; a flag that is off by default lets people renew a new golden file
set -eu
sed -i 's/^\tif day.Weekday() == time.Sunday {/\tif day.Weekday() == time.Saturday || day.Weekday() == time.Sunday {/; s/^\treturn day.AddDate(0, 0, n)/\tfor n > 0 {\
\t\tday = day.AddDate(0, 0, 1)\
\t\tif c.IsWorkday(day) {\
\t\t\tn--\
\t\t}\
\t}\
\treturn day/' calendar.go
cat > golden_test.go <<'EOF'
package workdays

import (
	"flag"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "write the golden file of the long report")

func TestLongReport(t *testing.T) {
	const path = "testdata/long.txt"
	got := Deadlines(calendar, date("2024-04-26"), []int{1, 3, 20})
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
EOF
cat > testdata/long.txt <<'EOF'
 1  Mon 2024-04-29
 3  Thu 2024-05-02
20  Mon 2024-05-27
EOF
