package worker

import (
	"errors"
	"time"
)

// verdict is how an attempt at a job ended. Its text is the label of the metric.
type verdict string

const (
	succeeded   verdict = "succeeded"
	failed      verdict = "failed"
	timedOut    verdict = "timed_out"
	panicked    verdict = "panicked"
	permanent   verdict = "permanent"
	interrupted verdict = "interrupted" // by the worker's stop; no fault of the job
	lost        verdict = "lost"        // the lease; no longer ours to judge
)

// judge reads the verdict from a job's error. Why a context was cancelled
// outweighs what the handler returned afterwards.
func judge(err error) verdict {
	var panicking panicError
	switch {
	case err == nil:
		return succeeded
	case errors.Is(err, ErrLeaseLost):
		return lost
	case errors.Is(err, ErrStopping):
		return interrupted
	case errors.Is(err, ErrJobTimeout):
		return timedOut
	case errors.As(err, &panicking):
		return panicked
	case IsPermanent(err):
		return permanent
	default:
		return failed
	}
}

// retryDelay is how long a failed message stays hidden: what the handler asked
// for, else a delay that doubles with each receive.
func retryDelay(b backoff, err error, receiveCount int) time.Duration {
	var asked retryError
	if errors.As(err, &asked) {
		return min(asked.delay, maxVisibility)
	}
	return b.delay(receiveCount)
}
