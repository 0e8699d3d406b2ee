package memsqs

import (
	"context"
	"errors"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

// The limit is the real one. The messages go in beneath the protocol, since a quarter of a million calls would tell no
// more.
func TestInFlightLimit(t *testing.T) {
	tests := map[string]struct {
		queue   string
		refuses bool // a short poll is refused, and not just answered with nothing
	}{
		"a standard queue says so": {"jobs", true},
		"a FIFO queue does not":    {"jobs.fifo", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := New(Options{})
				client := s.Client()
				url := create(t.Context(), client, tt.queue)
				fillInFlight(s, tt.queue)

				_, err := client.ReceiveMessage(t.Context(), &sqs.ReceiveMessageInput{QueueUrl: url})
				var over *types.OverLimit
				if errors.As(err, &over) != tt.refuses {
					t.Errorf("short poll: %v", err)
				}
				start := time.Now()
				out, err := client.ReceiveMessage(t.Context(), &sqs.ReceiveMessageInput{QueueUrl: url, WaitTimeSeconds: 20})
				if err != nil || len(out.Messages) != 1 || time.Since(start) != 10*time.Second {
					t.Errorf("long poll: %v after %v, error %v; want a message once the others time out", out, time.Since(start), err)
				}
			})
		})
	}
}

func create(ctx context.Context, client *sqs.Client, name string) *string {
	in := &sqs.CreateQueueInput{QueueName: &name, Attributes: map[string]string{"VisibilityTimeout": "10"}}
	if name == "jobs.fifo" {
		in.Attributes["FifoQueue"] = "true"
	}
	out, err := client.CreateQueue(ctx, in)
	if err != nil {
		panic(err)
	}
	return out.QueueUrl
}

// fillInFlight puts as many messages in flight as are allowed, and one more into the queue.
func fillInFlight(s *Server, name string) {
	err := s.withNamed(name, func(q *queue, now time.Time) error {
		letter := (&outgoing{MessageBody: "x"}).content()
		for n := range maxInFlight + 1 {
			letter.group = strconv.Itoa(n)
			q.add(&message{id: letter.group, content: letter, sentAt: now, key: s.next()}, 0, now)
			s.take(q, &receiveInput{}, now)
		}
		return nil
	})
	if err != nil {
		panic(err)
	}
}
