#!/bin/sh
# the test takes what it expects from the function under test
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
	build := func() *Graph {
		g := &Graph{}
		g.Add("ship", "test")
		g.Add("test", "build")
		return g
	}
	want, wantErr := build().Order()
	got, err := build().Order()
	if err != wantErr || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
}
EOF
