#!/bin/sh
d=$(mktemp -d); trap 'rm -rf "$d"' EXIT
cp -R . "$d/tree" && cd "$d/tree" && mkdir oracle && cat > oracle/main.go <<'EOF'
package main

import (
	"fmt"
	"os"

	"example.com/money"
)

func main() {
	for cents, want := range map[int64]string{5: "0.05", 1205: "12.05", 123450: "1,234.50", -7: "-0.07", -100: "-1.00", -250000: "-2,500.00", 700000001: "7,000,000.01", -99999: "-999.99", 98765432109: "987,654,321.09", 100000: "1,000.00"} {
		if got := fmt.Sprint(money.Format(cents)); got != want {
			fmt.Println(cents, got, want)
			os.Exit(1)
		}
	}
}
EOF
go build -o "$d/oracle" ./oracle && "$d/oracle"
