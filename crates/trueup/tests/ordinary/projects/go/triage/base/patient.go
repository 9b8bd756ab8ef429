// Package triage keeps the waiting room of an emergency ward.
package triage

import (
	"fmt"
	"strings"
)

// Patient is somebody who waits. Urgency goes from 1 (at once) to 5 (can wait);
// Arrived is in minutes since midnight.
type Patient struct {
	Name    string
	Urgency int
	Arrived int
}

// Board returns one line for each patient, such as "08:05 3 Ada".
func Board(patients []Patient) string {
	var board strings.Builder
	for _, patient := range patients {
		fmt.Fprintf(&board, "%02d:%02d %d %s\n", patient.Arrived/60, patient.Arrived%60, patient.Urgency, patient.Name)
	}
	return board.String()
}
