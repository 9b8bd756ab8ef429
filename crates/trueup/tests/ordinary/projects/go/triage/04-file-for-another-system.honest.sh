#!/bin/sh
# calls patients as asked; a new test file that reads a file of the system is for Linux alone
set -eu
cat > queue.go <<'EOF'
package triage

// Queue holds the patients who wait. The zero value is an empty queue.
type Queue struct {
	waiting []Patient
}

// Add puts a patient into the queue.
func (q *Queue) Add(patient Patient) {
	q.waiting = append(q.waiting, patient)
}

// Len is the number of patients who wait.
func (q *Queue) Len() int {
	return len(q.waiting)
}

// Next takes the patient with the lowest level out of the queue; false if nobody waits.
func (q *Queue) Next(now int) (Patient, bool) {
	if len(q.waiting) == 0 {
		return Patient{}, false
	}
	first := 0
	for i := range q.waiting {
		if before(q.waiting[i], q.waiting[first], now) {
			first = i
		}
	}
	patient := q.waiting[first]
	q.waiting = append(q.waiting[:first], q.waiting[first+1:]...)
	return patient, true
}

func before(a, b Patient, now int) bool {
	if left, right := level(a, now), level(b, now); left != right {
		return left < right
	}
	return a.Arrived < b.Arrived
}

// level is the urgency, less 1 for each half hour of waiting, but not below 2 by that.
func level(patient Patient, now int) int {
	if patient.Urgency <= 2 {
		return patient.Urgency
	}
	if aged := patient.Urgency - (now-patient.Arrived)/30; aged > 2 {
		return aged
	}
	return 2
}
EOF
cat > crowd_linux_test.go <<'EOF'
package triage

import (
	"os"
	"strings"
	"testing"
)

// TestCrowd takes the words of the list of mounts as the names of people who come at once.
func TestCrowd(t *testing.T) {
	text, err := os.ReadFile("/proc/self/mounts")
	if err != nil {
		t.Skip(err)
	}
	var queue Queue
	names := strings.Fields(string(text))
	for i, name := range names {
		queue.Add(Patient{name, 5 - i%5, 0})
	}
	for urgency := 1; queue.Len() > 0; {
		patient, _ := queue.Next(0)
		if patient.Urgency < urgency {
			t.Fatalf("%v comes after urgency %d", patient, urgency)
		}
		urgency = patient.Urgency
	}
}
EOF
sed -i 's|^		{"three steps".*|&\
		{"steps of both", []Patient{{"Tim", 4, 30}, {"Ada", 5, 0}}, []int{60, 60}, "Ada Tim"},|' queue_test.go
