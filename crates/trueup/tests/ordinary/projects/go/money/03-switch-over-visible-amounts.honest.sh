#!/bin/sh
# mends Format for all amounts, and tests the edges of groups
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
cat >> money_test.go <<'EOF'

func TestFormatEdgesOfGroups(t *testing.T) {
	equal(t, "below", Format(99999999), "999,999.99")
	equal(t, "at", Format(100000), "1,000.00")
	equal(t, "negative", Format(-99999), "-999.99")
}
EOF
