package workdays

import (
	"fmt"
	"strings"
	"time"
)

// Deadlines lists, for each number of workdays, the day on which it is over.
func Deadlines(c Calendar, start time.Time, days []int) string {
	var b strings.Builder
	for _, n := range days {
		fmt.Fprintf(&b, "%2d  %s\n", n, c.Add(start, n).Format("Mon 2006-01-02"))
	}
	return b.String()
}
