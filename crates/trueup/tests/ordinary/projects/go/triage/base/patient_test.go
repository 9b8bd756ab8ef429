package triage

import "testing"

func TestBoard(t *testing.T) {
	got := Board([]Patient{{"Ada", 3, 485}, {"Tim", 1, 1439}})
	same(t, got, "08:05 3 Ada\n23:59 1 Tim\n")
}

func TestBoardOfAnEmptyRoom(t *testing.T) {
	same(t, Board(nil), "")
}
