package scaler

import (
	"context"
	"iter"
	"time"
)

// grid yields the current time at once and then every step after the first, at
// fixed instants: what a tick took does not shift the next, and instants that
// passed during a tick are left out. It ends when ctx is done, or when less
// than least would be left of ctx for the next tick.
func grid(ctx context.Context, step, least time.Duration) iter.Seq[time.Time] {
	return func(yield func(time.Time) bool) {
		start := time.Now()
		for next := start; wait(ctx, next, least); next = start.Add(step * (1 + time.Since(start)/step)) {
			if !yield(time.Now()) {
				return
			}
		}
	}
}

// wait waits for the instant next. It answers false if ctx ends earlier, or
// within least after it; then it does not wait at all.
func wait(ctx context.Context, next time.Time, least time.Duration) bool {
	if deadline, ok := ctx.Deadline(); ok && deadline.Before(next.Add(least)) {
		return false
	}
	timer := time.NewTimer(time.Until(next))
	defer timer.Stop()
	select {
	case <-timer.C:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}
