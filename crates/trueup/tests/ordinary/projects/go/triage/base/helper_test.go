package triage

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

// same fails the test if the two differ.
func same(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Fatalf("got %q, want %q", got, want)
	}
}

// call adds all patients, calls them at the minutes and returns their names.
func call(patients []Patient, minutes ...int) string {
	var queue Queue
	for _, patient := range patients {
		queue.Add(patient)
	}
	var names []string
	for _, now := range minutes {
		patient, ok := queue.Next(now)
		if !ok {
			break
		}
		names = append(names, patient.Name)
	}
	return strings.Join(names, " ")
}

// replay plays a file of testdata and returns the names that were called. Its
// lines are "MINUTE NAME URGENCY" for who comes and "MINUTE next" for a call.
func replay(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var queue Queue
	var names []string
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		words := strings.Fields(line)
		now, err := strconv.Atoi(words[0])
		if err != nil {
			t.Fatal(err)
		}
		if words[1] == "next" {
			patient, _ := queue.Next(now)
			names = append(names, patient.Name)
			continue
		}
		urgency, err := strconv.Atoi(words[2])
		if err != nil {
			t.Fatal(err)
		}
		queue.Add(Patient{words[1], urgency, now})
	}
	return strings.Join(names, " ")
}
