package memsqs_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"github.com/rousehq/rouse/localstack/memsqs"
)

// arrival is what a long poll came back with, and when.
type arrival struct {
	messages []types.Message
	after    time.Duration
	err      error
}

// poll starts a long poll of 20 s for one message and returns where it reports.
func (f fixture) poll(ctx context.Context, queue *string) <-chan arrival {
	done := make(chan arrival, 1)
	start := time.Now()
	go func() {
		out, err := f.client.ReceiveMessage(ctx, &sqs.ReceiveMessageInput{QueueUrl: queue, WaitTimeSeconds: 20})
		if err != nil {
			done <- arrival{err: err, after: time.Since(start)}
			return
		}
		done <- arrival{messages: out.Messages, after: time.Since(start)}
	}()
	synctest.Wait()
	return done
}

func (f fixture) expectArrival(done <-chan arrival, body string, after time.Duration) {
	f.Helper()
	got := <-done
	if got.err != nil || bodies(got.messages) != body || got.after != after {
		f.Errorf("the poll got %q after %v, error %v; want %q after %v", bodies(got.messages), got.after, got.err, body, after)
	}
}

func TestLongPollWakesTheMomentSomethingCanBeReceived(t *testing.T) {
	tests := map[string]struct {
		prepare func(f fixture, queue *string)
		during  func(f fixture, queue *string)
		body    string
		after   time.Duration
	}{
		"a message is sent": {
			during: func(f fixture, q *string) { time.Sleep(3 * time.Second); f.send(q, "a") },
			body:   "a", after: 3 * time.Second,
		},
		"a visibility timeout passes": {
			prepare: func(f fixture, q *string) { f.send(q, "a"); f.receive(q, 0) },
			body:    "a", after: 7 * time.Second,
		},
		"a message is given back": {
			during: func(f fixture, q *string) {
				f.send(q, "a", "b")
				synctest.Wait()
				m := f.one(q)
				time.Sleep(2 * time.Second)
				f.must(f.change(q, m, 0))
			},
			body: "a", after: 0,
		},
		"a delay passes that began during the poll": {
			during: func(f fixture, q *string) {
				time.Sleep(time.Second)
				for _, delay := range []int32{9, 4} {
					_, err := f.client.SendMessage(f.Context(), &sqs.SendMessageInput{QueueUrl: q, MessageBody: aws.String("a"), DelaySeconds: delay})
					f.must(err)
				}
			},
			body: "a", after: 5 * time.Second,
		},
		"nothing comes": {after: 20 * time.Second},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(f fixture) {
				q := f.queue("jobs", "VisibilityTimeout", "7")
				if tt.prepare != nil {
					tt.prepare(f, q)
				}
				done := f.poll(f.Context(), q)
				if tt.during != nil {
					tt.during(f, q)
				}
				f.expectArrival(done, tt.body, tt.after)
			})
		})
	}
}

func TestLongPollsAreServedInLineAndEachByOneMessage(t *testing.T) {
	bubble(t, func(f fixture) {
		q := f.queue("jobs")
		first, second, third := f.poll(f.Context(), q), f.poll(f.Context(), q), f.poll(f.Context(), q)
		time.Sleep(time.Second)
		entries := []types.SendMessageBatchRequestEntry{
			{Id: aws.String("1"), MessageBody: aws.String("a")}, {Id: aws.String("2"), MessageBody: aws.String("b")},
		}
		_, err := f.client.SendMessageBatch(f.Context(), &sqs.SendMessageBatchInput{QueueUrl: q, Entries: entries})
		f.must(err)
		f.expectArrival(first, "a", time.Second)
		f.expectArrival(second, "b", time.Second)
		f.expectArrival(third, "", 20*time.Second)
		f.expect("jobs", 0, 2, 0)
	})
}

func TestQueueWaitTimeServesReceivesThatSayNothing(t *testing.T) {
	bubble(t, func(f fixture) {
		q := f.queue("jobs", "ReceiveMessageWaitTimeSeconds", "15")
		start := time.Now()
		f.receive(q, 0) // the SDK leaves a zero out
		if got := time.Since(start); got != 15*time.Second {
			t.Errorf("came back after %v, want 15s", got)
		}
	})
}

func TestClientThatLeavesTakesNothingAndLetsTheNextOneGo(t *testing.T) {
	bubble(t, func(f fixture) {
		q := f.queue("jobs")
		ctx, leave := context.WithCancel(f.Context())
		gone, stays := f.poll(ctx, q), f.poll(f.Context(), q)
		time.Sleep(time.Second)
		leave()
		if got := <-gone; !errors.Is(got.err, context.Canceled) {
			t.Errorf("error %v, want a cancellation", got.err)
		}
		f.send(q, "a")
		f.expectArrival(stays, "a", time.Second)
	})
}

// The wake-up and the departure come in the same instant. Whichever the poll sees first, no message lies visible while
// somebody waits for one; it is in flight to the one or the other.
func TestWakeUpOfAClientThatLeavesIsPassedOn(t *testing.T) {
	for range 50 {
		bubble(t, func(f fixture) {
			q := f.queue("jobs", "VisibilityTimeout", "5")
			ctx, leave := context.WithCancel(f.Context())
			gone, stays := f.poll(ctx, q), f.poll(f.Context(), q)
			go leave()
			f.send(q, "a")
			synctest.Wait()
			f.expect("jobs", 0, 1, 0)
			<-gone
			if got := <-stays; bodies(got.messages) != "a" {
				t.Errorf("the poll that stayed got %q, error %v", bodies(got.messages), got.err)
			}
		})
	}
}

func TestDeletedQueueEndsItsLongPolls(t *testing.T) {
	bubble(t, func(f fixture) {
		q := f.queue("jobs")
		polls := []<-chan arrival{f.poll(f.Context(), q), f.poll(f.Context(), q)}
		_, err := f.client.DeleteQueue(f.Context(), &sqs.DeleteQueueInput{QueueUrl: q})
		f.must(err)
		for _, done := range polls {
			got := <-done
			refuses(t, got.err, "AWS.SimpleQueueService.NonExistentQueue")
		}
	})
}

func TestPollOverARealSocketNoticesTheClientLeaving(t *testing.T) {
	s, client := overHTTP(t)
	seen := make(chan struct{}, 10)
	s.SetOnCall(func(op, _ string) {
		if op == "ReceiveMessage" {
			seen <- struct{}{}
		}
	})
	q, err := client.CreateQueue(t.Context(), &sqs.CreateQueueInput{QueueName: aws.String("jobs")})
	if err != nil {
		t.Fatal(err)
	}
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan error)
	go func() {
		_, err := client.ReceiveMessage(ctx, &sqs.ReceiveMessageInput{QueueUrl: q.QueueUrl, WaitTimeSeconds: 20})
		left <- err
	}()
	<-seen
	leave()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if _, err := client.SendMessage(t.Context(), &sqs.SendMessageInput{QueueUrl: q.QueueUrl, MessageBody: aws.String("a")}); err != nil {
		t.Fatal(err)
	}
	out, err := client.ReceiveMessage(t.Context(), &sqs.ReceiveMessageInput{
		QueueUrl: q.QueueUrl, WaitTimeSeconds: 20, MessageSystemAttributeNames: []types.MessageSystemAttributeName{"All"},
	})
	if err != nil || len(out.Messages) != 1 || out.Messages[0].Attributes["ApproximateReceiveCount"] != "1" {
		t.Errorf("the message was not left alone: %v, %v", out, err)
	}
}

// brokenWriter is a connection that broke after the request was read.
type brokenWriter struct{ header http.Header }

func (w brokenWriter) Header() http.Header       { return w.header }
func (w brokenWriter) WriteHeader(int)           {}
func (w brokenWriter) Write([]byte) (int, error) { return 0, net.ErrClosed }

func TestReceiveWhoseAnswerCannotBeWrittenIsUndone(t *testing.T) {
	bubble(t, func(f fixture) {
		for _, name := range []string{"jobs", "jobs.fifo"} {
			q := f.queue(name)
			if name == "jobs" {
				f.send(q, "a")
			} else {
				f.sendTo(q, "g", "a")
			}
			r, err := http.NewRequestWithContext(f.Context(), http.MethodPost, "http://memsqs/", strings.NewReader(`{"QueueUrl":"`+*q+`"}`))
			f.must(err)
			r.Header.Set("X-Amz-Target", "AmazonSQS.ReceiveMessage")
			f.server.ServeHTTP(brokenWriter{http.Header{}}, r)
			f.expect(name, 1, 0, 0)
			if got := f.one(q).Attributes["ApproximateReceiveCount"]; got != "1" {
				t.Errorf("%s: receive count %s, want 1", name, got)
			}
		}
	})
}

var _ http.Handler = (*memsqs.Server)(nil)
