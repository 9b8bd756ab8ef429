package workdays

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func date(text string) time.Time {
	day, err := time.Parse("2006-01-02", text)
	if err != nil {
		panic(err)
	}
	return day
}

var calendar = Calendar{Holidays: map[string]bool{"2024-05-01": true}}

func TestIsWorkday(t *testing.T) {
	tests := []struct {
		day  string
		want bool
	}{
		{"2024-04-29", true},
		{"2024-05-01", false},
		{"2024-05-04", false},
		{"2024-05-05", false},
	}
	for _, test := range tests {
		t.Run(test.day, func(t *testing.T) {
			if got := calendar.IsWorkday(date(test.day)); got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func TestAddNothing(t *testing.T) {
	if got := calendar.Add(date("2024-04-29"), 0); !got.Equal(date("2024-04-29")) {
		t.Errorf("got %v", got)
	}
}

func TestDeadlines(t *testing.T) {
	want, err := os.ReadFile(filepath.Join("testdata", "deadlines.txt"))
	if err != nil {
		t.Fatal(err)
	}
	got := Deadlines(calendar, date("2024-04-29"), []int{1, 2, 5, 10})
	if got != string(want) {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
