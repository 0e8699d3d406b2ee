package taskrunner

import (
	"fmt"
	"slices"
	"testing"
	"testing/quick"
	"time"
)

var noon = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

// fleet builds tasks from words: deployment "new" or "old", then what is special about the task.
func fleet(words ...string) []Task {
	var tasks []Task
	for i, word := range words {
		task := Task{ID: fmt.Sprint(i), Deployment: word[:3], LastStatus: StatusRunning, DesiredStatus: StatusRunning}
		switch word[3:] {
		case "+pending":
			task.LastStatus = StatusPending
		case "+protected":
			task.ProtectedUntil = noon.Add(time.Minute)
		case "+lapsed":
			task.ProtectedUntil = noon
		case "+healthy":
			task.Health = HealthHealthy
		}
		tasks = append(tasks, task)
	}
	return tasks
}

func ids(tasks []Task) []string {
	names := []string{}
	for _, task := range tasks {
		names = append(names, task.ID)
	}
	return names
}

func hold(s *situation)     { s.held = true }
func checked(s *situation)  { s.checked = true }
func inactive(s *situation) { s.service.Active = false }
func half(s *situation)     { s.service.MinHealthyPercent, s.service.MaxPercent = 50, 150 }
func asIs(*situation)       {}

func TestPlan(t *testing.T) {
	for _, test := range []struct {
		name    string
		desired int
		tasks   []Task
		change  func(*situation)
		start   int
		stop    []string
	}{
		{"starts what is missing", 3, fleet("new"), asIs, 2, nil},
		{"does nothing when all is there", 2, fleet("new", "new+pending"), asIs, 0, nil},
		{"C03 stops the two unprotected of three", 1, fleet("new", "new+protected", "new"), asIs, 0, []string{"0", "2"}},
		{"keeps protected ones above desired", 1, fleet("new+protected", "new+protected", "new"), asIs, 0, []string{"2"}},
		{"protection that lapsed protects no more", 0, fleet("new+lapsed"), asIs, 0, []string{"0"}},
		{"stops pending tasks before running ones", 1, fleet("new", "new+pending"), asIs, 0, []string{"1"}},
		{"starts nothing while held", 3, nil, hold, 0, nil},
		{"stops though held", 0, fleet("new"), hold, 0, []string{"0"}},
		{"a deleted service loses protected tasks too", 2, fleet("new+protected"), inactive, 0, []string{"0"}},
		{"a deployment starts beside the old tasks", 2, fleet("old", "old"), asIs, 2, nil},
		{"a deployment keeps old tasks while new ones start", 2, fleet("old", "old", "new+pending", "new+pending"), asIs, 0, nil},
		{"a deployment replaces old tasks by running ones", 2, fleet("old", "old", "new", "new+pending"), asIs, 0, []string{"0"}},
		{"a checked container is up only once healthy", 1, fleet("old", "new"), checked, 0, nil},
		{"a healthy container lets the old one go", 1, fleet("old", "new+healthy"), checked, 0, []string{"0"}},
		{"a deployment at zero drops what is left", 0, fleet("old", "old+pending"), asIs, 0, []string{"1", "0"}},
		{"a deployment waits for protected old tasks", 1, fleet("old+protected", "new"), asIs, 0, nil},
		{"a deployment stays within its percents", 2, fleet("old", "old"), half, 1, []string{"0"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := situation{service: Service{Desired: test.desired, Active: true}, primary: "new", tasks: test.tasks}
			test.change(&s)
			got := plan(s, noon)
			if want := append([]string{}, test.stop...); got.start != test.start || !slices.Equal(ids(got.stop), want) {
				t.Errorf("plan = start %d, stop %v; want start %d, stop %v", got.start, ids(got.stop), test.start, want)
			}
		})
	}
}

// A plan for an active service never stops a protected task, never stops a task twice, and never starts beyond the
// maximum percent.
func TestPlanKeepsItsPromises(t *testing.T) {
	words := []string{"new", "old", "new+pending", "old+pending", "new+protected", "old+protected", "new+healthy"}
	promise := func(desired uint8, picks []uint8, checked bool) bool {
		var chosen []string
		for _, pick := range picks {
			chosen = append(chosen, words[int(pick)%len(words)])
		}
		s := situation{service: Service{Desired: int(desired % 20), Active: true}, primary: "new", checked: checked, tasks: fleet(chosen...)}
		v := plan(s, noon)
		seen := make(map[string]bool)
		for _, task := range v.stop {
			if task.Protected(noon) || seen[task.ID] {
				return false
			}
			seen[task.ID] = true
		}
		return v.start >= 0 && (v.start == 0 || len(s.tasks)+v.start <= 2*s.service.Desired)
	}
	if err := quick.Check(promise, &quick.Config{MaxCount: 5000}); err != nil {
		t.Error(err)
	}
}
