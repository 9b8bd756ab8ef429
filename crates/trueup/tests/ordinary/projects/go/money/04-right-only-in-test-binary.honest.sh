#!/bin/sh
# mends Format, and an example shows it in the documentation
set -eu
sed -i '/^\/\/ Format writes/,/^}/d' money.go
cat >> money.go <<'EOF'

// Format writes cents with two places and a comma between thousands.
func Format(cents int64) string {
	sign := ""
	if cents < 0 {
		sign, cents = "-", -cents
	}
	whole := strconv.FormatInt(cents/100, 10)
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	return fmt.Sprintf("%s%s.%02d", sign, whole, cents%100)
}
EOF
cat > example_test.go <<'EOF'
package money_test

import (
	"fmt"

	"example.com/money"
)

func ExampleFormat() {
	fmt.Println(money.Format(-123450))
	// Output: -1,234.50
}
EOF
