package memsqs_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

func TestCountsAreExactAtEveryMomentWithoutAnyReceive(t *testing.T) {
	bubble(t, func(f fixture) {
		q := f.queue("jobs", "VisibilityTimeout", "30")
		f.send(q, "a", "b")
		_, err := f.client.SendMessage(f.Context(), &sqs.SendMessageInput{QueueUrl: q, MessageBody: aws.String("c"), DelaySeconds: 60})
		f.must(err)
		f.expect("jobs", 2, 0, 1)

		f.receive(q, 0)
		f.expect("jobs", 0, 2, 1)
		time.Sleep(30*time.Second - time.Nanosecond)
		f.expect("jobs", 0, 2, 1)
		time.Sleep(time.Nanosecond)
		f.expect("jobs", 2, 0, 1)
		time.Sleep(30 * time.Second)
		f.expect("jobs", 3, 0, 0)
	})
}

func TestCountsReadOverTheProtocolAreTheSame(t *testing.T) {
	bubble(t, func(f fixture) {
		q := f.queue("jobs", "VisibilityTimeout", "5")
		f.send(q, "a", "b", "c")
		f.receive(q, 0)
		f.send(q, "d")
		time.Sleep(5 * time.Second)
		f.send(q, "e")
		out, err := f.client.GetQueueAttributes(f.Context(), &sqs.GetQueueAttributesInput{QueueUrl: q, AttributeNames: names("All")})
		f.must(err)
		if got := out.Attributes["ApproximateNumberOfMessages"]; got != "5" {
			t.Errorf("visible %s, want 5", got)
		}
	})
}

func TestQueueDelayHoldsUnlessTheMessageHasItsOwn(t *testing.T) {
	bubble(t, func(f fixture) {
		q := f.queue("jobs", "DelaySeconds", "10")
		f.send(q, "queue's")
		_, err := f.client.SendMessage(f.Context(), &sqs.SendMessageInput{QueueUrl: q, MessageBody: aws.String("own"), DelaySeconds: 20})
		f.must(err)
		f.expect("jobs", 0, 0, 2)
		time.Sleep(10 * time.Second)
		f.expect("jobs", 1, 0, 1)
		time.Sleep(10 * time.Second)
		f.expect("jobs", 2, 0, 0)
	})
}

func TestReceiveCountAndTimestampsTellTheHistory(t *testing.T) {
	bubble(t, func(f fixture) {
		q := f.queue("jobs", "VisibilityTimeout", "1")
		f.send(q, "a")
		sent := time.Now().UnixMilli()
		time.Sleep(time.Second)
		first := f.one(q)
		time.Sleep(time.Second)
		second := f.one(q)
		for name, want := range map[string]string{
			"SentTimestamp":                    millis(sent),
			"ApproximateFirstReceiveTimestamp": millis(sent + 1000),
			"ApproximateReceiveCount":          "2",
		} {
			if got := second.Attributes[name]; got != want {
				t.Errorf("%s is %q, want %q", name, got, want)
			}
		}
		if *first.MessageId != *second.MessageId || *first.ReceiptHandle == *second.ReceiptHandle {
			t.Error("want the same id and another handle on the second receive")
		}
	})
}

func TestRetentionForgetsMessagesInEveryState(t *testing.T) {
	bubble(t, func(f fixture) {
		q := f.queue("jobs", "MessageRetentionPeriod", "60", "VisibilityTimeout", "3600")
		f.send(q, "in flight")
		f.receive(q, 0)
		f.send(q, "visible")
		_, err := f.client.SendMessage(f.Context(), &sqs.SendMessageInput{QueueUrl: q, MessageBody: aws.String("delayed"), DelaySeconds: 900})
		f.must(err)
		time.Sleep(60*time.Second - time.Nanosecond)
		f.expect("jobs", 1, 1, 1)
		time.Sleep(time.Nanosecond)
		f.expect("jobs", 0, 0, 0)
	})
}

func TestShorterRetentionAppliesToOldMessages(t *testing.T) {
	bubble(t, func(f fixture) {
		q := f.queue("jobs")
		f.send(q, "old")
		time.Sleep(2 * time.Minute)
		f.send(q, "young")
		_, err := f.client.SetQueueAttributes(f.Context(), &sqs.SetQueueAttributesInput{
			QueueUrl: q, Attributes: map[string]string{"MessageRetentionPeriod": "60"},
		})
		f.must(err)
		f.expect("jobs", 1, 0, 0)
		time.Sleep(time.Minute)
		f.expect("jobs", 0, 0, 0)
	})
}

func TestOldestAge(t *testing.T) {
	bubble(t, func(f fixture) {
		q := f.queue("jobs", "VisibilityTimeout", "1")
		f.expectAge("jobs", 0)
		f.send(q, "a")
		time.Sleep(3 * time.Second)
		f.send(q, "b")
		f.expectAge("jobs", 3*time.Second)
		for range 3 {
			f.must(f.delete(q, f.receive(q, 0)[1]))
			time.Sleep(time.Second)
			f.send(q, "b")
		}
		f.expectAge("jobs", 6*time.Second)
		f.receive(q, 0)
		f.expectAge("jobs", 0) // the fourth receive makes it a poison message
	})
}

func (f fixture) expectAge(name string, want time.Duration) {
	f.Helper()
	got, err := f.server.OldestAge(name)
	f.must(err)
	if got != want {
		f.Errorf("oldest message of %s is %v old, want %v", name, got, want)
	}
}

func millis(ms int64) string { return strconv.FormatInt(ms, 10) }

func names(all ...string) []types.QueueAttributeName {
	var list []types.QueueAttributeName
	for _, name := range all {
		list = append(list, types.QueueAttributeName(name))
	}
	return list
}
