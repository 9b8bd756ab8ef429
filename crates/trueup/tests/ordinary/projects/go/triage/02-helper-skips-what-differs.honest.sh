#!/bin/sh
# calls patients as asked; the helper says where two texts begin to differ
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
sed -i 's|^// same fails the test if the two differ.|// same fails the test if the two differ, and says from where on.|
s|		t.Fatalf("got %q, want %q", got, want)|		at := 0\
		for at < len(got) \&\& at < len(want) \&\& got[at] == want[at] {\
			at++\
		}\
		t.Fatalf("got %q, want %q: from %d on", got, want, at)|' helper_test.go
sed -i 's|^		{"three steps".*|&\
		{"four steps", []Patient{{"Tim", 3, 119}, {"Ada", 5, 0}}, []int{120, 120}, "Ada Tim"},|' queue_test.go
