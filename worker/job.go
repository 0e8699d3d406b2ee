package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync/atomic"
	"time"
)

// cancelGrace is how long a handler may take to return once its context is cancelled.
const cancelGrace = 5 * time.Second

// errExited is the error of a handler that ended its goroutine instead of returning.
var errExited = errors.New("handler ended its goroutine")

// jobs runs the handler on messages. Each call has a goroutine of its own, so
// that a handler which never returns costs that goroutine and not the slot.
type jobs struct {
	handler   Handler
	timeout   time.Duration
	slots     *slots
	gate      *gate
	settle    func(d *delivery, err error, took time.Duration)
	abandoned atomic.Int64 // handlers that were given up and have not returned
	metrics   *metrics
	log       *slog.Logger
}

// run works on one message, on a goroutine of the pool.
func (j *jobs) run(d *delivery) {
	j.slots.start()
	defer j.slots.finish()
	begun := time.Now()
	err := j.call(d)
	j.settle(d, err, time.Since(begun))
}

// call returns what the handler returned, or why it was given up.
func (j *jobs) call(d *delivery) error {
	ctx, cancel := context.WithTimeoutCause(d.ctx, j.timeout, ErrJobTimeout)
	defer cancel()
	done := make(chan error, 1)
	go j.handle(ctx, d, done)
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return j.reap(ctx, d, done)
	}
}

// reap waits for a handler whose context was cancelled, and gives it up after the grace.
func (j *jobs) reap(ctx context.Context, d *delivery, done <-chan error) error {
	grace := time.NewTimer(cancelGrace)
	defer grace.Stop()
	select {
	case err := <-done:
		return err
	case <-grace.C:
		j.abandon(d, done)
		return cancelled{cause: context.Cause(ctx), err: errors.New("handler did not return")}
	}
}

// handle calls the handler and sends what it returned. A panic is sent as an
// error, and so is the end of the goroutine. What is returned after the context
// was cancelled comes with the cause, which outweighs it.
func (j *jobs) handle(ctx context.Context, d *delivery, done chan<- error) {
	err := errExited
	defer func() {
		if v := recover(); v != nil {
			err = panicError{v}
			j.log.Error("job panicked", "message_id", d.ID, "panic", fmt.Sprint(v), "stack", string(debug.Stack()))
		}
		if ctx.Err() != nil {
			err = cancelled{cause: context.Cause(ctx), err: err}
		}
		done <- err
	}()
	err = j.handler.Handle(ctx, d.Message)
}

// abandon counts a handler that does not return, until it does. When there are as
// many as slots the process is no longer worth claiming for.
func (j *jobs) abandon(d *delivery, done <-chan error) {
	j.log.Error("handler abandoned", "message_id", d.ID)
	j.countAbandoned(1)
	go func() {
		<-done //nolint:errcheck // its verdict was given when it was abandoned
		j.countAbandoned(-1)
	}()
}

func (j *jobs) countAbandoned(change int64) {
	n := j.abandoned.Add(change)
	j.metrics.abandoned.Set(float64(n))
	if n >= int64(j.slots.size) {
		j.gate.close(exhausted, fmt.Sprintf("%d handlers ignore their cancelled context", n))
		return
	}
	j.gate.clear(exhausted)
}

// cancelled is the error of a job whose context was cancelled before it returned.
type cancelled struct {
	cause error // ErrJobTimeout, ErrLeaseLost or ErrStopping
	err   error // what the handler returned all the same
}

func (c cancelled) Error() string {
	if c.err == nil {
		return c.cause.Error()
	}
	return fmt.Sprintf("%v: %v", c.cause, c.err)
}

func (c cancelled) Unwrap() error { return c.cause }
