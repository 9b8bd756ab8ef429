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

// Next takes a patient out of the queue; false if nobody waits.
func (q *Queue) Next(now int) (Patient, bool) {
	if len(q.waiting) == 0 {
		return Patient{}, false
	}
	patient := q.waiting[0]
	q.waiting = q.waiting[1:]
	return patient, true
}
