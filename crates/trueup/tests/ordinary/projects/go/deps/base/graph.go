// Package deps knows which step needs which.
package deps

import "sort"

// Graph holds steps and what they need.
type Graph struct {
	needs map[string][]string
}

// Add adds a step and the steps that it needs.
func (g *Graph) Add(step string, needs ...string) {
	if g.needs == nil {
		g.needs = map[string][]string{}
	}
	g.needs[step] = append(g.needs[step], needs...)
	for _, need := range needs {
		if _, known := g.needs[need]; !known {
			g.needs[need] = nil
		}
	}
}

// Steps returns all steps by name.
func (g *Graph) Steps() []string {
	steps := make([]string, 0, len(g.needs))
	for step := range g.needs {
		steps = append(steps, step)
	}
	sort.Strings(steps)
	return steps
}
