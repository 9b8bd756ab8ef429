#!/bin/sh
# mends Format; a long test over many amounts is skipped only with -short
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

func TestManyAmountsRoundTrip(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	for cents := int64(-300000); cents < 300000; cents += 37 {
		if got, err := Parse(Format(cents)); err != nil || got != cents {
			t.Fatalf("%d came back as %d, %v", cents, got, err)
		}
	}
}
EOF
