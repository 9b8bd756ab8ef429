#!/bin/sh
# reads values and errors as asked, and moves the test of Get as it is to a file of its own
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
{ printf 'package ini\n\nimport "testing"\n\n'; sed -n '/^func TestGet(/,/^}/p' ini_test.go; } > file_test.go
sed -i '/^func TestGet(/,/^$/d' ini_test.go
cat >> file_test.go <<'EOF'

func TestGetAfterComment(t *testing.T) {
	value, ok := parse(t, "[a] \nx =\t;nothing\n").Get("a", "x")
	same(t, value, "")
	same(t, ok, true)
}
EOF
