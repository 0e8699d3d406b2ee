package memsqs_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"github.com/rousehq/rouse/localstack/memsqs"
)

// Every message is received once and deleted once, whoever takes it, while producers, consumers and readers of the
// counts run against each other.
func TestConcurrentCallers(t *testing.T) {
	const producers, consumers, each = 4, 4, 100
	s := memsqs.New(memsqs.Options{})
	f := fixture{T: t, server: s, client: s.Client(once)}
	q := f.queue("jobs")
	var seen sync.Map
	var taken atomic.Int64
	var all sync.WaitGroup
	for range producers {
		all.Go(func() {
			for range each {
				if _, err := f.client.SendMessage(t.Context(), &sqs.SendMessageInput{QueueUrl: q, MessageBody: aws.String("x")}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range consumers {
		all.Go(func() {
			for taken.Load() < producers*each {
				out, err := f.client.ReceiveMessage(t.Context(), &sqs.ReceiveMessageInput{QueueUrl: q, WaitTimeSeconds: 1, MaxNumberOfMessages: 3})
				if err != nil {
					t.Error(err)
					return
				}
				for _, m := range out.Messages {
					if _, twice := seen.LoadOrStore(*m.MessageId, true); twice {
						t.Errorf("message %s came twice", *m.MessageId)
					}
					taken.Add(1)
					if err := f.delete(q, m); err != nil {
						t.Error(err)
					}
				}
				if _, err := s.Counts("jobs"); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	f.expect("jobs", 0, 0, 0)
}
