package ini

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestSections(t *testing.T) {
	file := parse(t, "top = 1\n[a]\nx = 2\n; note\n[b]\nx = 3\n")
	same(t, file.values, map[string]string{".top": "1", "a.x": "2", "b.x": "3"})
}

func TestGet(t *testing.T) {
	file := parse(t, "[a]\nx = 2\n")
	value, ok := file.Get("a", "x")
	same(t, value, "2")
	same(t, ok, true)
	_, ok = file.Get("b", "x")
	same(t, ok, false)
}

func TestValues(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"plain", `x = a b`, `a b`},
		{"equals sign", `x = a=b`, `a=b`},
		{"comment", `x = 5 ; seconds`, `5`},
		{"semicolon in a word", `x = a;b`, `a;b`},
		{"quoted", `x = " a "`, ` a `},
		{"semicolon in quotes", `x = "a ; b" ; note`, `a ; b`},
		{"escaped quote", `x = "say \"hi\""`, `say "hi"`},
		{"escaped backslash", `x = "C:\\tmp\\"`, `C:\tmp\`},
	} {
		t.Run(c.name, func(t *testing.T) {
			value, _ := parse(t, c.text).Get("", "x")
			same(t, value, c.want)
		})
	}
}

func TestFiles(t *testing.T) {
	for _, name := range []string{"plain", "server"} {
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join("testdata", name+".ini"))
			if err != nil {
				t.Fatal(err)
			}
			same(t, parse(t, string(data)).values, wanted(t, name+".want"))
		})
	}
}

func TestSyntaxErrors(t *testing.T) {
	for _, c := range []struct {
		text string
		line int
	}{
		{"nonsense", 1},
		{"[a]\nx = 1\nnonsense", 3},
		{"x = 1\n[a", 2},
		{"[a]\n; note\n\nx = \"open", 4},
		{"x = \"a\" b", 1},
	} {
		_, err := Parse(c.text)
		var syntax *SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("%q: got %v, want a SyntaxError", c.text, err)
			continue
		}
		same(t, syntax.Line, c.line)
	}
}
