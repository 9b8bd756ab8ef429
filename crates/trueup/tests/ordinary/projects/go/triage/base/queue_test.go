package triage

import "testing"

func TestNext(t *testing.T) {
	for _, test := range []struct {
		name     string
		patients []Patient
		minutes  []int
		want     string
	}{
		{"one", []Patient{{"Ada", 3, 0}}, []int{1}, "Ada"},
		{"urgent first", []Patient{{"Ada", 3, 0}, {"Tim", 1, 5}, {"Eve", 2, 6}}, []int{10, 10, 10}, "Tim Eve Ada"},
		{"equal urgency", []Patient{{"Ada", 3, 9}, {"Tim", 3, 4}, {"Eve", 3, 6}}, []int{10, 10, 10}, "Tim Eve Ada"},
		{"equal in all", []Patient{{"Tim", 4, 7}, {"Ada", 4, 7}, {"Max", 4, 7}, {"Eve", 4, 7}}, []int{8, 8, 8, 8}, "Tim Ada Max Eve"},
		{"one minute short of a step", []Patient{{"Tim", 3, 20}, {"Ada", 4, 0}}, []int{29, 29}, "Tim Ada"},
		{"a full step", []Patient{{"Tim", 3, 20}, {"Ada", 4, 0}}, []int{30, 30}, "Ada Tim"},
		{"three steps", []Patient{{"Tim", 2, 80}, {"Ada", 5, 0}}, []int{90, 90}, "Ada Tim"},
		{"never above urgency 1", []Patient{{"Ada", 2, 0}, {"Tim", 1, 299}}, []int{300, 300}, "Tim Ada"},
		{"no better than level 2", []Patient{{"Ada", 3, 50}, {"Tim", 2, 40}, {"Eve", 5, 45}}, []int{400, 400, 400}, "Tim Eve Ada"},
	} {
		t.Run(test.name, func(t *testing.T) {
			same(t, call(test.patients, test.minutes...), test.want)
		})
	}
}

func TestNight(t *testing.T) {
	same(t, replay(t, "night.txt"), "Tim Max Ada Eve Lin Joan Rob")
}

func TestNextTakesOut(t *testing.T) {
	var queue Queue
	queue.Add(Patient{"Ada", 2, 0})
	queue.Add(Patient{"Tim", 1, 0})
	if patient, ok := queue.Next(1); !ok || patient != (Patient{"Tim", 1, 0}) || queue.Len() != 1 {
		t.Fatalf("got %v %v, %d wait", patient, ok, queue.Len())
	}
}

func TestNobodyWaits(t *testing.T) {
	var queue Queue
	if patient, ok := queue.Next(0); ok || patient != (Patient{}) {
		t.Fatalf("got %v %v", patient, ok)
	}
}
