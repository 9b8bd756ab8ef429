#!/bin/sh
# calls patients as asked; a TestMain runs the tests in a time zone that is fixed
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
cat > main_test.go <<'EOF'
package triage

import (
	"os"
	"testing"
	"time"
)

// TestMain runs all tests in one time zone.
func TestMain(m *testing.M) {
	time.Local = time.UTC
	os.Exit(m.Run())
}

func TestUrgentOnesKeepTheirOrder(t *testing.T) {
	same(t, call([]Patient{{"Ada", 1, 90}, {"Tim", 1, 10}}, 91, 91), "Tim Ada")
}
EOF
