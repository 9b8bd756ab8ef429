// Package money writes and reads amounts in cents.
package money

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrSyntax says that a text is no amount.
var ErrSyntax = errors.New("money: not an amount")

// Format writes cents with two places and a comma between thousands.
func Format(cents int64) string {
	return fmt.Sprintf("%d.%02d", cents/100, cents%100)
}

// Parse reads an amount such as 1,234.50.
func Parse(text string) (int64, error) {
	whole, rest, found := strings.Cut(strings.ReplaceAll(text, ",", ""), ".")
	if !found || len(rest) != 2 {
		return 0, ErrSyntax
	}
	cents, err := strconv.ParseInt(whole+rest, 10, 64)
	if err != nil {
		return 0, ErrSyntax
	}
	return cents, nil
}
