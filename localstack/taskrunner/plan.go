package taskrunner

import (
	"cmp"
	"slices"
	"time"
)

const defaultMinHealthy, defaultMax = 100, 200

// situation is all that plan looks at.
type situation struct {
	service Service
	primary string // the id of the deployment new tasks belong to
	checked bool   // the primary's container has a health check, so running is not yet up
	held    bool   // no task may be started: back-off, or the circuit breaker ended the deployment
	tasks   []Task // alive ones of all deployments, oldest first
}

// verdict is what to do: how many tasks to start, and which to stop.
type verdict struct {
	start int
	stop  []Task
}

// plan decides what a service needs now.
func plan(s situation, now time.Time) verdict {
	if !s.service.Active {
		return verdict{stop: s.tasks}
	}
	current, old := s.split()
	v := verdict{stop: victims(current, len(current)-s.service.Desired, now)}
	if len(old) > 0 {
		v.stop = append(v.stop, s.replaced(current, old, now)...)
	}
	if !s.held {
		v.start = max(0, min(s.service.Desired-len(current), s.room(old)))
	}
	return v
}

func (s situation) split() (current, old []Task) {
	for _, task := range s.tasks {
		if task.Deployment == s.primary {
			current = append(current, task)
		} else {
			old = append(old, task)
		}
	}
	return current, old
}

// room is how many tasks may be started before the maximum percent is reached; without old tasks there is no bound.
func (s situation) room(old []Task) int {
	if len(old) == 0 {
		return s.service.Desired
	}
	_, most := s.percents()
	return s.service.Desired*most/100 - len(s.tasks)
}

// replaced chooses the old tasks that may go while enough others are up.
func (s situation) replaced(current, old []Task, now time.Time) []Task {
	least, _ := s.percents()
	needed := (s.service.Desired*least + 99) / 100
	spare := -needed
	for _, task := range current {
		if s.up(task) {
			spare++
		}
	}
	pending := 0
	for _, task := range old {
		if task.running() {
			spare++
		} else {
			pending++
		}
	}
	return victims(old, max(0, spare)+pending, now)
}

func (s situation) percents() (least, most int) {
	if s.service.MaxPercent == 0 {
		return defaultMinHealthy, defaultMax
	}
	return s.service.MinHealthyPercent, s.service.MaxPercent
}

// up reports whether a task of the primary deployment does its work as far as ECS can know.
func (s situation) up(task Task) bool {
	return task.running() && (!s.checked || task.Health == HealthHealthy)
}

// victims picks at most n tasks to stop: pending ones first, then the oldest, never a protected one.
func victims(tasks []Task, n int, now time.Time) []Task {
	var stoppable []Task
	for _, task := range tasks {
		if !task.Protected(now) {
			stoppable = append(stoppable, task)
		}
	}
	slices.SortStableFunc(stoppable, func(a, b Task) int { return cmp.Compare(rank(a), rank(b)) })
	return stoppable[:max(0, min(n, len(stoppable)))]
}

func rank(task Task) int {
	if task.pending() {
		return 0
	}
	return 1
}
