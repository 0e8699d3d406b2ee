package worker

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
)

// C44: a job that hangs is cancelled, fails, and frees its slot.
func TestC44_HungJobIsCancelledAndFreesItsSlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := new(fakeQueue)
		q.put("hangs", "next")
		c := testConfig(q)
		c.JobTimeoutSeconds, c.RetryBaseSeconds = 600, 900
		causes := make(chan error, 1)
		r := start(t, c, HandlerFunc(func(ctx context.Context, m Message) error {
			if m.Body == "hangs" {
				<-ctx.Done()
				causes <- context.Cause(ctx)
			}
			return nil // not believed after a cancellation
		}))
		after(605 * time.Second)
		if cause := <-causes; !errors.Is(cause, ErrJobTimeout) {
			t.Errorf("cancelled because of %v, want the timeout", cause)
		}
		if got := read(q, func(q *fakeQueue) []string { return q.deleted }); len(got) != 1 || got[0] != "next" {
			t.Errorf("deleted %q, want only the job that did not hang", got)
		}
		last := read(q, func(q *fakeQueue) changed { return q.changes[len(q.changes)-1] })
		if last.body != "hangs" || last.delay < 450*time.Second || last.delay > 900*time.Second {
			t.Errorf("last change is %v, want a failure's back-off", last)
		}
		r.end(t)
	})
}

// C44, when the handler ignores its context as well: the slot is freed by giving
// the handler up, and the process asks to be replaced once all slots went so.
func TestC44_HandlerThatNeverReturnsIsAbandoned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := new(fakeQueue)
		q.put("a", "b")
		c := testConfig(q)
		c.JobTimeoutSeconds, c.RetryBaseSeconds = 60, 900
		release := make(chan struct{})
		var started atomic.Int32
		w, err := newWorker(t.Context(), c, HandlerFunc(func(context.Context, Message) error {
			started.Add(1)
			<-release
			return nil
		}))
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- w.run(ctx) }()
		after(67 * time.Second)
		if n := w.slots.busy(); n != 0 {
			t.Errorf("%d slots still taken", n)
		}
		if n := started.Load(); n != 1 {
			t.Errorf("%d jobs started, want none after the only slot lost its handler", n)
		}
		if err := w.health.check(time.Now()); err == nil {
			t.Error("healthy although every slot has lost a handler")
		}
		close(release)
		after(time.Minute)
		if err := w.health.check(time.Now()); err != nil {
			t.Errorf("unhealthy (%v) after the handlers returned", err)
		}
		if n := started.Load(); n != 2 {
			t.Errorf("%d jobs started, want the second once claiming was possible again", n)
		}
		cancel()
		<-ended
	})
}

func TestFailedJobs(t *testing.T) {
	refused := errors.New("refused")
	rows := []struct {
		name     string
		handler  HandlerFunc
		min, max time.Duration
	}{
		{"an error backs off", func(context.Context, Message) error { return refused }, 5 * time.Second, 10 * time.Second},
		{"a panic is an error", func(context.Context, Message) error { panic("boom") }, 5 * time.Second, 10 * time.Second},
		{"the end of the goroutine is an error", func(context.Context, Message) error { runtime.Goexit(); return nil }, 5 * time.Second, 10 * time.Second},
		{"a delay can be asked for", func(context.Context, Message) error { return RetryAfter(90*time.Second, refused) }, 90 * time.Second, 90 * time.Second},
		{"a delay is rounded up", func(context.Context, Message) error { return RetryAfter(1, refused) }, time.Second, time.Second},
		{"a delay is at most what is left of 12 hours", func(context.Context, Message) error { return RetryAfter(1000*time.Hour, refused) }, maxVisibility - time.Minute, maxVisibility},
		{"permanent without a dead-letter queue backs off", func(context.Context, Message) error { return Permanent(refused) }, 5 * time.Second, 10 * time.Second},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				q := new(fakeQueue)
				q.put("x")
				r := start(t, testConfig(q), row.handler)
				after(time.Second)
				changes := read(q, func(q *fakeQueue) []changed { return q.changes })
				if len(changes) != 1 || changes[0].delay < row.min || changes[0].delay > row.max {
					t.Errorf("changes %v, want one of %v to %v", changes, row.min, row.max)
				}
				if len(q.deleted) > 0 {
					t.Error("deleted")
				}
				r.end(t)
			})
		})
	}
}

func TestBackOffGrowsWithTheReceiveCount(t *testing.T) {
	b := backoff{10 * time.Second, 900 * time.Second}
	for count, want := range map[int]time.Duration{1: 10, 2: 20, 3: 40, 7: 640, 8: 900, 9: 900, 1000: 900} {
		want *= time.Second
		if got := b.at(count, 0); got != want {
			t.Errorf("receive %d: at most %v, want %v", count, got, want)
		}
		if got := b.at(count, 1); got != want/2 {
			t.Errorf("receive %d: at least %v, want %v", count, got, want/2)
		}
	}
	if got := (backoff{}).delay(5); got != 0 {
		t.Errorf("a back-off of 0 waits %v", got)
	}
}

// C10: the drain deadline passes with two jobs running.
func TestC10_JobsRunningAtTheDrainDeadlineAreInterrupted(t *testing.T) {
	for name, grace := range map[string]time.Duration{"handlers obey": 0, "handlers need 4 s": 4 * time.Second, "handlers never return": time.Hour} {
		t.Run(name, func(t *testing.T) { synctest.Test(t, func(t *testing.T) { interrupts(t, grace) }) })
	}
}

func interrupts(t *testing.T, grace time.Duration) {
	q := new(fakeQueue)
	q.put("a", "b")
	c := testConfig(q)
	c.PoolSize, c.DrainSeconds = 2, 30
	causes := make(chan error, 2)
	r := start(t, c, HandlerFunc(func(ctx context.Context, _ Message) error {
		<-ctx.Done()
		causes <- context.Cause(ctx)
		time.Sleep(grace)
		return nil
	}))
	after(time.Second)
	took := r.end(t)
	if want := 30 * time.Second; took < want || took > want+cancelGrace+wrapUp {
		t.Errorf("the stop took %v, want between %v and %v", took, want, want+cancelGrace+wrapUp)
	}
	for range 2 {
		if cause := <-causes; !errors.Is(cause, ErrStopping) {
			t.Errorf("cancelled because of %v, want the stop", cause)
		}
	}
	var back int
	for _, change := range q.changes {
		if change.delay == 0 {
			back++
		}
	}
	if back != 2 || len(q.deleted) != 0 {
		t.Errorf("%d messages given back and %d deleted, want 2 and 0", back, len(q.deleted))
	}
	after(grace) // abandoned handlers must end before the bubble may
}

func TestDrainLetsRunningJobsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := new(fakeQueue)
		q.put("x")
		handler, _ := work(80 * time.Second)
		r := start(t, testConfig(q), handler)
		after(time.Second)
		if took := r.end(t); took < 79*time.Second || took > 80*time.Second {
			t.Errorf("the stop took %v, want the job's 79 s and the flush", took)
		}
		if len(q.deleted) != 1 {
			t.Error("the finished job was not deleted at the end of the drain")
		}
	})
}

// A stop while SQS answers nothing still ends in time.
func TestStopEndsInTimeWhateverFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := new(fakeQueue)
		q.put("x")
		q.onDelete = func(*sqs.DeleteMessageBatchInput) (*sqs.DeleteMessageBatchOutput, error) {
			return nil, errors.New("unreachable")
		}
		q.onChange = func(*sqs.ChangeMessageVisibilityBatchInput) (*sqs.ChangeMessageVisibilityBatchOutput, error) {
			return nil, errors.New("unreachable")
		}
		c := testConfig(q)
		c.DrainSeconds = 1
		handler, _ := work(1900 * time.Millisecond)
		r := start(t, c, handler)
		after(time.Second)
		if took := r.end(t); took > time.Second+cancelGrace+wrapUp {
			t.Errorf("the stop took %v, want at most %v", took, time.Second+cancelGrace+wrapUp)
		}
	})
}
