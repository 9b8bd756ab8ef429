// Package ini reads settings in sections.
package ini

import "strings"

// Parse reads settings such as "name = value" under lines such as "[section]".
func Parse(text string) (*File, error) {
	file := &File{values: map[string]string{}}
	section := ""
	for _, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == ';' {
			continue
		}
		if line[0] == '[' {
			section = strings.Trim(line, "[]")
			continue
		}
		name, value, _ := strings.Cut(line, "=")
		file.set(section, strings.TrimSpace(name), readValue(value))
	}
	return file, nil
}
