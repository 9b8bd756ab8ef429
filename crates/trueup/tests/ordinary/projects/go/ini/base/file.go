package ini

import "fmt"

// File holds settings, by section and name.
type File struct {
	values map[string]string
}

func (f *File) set(section, name, value string) {
	f.values[section+"."+name] = value
}

// Get returns a setting; settings before any section have the section "".
func (f *File) Get(section, name string) (string, bool) {
	value, ok := f.values[section+"."+name]
	return value, ok
}

// SyntaxError says which line could not be read, counted from 1.
type SyntaxError struct {
	Line int
	Text string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("ini: line %d: %q", e.Line, e.Text)
}
