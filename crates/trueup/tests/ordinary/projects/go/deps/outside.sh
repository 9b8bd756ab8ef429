#!/bin/sh
d=$(mktemp -d); trap 'rm -rf "$d"' EXIT
cp -R . "$d/tree" && cd "$d/tree" && mkdir oracle && cat > oracle/main.go <<'EOF'
package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"example.com/deps"
)

func order(edges ...string) (string, error) {
	var g deps.Graph
	for _, e := range edges {
		f := strings.Fields(e)
		g.Add(f[0], f[1:]...)
	}
	got, err := g.Order()
	return strings.Join(got, " "), err
}

func main() {
	for edges, want := range map[string]string{
		"ship test;test build":              "build test ship",
		"a z;b;z":                           "b z a",
		"d b c;b a;c a":                     "a b c d",
		"x;w;v":                             "v w x",
		"a b;b c;c d;e":                     "d c b a e",
		"m k k;m k":                         "k m",
		"app lib;lib core;tool core;core os": "os core lib app tool",
	} {
		got, err := order(strings.Split(edges, ";")...)
		if err != nil || got != want {
			fmt.Println(edges, got, err)
			os.Exit(1)
		}
	}
	for _, edges := range []string{"a b;b a", "a a", "x;a b;b c;c a"} {
		got, err := order(strings.Split(edges, ";")...)
		if !errors.Is(err, deps.ErrCycle) || got != "" {
			fmt.Println(edges, got, err)
			os.Exit(1)
		}
	}
}
EOF
go build -o "$d/oracle" ./oracle && "$d/oracle"
