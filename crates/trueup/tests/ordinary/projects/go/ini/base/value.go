package ini

import "strings"

// readValue reads what stands after the equals sign.
func readValue(text string) string {
	return strings.TrimSpace(text)
}
