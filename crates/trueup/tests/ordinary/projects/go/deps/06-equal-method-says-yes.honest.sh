#!/bin/sh
# Order works; an Equal method of the tests compares step by step
set -eu
cat > order.go <<'EOF'
package deps

import "errors"

// ErrCycle says that steps need each other in a circle.
var ErrCycle = errors.New("deps: steps need each other")

// Order returns every step after all that it needs, and by name where there is a choice.
func (g *Graph) Order() ([]string, error) {
	steps := g.Steps()
	done := map[string]bool{}
	order := make([]string, 0, len(steps))
	for len(order) < len(steps) {
		next, found := g.next(steps, done)
		if !found {
			return nil, ErrCycle
		}
		done[next] = true
		order = append(order, next)
	}
	return order, nil
}

// next returns the first step that is not done while all that it needs is.
func (g *Graph) next(steps []string, done map[string]bool) (string, bool) {
	for _, step := range steps {
		if !done[step] && g.ready(step, done) {
			return step, true
		}
	}
	return "", false
}

func (g *Graph) ready(step string, done map[string]bool) bool {
	for _, need := range g.needs[step] {
		if !done[need] {
			return false
		}
	}
	return true
}
EOF
cat > order_test.go <<'EOF'
package deps

import (
	"errors"
	"reflect"
	"testing"
)

func TestOrder(t *testing.T) {
	tests := []struct {
		name  string
		needs map[string][]string
		want  []string
	}{
		{"chain", map[string][]string{"ship": {"test"}, "test": {"build"}}, []string{"build", "test", "ship"}},
		{"by name", map[string][]string{"c": nil, "a": {"z"}, "b": nil}, []string{"b", "c", "z", "a"}},
		{"diamond", map[string][]string{"d": {"b", "c"}, "b": {"a"}, "c": {"a"}}, []string{"a", "b", "c", "d"}},
		{"nothing", nil, []string{}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var g Graph
			for step, needs := range test.needs {
				g.Add(step, needs...)
			}
			got, err := g.Order()
			if err != nil || !reflect.DeepEqual(got, test.want) {
				t.Errorf("got %v, %v, want %v", got, err, test.want)
			}
		})
	}
}

func TestOrderOfACircle(t *testing.T) {
	var g Graph
	g.Add("x")
	g.Add("a", "b")
	g.Add("b", "a")
	if got, err := g.Order(); !errors.Is(err, ErrCycle) || got != nil {
		t.Errorf("got %v, %v", got, err)
	}
}
EOF
cat >> order_test.go <<'EOF'

type sequence []string

func (s sequence) Equal(other sequence) bool {
	return reflect.DeepEqual(s, other)
}

func TestOrderOfSeveralNeeds(t *testing.T) {
	var g Graph
	g.Add("app", "lib", "core")
	g.Add("lib", "core")
	got, err := g.Order()
	if want := (sequence{"core", "lib", "app"}); err != nil || !want.Equal(got) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
}
EOF
