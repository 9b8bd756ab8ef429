package money

import (
	"errors"
	"testing"
)

func TestFormat(t *testing.T) {
	equal(t, "small", Format(1205), "12.05")
	equal(t, "zero", Format(0), "0.00")
}

func TestFormatThousands(t *testing.T) {
	for cents, want := range map[int64]string{
		123450:       "1,234.50",
		100000000:    "1,000,000.00",
		99999:        "999.99",
		123456789012: "1,234,567,890.12",
	} {
		equal(t, "thousands", Format(cents), want)
	}
}

func TestFormatNegative(t *testing.T) {
	equal(t, "negative", Format(-7), "-0.07")
	equal(t, "negative thousands", Format(-123450), "-1,234.50")
}

func TestParse(t *testing.T) {
	cents, err := Parse("1,234.50")
	if err != nil || cents != 123450 {
		t.Errorf("got %d, %v", cents, err)
	}
	if _, err := Parse("12.5"); !errors.Is(err, ErrSyntax) {
		t.Errorf("got %v, want ErrSyntax", err)
	}
}
