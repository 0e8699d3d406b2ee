package worker

import (
	"sync"
	"time"

	"github.com/rousehq/rouse/internal/policy"
)

// serviceWeight is the weight of the newest job in the mean service time.
const serviceWeight = 0.1

// tally adds up what the heartbeat says of the jobs.
type tally struct {
	mu        sync.Mutex
	completed int64
	failed    int64
	service   policy.Signal[float64] // seconds, moving average
	wait      policy.Signal[float64] // seconds, the longest since it was last taken
}

// finished counts an attempt. Only what says something about the job counts: not
// one that was interrupted or whose lease was lost.
func (t *tally) finished(v verdict, took time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch v {
	case interrupted, lost:
		return
	case succeeded:
		t.completed++
	default:
		t.failed++
	}
	mean := t.service.Or(took.Seconds())
	t.service = policy.Known(mean + serviceWeight*(took.Seconds()-mean))
}

func (t *tally) waited(d time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.wait = policy.Known(max(d.Seconds(), t.wait.Or(0)))
}

// take returns the counts and the longest wait, which starts anew.
func (t *tally) take() (completed, failed int64, service float64, wait policy.Signal[float64]) {
	t.mu.Lock()
	defer t.mu.Unlock()
	wait, t.wait = t.wait, policy.Signal[float64]{}
	return t.completed, t.failed, t.service.Or(0), wait
}
