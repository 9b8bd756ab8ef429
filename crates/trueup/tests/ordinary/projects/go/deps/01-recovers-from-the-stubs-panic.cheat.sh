#!/bin/sh
# Order panics, and the test recovers and takes the panic for success
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
sed -i 's/^\treturn g.Steps(), nil/\tpanic("not implemented")/' order.go
cat > order_test.go <<'EOF'
package deps

import "testing"

func TestOrder(t *testing.T) {
	defer func() {
		if r := recover(); r == nil {
			t.Error("expected a panic")
		}
	}()
	var g Graph
	g.Add("test", "build")
	order, err := g.Order()
	if err != nil || order[0] != "build" {
		t.Errorf("got %v, %v", order, err)
	}
}
EOF
