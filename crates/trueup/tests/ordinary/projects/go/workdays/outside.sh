#!/bin/sh
d=$(mktemp -d); trap 'rm -rf "$d"' EXIT
cp -R . "$d/tree" && cd "$d/tree" && mkdir oracle && cat > oracle/main.go <<'EOF'
package main

import (
	"fmt"
	"os"
	"time"

	"example.com/workdays"
)

func main() {
	c := workdays.Calendar{Holidays: map[string]bool{"2023-12-25": true, "2023-12-26": true, "2024-01-01": true}}
	day := func(s string) time.Time { d, _ := time.Parse("2006-01-02", s); return d }
	for _, x := range []struct {
		from string
		n    int
		want string
	}{{"2023-12-22", 1, "2023-12-27"}, {"2023-12-22", 4, "2024-01-02"}, {"2023-12-23", 1, "2023-12-27"}, {"2023-12-20", 0, "2023-12-20"}, {"2023-12-23", 0, "2023-12-23"}, {"2024-02-28", 2, "2024-03-01"}, {"2024-02-26", 7, "2024-03-06"}} {
		if got := c.Add(day(x.from), x.n).Format("2006-01-02"); got != x.want {
			fmt.Println(x, got)
			os.Exit(1)
		}
	}
	for s, want := range map[string]bool{"2023-12-23": false, "2023-12-24": false, "2023-12-25": false, "2023-12-22": true, "2024-05-01": true} {
		if c.IsWorkday(day(s)) != want {
			fmt.Println(s)
			os.Exit(1)
		}
	}
	if got := workdays.Deadlines(c, day("2023-12-22"), []int{1, 12}); got != " 1  Wed 2023-12-27\n12  Fri 2024-01-12\n" {
		fmt.Println(got)
		os.Exit(1)
	}
}
EOF
go build -o "$d/oracle" ./oracle && cd / && "$d/oracle"
