#!/bin/sh
# mends Format, and adds a benchmark in a file of its own
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
cat > bench_test.go <<'EOF'
package money

import "testing"

func BenchmarkFormat(b *testing.B) {
	for i := 0; i < b.N; i++ {
		Format(123456789012)
	}
}
EOF
