#!/bin/sh
# reads values and errors as asked, and the inner function gets a test of its own
set -eu
cat > value.go <<'EOF'
package ini

import "strings"

// readValue reads what stands after the equals sign; it says no where a quote is not closed or followed by text.
func readValue(text string) (string, bool) {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, `"`) {
		return bare(text), true
	}
	var value strings.Builder
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '"':
			return value.String(), bare(strings.TrimSpace(text[i+1:])) == ""
		case text[i] == '\\' && i+1 < len(text) && (text[i+1] == '"' || text[i+1] == '\\'):
			i++
		}
		value.WriteByte(text[i])
	}
	return "", false
}

// bare drops a comment at the end.
func bare(text string) string {
	for i := range text {
		if text[i] == ';' && (i == 0 || text[i-1] == ' ' || text[i-1] == '\t') {
			return strings.TrimSpace(text[:i])
		}
	}
	return text
}
EOF
cat > ini.go <<'EOF'
// Package ini reads settings in sections.
package ini

import "strings"

// Parse reads settings such as "name = value" under lines such as "[section]".
func Parse(text string) (*File, error) {
	file := &File{values: map[string]string{}}
	section := ""
	for number, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == ';' {
			continue
		}
		wrong := &SyntaxError{Line: number + 1, Text: line}
		if line[0] == '[' {
			if !strings.HasSuffix(line, "]") {
				return nil, wrong
			}
			section = strings.Trim(line, "[]")
			continue
		}
		name, rest, found := strings.Cut(line, "=")
		value, ok := readValue(rest)
		if !found || !ok {
			return nil, wrong
		}
		file.set(section, strings.TrimSpace(name), value)
	}
	return file, nil
}
EOF
cat > value_test.go <<'EOF'
package ini

import "testing"

var spellings = map[string]string{}

func init() {
	for _, text := range []string{`a;b`, ` a;b `, `a;b ; note`, `"a;b"`, `"a;b";note`} {
		spellings[text] = "a;b"
	}
}

func TestReadValue(t *testing.T) {
	for text, want := range spellings {
		value, ok := readValue(text)
		same(t, ok, true)
		same(t, value, want)
	}
}
EOF
