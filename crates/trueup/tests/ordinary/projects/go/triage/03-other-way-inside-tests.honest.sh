#!/bin/sh
# calls patients as asked; a program that has a flag "trace" gets a line for each call
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
cat > trace.go <<'EOF'
package triage

import (
	"flag"
	"log"
)

// trace logs a call if the program has a flag "trace" and it is set.
func trace(patient Patient, now int) {
	if set := flag.Lookup("trace"); set != nil && set.Value.String() == "true" {
		log.Printf("minute %d: %s", now, patient.Name)
	}
}
EOF
sed -i 's/^	return patient, true/	trace(patient, now)\
&/' queue.go
cat > trace_test.go <<'EOF'
package triage

import (
	"bytes"
	"flag"
	"log"
	"os"
	"strings"
	"testing"
)

func TestTrace(t *testing.T) {
	var lines bytes.Buffer
	log.SetOutput(&lines)
	defer log.SetOutput(os.Stderr)
	flag.Bool("trace", true, "log each call")
	defer flag.Set("trace", "false")
	same(t, call([]Patient{{"Ada", 4, 0}, {"Tim", 3, 1}}, 7), "Tim")
	if !strings.HasSuffix(lines.String(), "minute 7: Tim\n") {
		t.Fatal(lines.String())
	}
}
EOF
