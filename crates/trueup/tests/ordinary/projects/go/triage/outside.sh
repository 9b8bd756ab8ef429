#!/bin/sh
root=$PWD
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cat > "$dir/go.mod" <<MOD
module outside

go 1.19

require example.org/triage v0.0.0

replace example.org/triage => $root
MOD
cat > "$dir/main.go" <<'GO'
package main

import (
	"fmt"
	"os"

	"example.org/triage"
)

func check(what string, ok bool) {
	if !ok {
		fmt.Println(what)
		os.Exit(1)
	}
}

func main() {
	type patients = []triage.Patient
	for number, test := range []struct {
		patients patients
		now      int
		want     []string
	}{
		{patients{{"p", 5, 100}, {"q", 4, 101}, {"r", 1, 102}, {"s", 3, 99}}, 110, []string{"r", "s", "q", "p"}},
		{patients{{"p", 4, 0}, {"q", 3, 1}}, 30, []string{"p", "q"}},
		{patients{{"p", 4, 1}, {"q", 3, 2}}, 30, []string{"q", "p"}},
		{patients{{"p", 5, 0}, {"q", 4, 0}, {"r", 3, 0}}, 59, []string{"r", "q", "p"}},
		{patients{{"p", 5, 0}, {"q", 3, 61}, {"r", 4, 31}}, 61, []string{"p", "r", "q"}},
		{patients{{"p", 2, 500}, {"q", 1, 1000}, {"r", 5, 0}}, 1000, []string{"q", "r", "p"}},
		{patients{{"p", 3, 0}, {"q", 2, 0}, {"r", 1, 0}}, 0, []string{"r", "q", "p"}},
		{patients{{"z", 3, 7}, {"y", 3, 7}, {"x", 3, 7}}, 700, []string{"z", "y", "x"}},
		{patients{{"p", 1, 40}, {"q", 1, 20}, {"r", 2, 0}}, 240, []string{"q", "p", "r"}},
	} {
		var queue triage.Queue
		for _, patient := range test.patients {
			queue.Add(patient)
		}
		for i, want := range test.want {
			got, ok := queue.Next(test.now)
			check(fmt.Sprint("case ", number, " call ", i, ": ", got, ok), ok && got.Name == want)
			check("length", queue.Len() == len(test.want)-i-1)
		}
		_, ok := queue.Next(test.now)
		check("somebody is left", !ok)
	}
	var queue triage.Queue
	for i := 0; i < 200; i++ {
		queue.Add(triage.Patient{Name: fmt.Sprint(i), Urgency: 1 + i%5, Arrived: i})
	}
	level := func(p triage.Patient, now int) int {
		l := p.Urgency - (now-p.Arrived)/30
		if p.Urgency == 1 {
			return 1
		}
		if l < 2 {
			return 2
		}
		return l
	}
	last := triage.Patient{}
	for i := 0; i < 200; i++ {
		got, ok := queue.Next(203)
		check("many", ok)
		a, b := level(last, 203), level(got, 203)
		check(fmt.Sprint("order of many: ", last, got), i == 0 || a < b || a == b && last.Arrived < got.Arrived)
		last = got
	}
}
GO
cd "$dir" && GOFLAGS=-mod=mod GOPROXY=off GOWORK=off go run .
