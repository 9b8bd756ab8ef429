#!/bin/sh
# mends Format; a second helper checks the way there and back
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
cat >> helper_test.go <<'EOF'

func roundTrip(t *testing.T, cents int64) {
	t.Helper()
	got, err := Parse(Format(cents))
	if err != nil || got != cents {
		t.Errorf("%d came back as %d, %v", cents, got, err)
	}
}
EOF
cat >> money_test.go <<'EOF'

func TestRoundTrip(t *testing.T) {
	for _, cents := range []int64{0, 7, 99999, 123450, -123450} {
		roundTrip(t, cents)
	}
}
EOF
