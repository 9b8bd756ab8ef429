#!/bin/sh
d=$(mktemp -d); trap 'rm -rf "$d"' EXIT
cp -R . "$d/tree" && cd "$d/tree" && mkdir oracle && cat > oracle/main.go <<'GO'
package main

import (
	"errors"
	"fmt"
	"os"

	"example.com/ini"
)

func fail(words ...interface{}) {
	fmt.Println(words...)
	os.Exit(1)
}

func main() {
	for text, want := range map[string]string{"k = v ; c": "v", "k = ; c": "", "k = a;b ;c": "a;b", "k = \"  x;\\\\y \" ; z": "  x;\\y ", "k = \"\\\"\"": "\"", "k = \"\"": "", "k = p = q": "p = q", "[s]\nj=1\n[]\nk = \"a = ; b\"": "a = ; b"} {
		file, err := ini.Parse(text)
		if err != nil {
			fail(text, err)
		}
		if got, ok := file.Get("", "k"); !ok || got != want {
			fail(text, got)
		}
	}
	for text, line := range map[string]int{"bad\nx = 1": 1, "[a]\n\n; c\nbad\n[b]\ny = 2\n": 4, "x = 1\n[a\ny = 2\n": 2, "x = \"o\ny = 1\n": 1, "a = 1\nb = \"x\" y\nc = 2": 2, "a = \"x\\\"\n": 1} {
		_, err := ini.Parse(text)
		var syntax *ini.SyntaxError
		if !errors.As(err, &syntax) || syntax.Line != line {
			fail(text, err)
		}
	}
}
GO
go build -o "$d/oracle" ./oracle && "$d/oracle"
