package worker

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
)

func TestMessagesAreWorkedOnAndDeleted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := new(fakeQueue)
		q.put("a", "b", "c")
		c := testConfig(q)
		c.PoolSize = 2
		r := start(t, c, HandlerFunc(done))
		after(time.Second)
		if got := read(q, func(q *fakeQueue) []string { return slices.Sorted(slices.Values(q.deleted)) }); !slices.Equal(got, []string{"a", "b", "c"}) {
			t.Errorf("deleted %q, want a, b and c", got)
		}
		r.end(t)
	})
}

// A batch that arrives while the worker is told to stop is given back at once.
func TestC09_BatchArrivingAfterSIGTERMIsGivenBack(t *testing.T) {
	for name, delay := range map[string]time.Duration{"1 ms later": time.Millisecond, "900 ms later": 900 * time.Millisecond} {
		t.Run(name, func(t *testing.T) { synctest.Test(t, func(t *testing.T) { lateBatch(t, delay) }) })
	}
}

func lateBatch(t *testing.T, delay time.Duration) {
	q := new(fakeQueue)
	q.put("a", "b", "c")
	polling, answer := make(chan struct{}), make(chan struct{})
	q.onReceive = func(ctx context.Context, in *sqs.ReceiveMessageInput) (*sqs.ReceiveMessageOutput, error) {
		close(polling)
		select {
		case <-answer:
			out, _, _ := q.visible(in)
			return out, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	c := testConfig(q)
	c.PoolSize = 10
	var started atomic.Int32
	r := start(t, c, HandlerFunc(func(context.Context, Message) error { started.Add(1); return nil }))
	<-polling
	stopped := time.Now()
	time.AfterFunc(delay, func() { close(answer) })
	r.end(t)
	if started.Load() != 0 {
		t.Errorf("%d messages were started, want none", started.Load())
	}
	changes := read(q, func(q *fakeQueue) []changed { return q.changes })
	if len(changes) != 3 {
		t.Fatalf("%d messages were given back, want 3", len(changes))
	}
	for _, change := range changes {
		if late := change.at.Sub(stopped) - delay; change.delay != 0 || late >= time.Second {
			t.Errorf("%s is visible again %v after %v, want at once", change.body, change.delay, late)
		}
	}
	if n := read(q, func(q *fakeQueue) int { return q.receives }); n != 1 {
		t.Errorf("%d receives, want no further one", n)
	}
}

func TestC09_UnansweredPollIsCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, testConfig(new(fakeQueue)), HandlerFunc(done))
		after(time.Second)
		if took := r.end(t); took > pollGrace {
			t.Errorf("an idle worker took %v to stop, want at most %v", took, pollGrace)
		}
	})
}

// C12, C17: what cannot start is never received.
func TestC12_HeldMessagesNeverExceedSlots(t *testing.T) {
	for _, size := range []struct{ pool, buffer int }{{1, 100}, {3, 100}, {25, 100}, {25, 1}, {100, 7}} {
		synctest.Test(t, func(t *testing.T) {
			q := new(fakeQueue)
			q.put(slices.Repeat([]string{"x"}, 300)...)
			c := testConfig(q)
			c.PoolSize, c.BufferSize = size.pool, size.buffer
			var running, most atomic.Int32
			r := start(t, c, HandlerFunc(func(ctx context.Context, _ Message) error {
				now := running.Add(1)
				for m := most.Load(); now > m && !most.CompareAndSwap(m, now); m = most.Load() {
				}
				defer running.Add(-1)
				sleep(ctx, 150*time.Second) // outlives its first lease twice
				return ctx.Err()
			}))
			after(time.Hour)
			r.stop()
			<-r.done
			if most.Load() > int32(size.pool) {
				t.Errorf("pool %d: %d jobs ran at once", size.pool, most.Load())
			}
			for _, m := range q.messages {
				if m.receives > 1 && m.body != "" {
					t.Errorf("pool %d, buffer %d: message %s was received %d times, want once", size.pool, size.buffer, m.id, m.receives)
				}
			}
		})
	}
}

func TestC17_SurplusOfAReceiveIsGivenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := new(fakeQueue)
		q.put("a", "b", "c")
		q.onReceive = func(ctx context.Context, in *sqs.ReceiveMessageInput) (*sqs.ReceiveMessageOutput, error) {
			in.MaxNumberOfMessages = 10
			return q.take(ctx, in)
		}
		block := make(chan struct{})
		var started atomic.Int32
		r := start(t, testConfig(q), HandlerFunc(func(context.Context, Message) error { started.Add(1); <-block; return nil }))
		after(time.Second)
		if started.Load() != 1 {
			t.Errorf("%d jobs started in one slot", started.Load())
		}
		if n := read(q, func(q *fakeQueue) int { return len(q.changes) }); n != 2 {
			t.Errorf("%d messages given back, want 2", n)
		}
		close(block)
		r.end(t)
	})
}

// C29: an empty queue is no reason to leave.
func TestC29_WorkerStaysWhileTheQueueIsEmpty(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := new(fakeQueue)
		r := start(t, testConfig(q), HandlerFunc(done))
		after(24 * time.Hour)
		select {
		case err := <-r.done:
			t.Fatalf("Run returned %v on an idle day", err)
		default:
		}
		if n := read(q, func(q *fakeQueue) int { return q.receives }); n < 24*60*3-10 || n > 24*60*3+10 {
			t.Errorf("%d receives in a day of 20 s long polls, want 4320", n)
		}
		r.end(t)
	})
}

func TestReceiveFailuresBackOffAndRecover(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := new(fakeQueue)
		q.put("a")
		var down atomic.Bool
		down.Store(true)
		q.onReceive = func(ctx context.Context, in *sqs.ReceiveMessageInput) (*sqs.ReceiveMessageOutput, error) {
			if down.Load() {
				return nil, errors.New("throttled")
			}
			return q.take(ctx, in)
		}
		r := start(t, testConfig(q), HandlerFunc(done))
		after(10 * time.Minute)
		if n := read(q, func(q *fakeQueue) int { return q.receives }); n < 20 || n > 50 {
			t.Errorf("%d receives in ten minutes of failures, want one each 15 to 30 s", n)
		}
		down.Store(false)
		after(31 * time.Second)
		if n := read(q, func(q *fakeQueue) int { return len(q.deleted) }); n != 1 {
			t.Errorf("%d messages done after the failures ended, want 1", n)
		}
		r.end(t)
	})
}
