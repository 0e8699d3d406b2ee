package pool

import "time"

// Limit decides how many tasks a pool may hold, queued and running together. It
// is asked before the queue is, and must be safe for use by many goroutines.
// Acquire must not block. For each Acquire that said true the pool calls Release
// exactly once.
type Limit interface {
	// Acquire reports whether one more task is admitted.
	Acquire() bool
	// Release gives the place back. For Succeeded and Dropped, took is how long
	// the task ran, without its time in the queue; for Ignored it says nothing.
	Release(took time.Duration, outcome Outcome)
}

// Outcome tells a Limit what to learn from a task.
type Outcome uint8

const (
	// Succeeded is a task whose running time is a sample of the load.
	Succeeded Outcome = iota
	// Dropped is a task that failed as things fail under too much load, such as
	// by a timeout. A panic counts as this.
	Dropped
	// Ignored is a task to learn nothing from: it failed by its own fault, found
	// the queue full, or was reclaimed.
	Ignored
)

// timed wraps run so that each task releases the limit, however it ends.
func timed[T any](limit Limit, run func(T) Outcome) func(T) {
	return func(task T) {
		outcome, start := Dropped, time.Now()
		defer func() { limit.Release(time.Since(start), outcome) }()
		outcome = run(task)
	}
}
