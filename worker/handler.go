package worker

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Handler does a workload's jobs. Handle is called by up to Config.PoolSize
// goroutines at once, and for one message more than once: delivery is
// at-least-once, so a job's effects should be idempotent.
//
// The error decides what becomes of the message:
//
//	nil            done, the message is deleted
//	Permanent(err) never to be tried again: moved to the dead-letter queue
//	RetryAfter     visible again after the given delay
//	any other      visible again after an exponential delay; a panic counts as one
//
// The context is cancelled when the job's time is over, when its lease is lost
// and when the drain deadline of a stopping worker passes; context.Cause says
// which (ErrJobTimeout, ErrLeaseLost, ErrStopping). The handler has five seconds
// to return then. A nil returned after that is not believed, since programs
// that are told to stop often return "fine" half-way: the message comes again.
// A handler that does not return at all is abandoned: its slot is given to
// another job, and once as many as there are slots have been abandoned /healthz
// fails, so that the task is replaced.
type Handler interface {
	Handle(ctx context.Context, m Message) error
}

// HandlerFunc makes a Handler of a function.
type HandlerFunc func(ctx context.Context, m Message) error

// Handle calls f.
func (f HandlerFunc) Handle(ctx context.Context, m Message) error { return f(ctx, m) }

// Readier is implemented by a Handler that must be ready before any message is
// claimed: a model loaded, a database reached. Ready is called until it returns
// nil and then again every Config.ReadyIntervalSeconds; while it returns an error
// nothing is claimed and running jobs go on. One call may take five seconds.
type Readier interface {
	Ready(ctx context.Context) error
}

// Causes of the cancellation of a job's context, found with context.Cause.
var (
	// ErrJobTimeout means that the job ran longer than Config.JobTimeoutSeconds.
	ErrJobTimeout = errors.New("job timeout")
	// ErrLeaseLost means that the message is no longer leased to this worker:
	// another may be working on it. Whatever the handler returns, the message is not deleted.
	ErrLeaseLost = errors.New("lease lost")
	// ErrStopping means that the worker stops and its drain deadline has passed.
	// The message is given back.
	ErrStopping = errors.New("worker stopping")
)

// Permanent marks err as one that no retry can cure. The message is moved to
// the dead-letter queue at once, with the text of err as an attribute; without
// Config.DLQURL it is retried like any other. Permanent(nil) is nil.
func Permanent(err error) error {
	if err == nil {
		return nil
	}
	return permanentError{err}
}

// RetryAfter asks for the message to become visible again after d, rounded up to
// whole seconds and at most 12 hours, instead of after the usual back-off. It
// still counts as a failed attempt. RetryAfter(d, nil) is nil.
func RetryAfter(d time.Duration, err error) error {
	if err == nil {
		return nil
	}
	return retryError{err, max(0, d)}
}

type permanentError struct{ error }

func (e permanentError) Unwrap() error { return e.error }

type retryError struct {
	error
	delay time.Duration
}

func (e retryError) Unwrap() error { return e.error }

// panicError is the error of a job that panicked.
type panicError struct{ value any }

func (e panicError) Error() string { return fmt.Sprintf("panic: %v", e.value) }

// IsPermanent reports whether err, or an error it wraps, was marked by Permanent.
func IsPermanent(err error) bool {
	var hopeless permanentError
	return errors.As(err, &hopeless)
}
