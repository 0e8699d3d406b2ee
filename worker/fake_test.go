package worker

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

const (
	testQueue = "http://sqs.test/000000000000/jobs"
	testDLQ   = "http://sqs.test/000000000000/jobs-dlq"
)

// stored is a message of the fake queue.
type stored struct {
	id        string
	body      string
	attribute map[string]types.MessageAttributeValue
	group     string
	sent      time.Time
	visible   time.Time
	receives  int
	receipt   string
}

// fakeQueue is SQS as the worker sees it, on the bubble's clock.
type fakeQueue struct {
	// Hooks, if set, stand before the real behaviour.
	onReceive func(context.Context, *sqs.ReceiveMessageInput) (*sqs.ReceiveMessageOutput, error)
	onChange  func(*sqs.ChangeMessageVisibilityBatchInput) (*sqs.ChangeMessageVisibilityBatchOutput, error)
	onDelete  func(*sqs.DeleteMessageBatchInput) (*sqs.DeleteMessageBatchOutput, error)
	onSend    func(*sqs.SendMessageInput) error

	mu       sync.Mutex
	wake     chan struct{} // closed when something may have become visible
	messages []*stored
	receives int       // ReceiveMessage calls
	handed   int       // messages received
	mostHeld int       // most messages in flight at once
	deleted  []string  // bodies
	changes  []changed // every visibility change that was accepted
	letters  []*sqs.SendMessageInput
	deletes  int // DeleteMessageBatch calls
}

// changed is one change of visibility.
type changed struct {
	body  string
	delay time.Duration
	at    time.Time
}

func (q *fakeQueue) put(bodies ...string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, body := range bodies {
		q.messages = append(q.messages, &stored{id: fmt.Sprintf("id-%d", len(q.messages)+1), body: body, sent: time.Now(), visible: time.Now()})
	}
	q.wakePolls()
}

func (q *fakeQueue) ReceiveMessage(ctx context.Context, in *sqs.ReceiveMessageInput, _ ...func(*sqs.Options)) (*sqs.ReceiveMessageOutput, error) {
	q.mu.Lock()
	q.receives++
	hook := q.onReceive
	q.mu.Unlock()
	if hook != nil {
		return hook(ctx, in)
	}
	return q.take(ctx, in)
}

// take long-polls the queue.
func (q *fakeQueue) take(ctx context.Context, in *sqs.ReceiveMessageInput) (*sqs.ReceiveMessageOutput, error) {
	deadline := time.Now().Add(time.Duration(in.WaitTimeSeconds) * time.Second)
	for {
		out, next, changed := q.visible(in)
		if len(out.Messages) > 0 || !time.Now().Before(deadline) {
			return out, nil
		}
		wait := time.NewTimer(time.Until(earlier(next, deadline)))
		select {
		case <-wait.C:
		case <-changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		wait.Stop()
	}
}

// wakePolls makes waiting receives look again. The caller has the lock.
func (q *fakeQueue) wakePolls() {
	if q.wake != nil {
		close(q.wake)
	}
	q.wake = make(chan struct{})
}

// visible takes what is visible, and says when more will be and what tells of changes.
func (q *fakeQueue) visible(in *sqs.ReceiveMessageInput) (*sqs.ReceiveMessageOutput, time.Time, <-chan struct{}) {
	q.mu.Lock()
	defer q.mu.Unlock()
	out := new(sqs.ReceiveMessageOutput)
	now, held := time.Now(), 0
	next := now.Add(time.Hour)
	if q.wake == nil {
		q.wake = make(chan struct{})
	}
	for _, m := range q.messages {
		if m.visible.After(now) {
			next = earlier(next, m.visible)
			if m.receipt != "" {
				held++
			}
			continue
		}
		if len(out.Messages) == int(in.MaxNumberOfMessages) {
			continue
		}
		m.receives++
		m.visible = now.Add(time.Duration(in.VisibilityTimeout) * time.Second)
		m.receipt = fmt.Sprintf("%s/%d", m.id, m.receives)
		out.Messages = append(out.Messages, m.export())
	}
	q.handed += len(out.Messages)
	q.mostHeld = max(q.mostHeld, held+len(out.Messages))
	return out, next, q.wake
}

func (m *stored) export() types.Message {
	return types.Message{
		MessageId: aws.String(m.id), Body: aws.String(m.body), ReceiptHandle: aws.String(m.receipt),
		MessageAttributes: m.attribute,
		Attributes: map[string]string{
			"ApproximateReceiveCount": strconv.Itoa(m.receives),
			"SentTimestamp":           strconv.FormatInt(m.sent.UnixMilli(), 10),
			"MessageGroupId":          m.group,
		},
	}
}

func (q *fakeQueue) ChangeMessageVisibilityBatch(_ context.Context, in *sqs.ChangeMessageVisibilityBatchInput, _ ...func(*sqs.Options)) (*sqs.ChangeMessageVisibilityBatchOutput, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.onChange != nil {
		if out, err := q.onChange(in); out != nil || err != nil {
			return out, err
		}
	}
	out := new(sqs.ChangeMessageVisibilityBatchOutput)
	for _, e := range in.Entries {
		m := q.find(*e.ReceiptHandle)
		if m == nil {
			out.Failed = append(out.Failed, failedEntry(e.Id, "MessageNotInflight"))
			continue
		}
		delay := time.Duration(e.VisibilityTimeout) * time.Second
		m.visible = time.Now().Add(delay)
		q.changes = append(q.changes, changed{m.body, delay, time.Now()})
	}
	q.wakePolls()
	return out, nil
}

func (q *fakeQueue) DeleteMessageBatch(_ context.Context, in *sqs.DeleteMessageBatchInput, _ ...func(*sqs.Options)) (*sqs.DeleteMessageBatchOutput, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.deletes++
	if q.onDelete != nil {
		if out, err := q.onDelete(in); out != nil || err != nil {
			return out, err
		}
	}
	out := new(sqs.DeleteMessageBatchOutput)
	for _, e := range in.Entries {
		m := q.find(*e.ReceiptHandle)
		if m == nil {
			out.Failed = append(out.Failed, failedEntry(e.Id, "ReceiptHandleIsInvalid"))
			continue
		}
		q.deleted = append(q.deleted, m.body)
		m.body, m.receipt, m.visible = "", "", time.Now().Add(1e6*time.Hour)
	}
	return out, nil
}

func (q *fakeQueue) SendMessage(_ context.Context, in *sqs.SendMessageInput, _ ...func(*sqs.Options)) (*sqs.SendMessageOutput, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.onSend != nil {
		if err := q.onSend(in); err != nil {
			return nil, err
		}
	}
	q.letters = append(q.letters, in)
	return new(sqs.SendMessageOutput), nil
}

// find returns the message that is in flight under receipt.
func (q *fakeQueue) find(receipt string) *stored {
	for _, m := range q.messages {
		if m.receipt == receipt && m.visible.After(time.Now()) {
			return m
		}
	}
	return nil
}

func failedEntry(id *string, code string) types.BatchResultErrorEntry {
	return types.BatchResultErrorEntry{Id: id, Code: aws.String(code), Message: aws.String("said the test"), SenderFault: true}
}

// read returns a copy of what f reads, under the lock.
func read[T any](q *fakeQueue, f func(*fakeQueue) T) T {
	q.mu.Lock()
	defer q.mu.Unlock()
	return f(q)
}

// testConfig is a valid configuration that uses q.
func testConfig(q *fakeQueue) Config {
	c := Default()
	c.Workload, c.QueueURL, c.HTTPAddress = "reports", testQueue, ""
	c.Clients.SQS = q
	c.Logger = slog.New(slog.DiscardHandler)
	return c
}

// running is a Run under way in a bubble.
type running struct {
	stop context.CancelFunc
	done chan error
}

// start runs a worker until stop is called or the test ends.
func start(t *testing.T, c Config, h Handler) *running {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	r := &running{stop: cancel, done: make(chan error, 1)}
	go func() { r.done <- Run(ctx, c, h) }()
	return r
}

// end stops the worker and returns how long it took to stop.
func (r *running) end(t *testing.T) time.Duration {
	t.Helper()
	begun := time.Now()
	r.stop()
	if err := <-r.done; err != nil {
		t.Errorf("Run returned %v, want nil", err)
	}
	return time.Since(begun)
}

// after lets d pass in a bubble, and everything happen that is due by then.
func after(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func done(context.Context, Message) error { return nil }
