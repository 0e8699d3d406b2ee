package worker

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

// work returns a handler that runs for d unless it is cancelled, and the causes
// it was cancelled for.
func work(d time.Duration) (Handler, chan error) {
	causes := make(chan error, 1000)
	return HandlerFunc(func(ctx context.Context, _ Message) error {
		if sleep(ctx, d) {
			return nil
		}
		causes <- context.Cause(ctx)
		return ctx.Err()
	}), causes
}

// C01: a job that is longer than its lease completes on its first receive.
func TestC01_LongJobCompletesOnItsFirstReceive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := new(fakeQueue)
		q.put("long")
		c := testConfig(q)
		c.JobTimeoutSeconds = 43200
		handler, _ := work(6 * time.Hour)
		r := start(t, c, handler)
		after(6*time.Hour + time.Second)
		if n := read(q, func(q *fakeQueue) int { return q.messages[0].receives }); n != 1 {
			t.Errorf("received %d times, want once", n)
		}
		if n := read(q, func(q *fakeQueue) int { return len(q.deleted) }); n != 1 {
			t.Error("not deleted")
		}
		renewals := read(q, func(q *fakeQueue) int { return len(q.changes) })
		if want := int(6 * time.Hour / (20 * time.Second)); renewals < want-1 || renewals > want+1 {
			t.Errorf("%d renewals, want one each third of 60 s: %d", renewals, want)
		}
		r.end(t)
	})
}

func TestC12_RenewalsOfManyLeasesShareCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := new(fakeQueue)
		for range 100 {
			q.put("x")
		}
		var calls atomic.Int32
		q.onChange = func(in *sqs.ChangeMessageVisibilityBatchInput) (*sqs.ChangeMessageVisibilityBatchOutput, error) {
			calls.Add(1)
			return nil, nil
		}
		c := testConfig(q)
		c.PoolSize = 100
		handler, _ := work(65 * time.Second)
		r := start(t, c, handler)
		after(64 * time.Second)
		if n := read(q, func(q *fakeQueue) int { return q.handed }); n != 100 {
			t.Errorf("%d deliveries, want 100", n)
		}
		if calls.Load() != 30 {
			t.Errorf("%d calls for 3 renewals of 100 leases, want 30", calls.Load())
		}
		r.end(t)
	})
}

func TestC11_LeaseLost(t *testing.T) {
	refuse := func(code, text string) func(*sqs.ChangeMessageVisibilityBatchInput) (*sqs.ChangeMessageVisibilityBatchOutput, error) {
		return func(in *sqs.ChangeMessageVisibilityBatchInput) (*sqs.ChangeMessageVisibilityBatchOutput, error) {
			out := new(sqs.ChangeMessageVisibilityBatchOutput)
			for _, e := range in.Entries {
				out.Failed = append(out.Failed, types.BatchResultErrorEntry{Id: e.Id, Code: &code, Message: &text})
			}
			return out, nil
		}
	}
	rows := []struct {
		name     string
		onChange func(*sqs.ChangeMessageVisibilityBatchInput) (*sqs.ChangeMessageVisibilityBatchOutput, error)
		want     time.Duration
	}{
		{"no call arrives until it expires", func(*sqs.ChangeMessageVisibilityBatchInput) (*sqs.ChangeMessageVisibilityBatchOutput, error) {
			return nil, errors.New("connection reset")
		}, 60 * time.Second},
		{"each entry is throttled until it expires", refuse("RequestThrottled", ""), 60 * time.Second},
		{"the receipt is worth nothing", refuse("ReceiptHandleIsInvalid", ""), 20 * time.Second},
		{"the message is not in flight", refuse("AWS.SimpleQueueService.MessageNotInflight", ""), 20 * time.Second},
		{"the receipt has expired", refuse("InvalidParameterValue", "Reason: Message does not exist or is not available for visibility timeout change."), 20 * time.Second},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { losesLease(t, row.onChange, row.want) })
		})
	}
}

func losesLease(t *testing.T, onChange func(*sqs.ChangeMessageVisibilityBatchInput) (*sqs.ChangeMessageVisibilityBatchOutput, error), want time.Duration) {
	q := new(fakeQueue)
	q.put("x")
	q.onChange = onChange
	handler, causes := work(50 * time.Second)
	begun := time.Now()
	if want >= 50*time.Second {
		handler, causes = work(time.Hour)
	}
	r := start(t, testConfig(q), handler)
	if cause := <-causes; !errors.Is(cause, ErrLeaseLost) {
		t.Errorf("the job was cancelled because of %v, want the lease", cause)
	}
	if took := time.Since(begun); took < want-time.Second || took > want+time.Second {
		t.Errorf("cancelled after %v, want %v", took, want)
	}
	after(time.Second)
	if n := read(q, func(q *fakeQueue) int { return len(q.deleted) }); n != 0 {
		t.Error("deleted under a lost lease")
	}
	r.end(t)
}

// A job may finish well although its lease is lost: its message is not this worker's to delete.
func TestC11_FinishedJobIsNotDeletedUnderALostLease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := new(fakeQueue)
		q.put("x")
		q.onChange = func(*sqs.ChangeMessageVisibilityBatchInput) (*sqs.ChangeMessageVisibilityBatchOutput, error) {
			return nil, errors.New("unreachable")
		}
		q.onDelete = func(*sqs.DeleteMessageBatchInput) (*sqs.DeleteMessageBatchOutput, error) {
			return nil, errors.New("unreachable")
		}
		c := testConfig(q)
		c.VisibilitySeconds = 5
		handler, _ := work(4900 * time.Millisecond)
		r := start(t, c, handler)
		after(4950 * time.Millisecond)
		q.mu.Lock()
		q.onDelete, q.deletes = nil, 0
		q.mu.Unlock()
		after(time.Second / 2)
		if n := read(q, func(q *fakeQueue) int { return q.deletes }); n != 0 {
			t.Errorf("%d calls to delete after the lease ran out, want none", n)
		}
		r.end(t)
	})
}

func TestLeaseIsHeldNoLongerThanTwelveHours(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := new(fakeQueue)
		q.put("x")
		c := testConfig(q)
		c.VisibilitySeconds, c.JobTimeoutSeconds = 7200, 43200
		handler, causes := work(24 * time.Hour)
		begun := time.Now()
		r := start(t, c, handler)
		<-causes
		if took := time.Since(begun); took < maxVisibility-time.Minute || took > maxVisibility {
			t.Errorf("cancelled after %v, want 12 h", took)
		}
		for _, change := range read(q, func(q *fakeQueue) []changed { return q.changes }) {
			if end := change.at.Add(change.delay).Sub(begun); change.delay > time.Hour && end > maxVisibility {
				t.Errorf("a renewal reaches to %v after the receive", end)
			}
		}
		r.end(t)
	})
}

func TestReleaseIsNotOverwrittenByARenewalUnderWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := new(fakeQueue)
		slow := &slowChanges{fakeQueue: q, delay: 2 * time.Second}
		q.put("x")
		c := testConfig(q)
		c.Clients.SQS = slow
		c.RetryBaseSeconds, c.RetryMaxSeconds = 0, 0
		handler := HandlerFunc(func(ctx context.Context, _ Message) error {
			sleep(ctx, 21*time.Second) // ends while its first renewal is under way
			return errors.New("no")
		})
		r := start(t, c, handler)
		after(30 * time.Second)
		changes := read(q, func(q *fakeQueue) []changed { return q.changes })
		if len(changes) < 2 || changes[0].delay != 60*time.Second || changes[1].delay != 0 {
			t.Errorf("changes %v, want a renewal and then a release", changes)
		}
		r.end(t)
	})
}

// slowChanges answers and acts on changes of visibility late.
type slowChanges struct {
	*fakeQueue
	delay time.Duration
}

func (s *slowChanges) ChangeMessageVisibilityBatch(ctx context.Context, in *sqs.ChangeMessageVisibilityBatchInput, o ...func(*sqs.Options)) (*sqs.ChangeMessageVisibilityBatchOutput, error) {
	time.Sleep(s.delay)
	return s.fakeQueue.ChangeMessageVisibilityBatch(ctx, in, o...)
}
