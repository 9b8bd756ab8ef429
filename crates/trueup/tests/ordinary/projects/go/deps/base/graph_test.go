package deps

import (
	"reflect"
	"testing"
)

func TestSteps(t *testing.T) {
	var g Graph
	g.Add("test", "build")
	g.Add("build")
	g.Add("ship", "test", "docs")
	want := []string{"build", "docs", "ship", "test"}
	if got := g.Steps(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestNoSteps(t *testing.T) {
	var g Graph
	if got := g.Steps(); len(got) != 0 {
		t.Errorf("got %v", got)
	}
}

func TestAddTwice(t *testing.T) {
	var g Graph
	g.Add("test", "build")
	g.Add("test", "lint")
	if got := len(g.Steps()); got != 3 {
		t.Errorf("got %d steps", got)
	}
}
