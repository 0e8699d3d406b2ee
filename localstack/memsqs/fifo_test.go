package memsqs_test

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

func TestFIFOGroupIsLockedWhileAnyOfItIsInFlight(t *testing.T) {
	bubble(t, func(f fixture) {
		q := f.queue("jobs.fifo", "VisibilityTimeout", "30")
		f.sendTo(q, "g", "a", "b")
		held := f.receive(q, 0)
		if bodies(held) != "a b" {
			t.Fatalf("received %q, want both in order", bodies(held))
		}
		f.sendTo(q, "g", "c")
		f.sendTo(q, "h", "x")
		if got := bodies(f.receive(q, 0)); got != "x" {
			t.Errorf("received %q, want the other group alone", got)
		}
		f.must(f.delete(q, held[0]))
		if got := f.receive(q, 0); len(got) != 0 {
			t.Errorf("received %q while b is in flight", bodies(got))
		}
		f.expect("jobs.fifo", 1, 2, 0)
		time.Sleep(30 * time.Second)
		if got := bodies(f.receive(q, 0)); got != "x b c" && got != "b c x" {
			t.Errorf("received %q, want b before c", got)
		}
	})
}

func TestFIFOLongPollWakesWhenItsGroupIsFreed(t *testing.T) {
	bubble(t, func(f fixture) {
		q := f.queue("jobs.fifo")
		f.sendTo(q, "g", "a")
		m := f.one(q)
		f.sendTo(q, "g", "b")
		done := f.poll(f.Context(), q)
		time.Sleep(4 * time.Second)
		f.must(f.delete(q, m))
		f.expectArrival(done, "b", 4*time.Second)
	})
}

func TestFIFOMessageGivenBackComesFirstAgain(t *testing.T) {
	bubble(t, func(f fixture) {
		q := f.queue("jobs.fifo")
		f.sendTo(q, "g", "a", "b", "c")
		held := f.receive(q, 0)
		for _, m := range []types.Message{held[2], held[0], held[1]} {
			f.must(f.change(q, m, 0))
		}
		if got := bodies(f.receive(q, 0)); got != "a b c" {
			t.Errorf("received %q", got)
		}
	})
}

func TestFIFODelayChangesForMessagesAlreadyDelayed(t *testing.T) {
	bubble(t, func(f fixture) {
		q := f.queue("jobs.fifo", "DelaySeconds", "10")
		f.sendTo(q, "g", "a")
		time.Sleep(time.Second)
		f.must(f.set(q, "DelaySeconds", "4"))
		f.sendTo(q, "g", "b")
		f.expect("jobs.fifo", 0, 0, 2)
		time.Sleep(3 * time.Second)
		f.expect("jobs.fifo", 1, 0, 1)
		f.must(f.set(q, "DelaySeconds", "0"))
		f.sendTo(q, "g", "c")
		if got := bodies(f.receive(q, 0)); got != "a b c" {
			t.Errorf("received %q", got)
		}
	})
}

func TestStandardQueueKeepsTheDelayOfMessagesAlreadyDelayed(t *testing.T) {
	bubble(t, func(f fixture) {
		q := f.queue("jobs", "DelaySeconds", "10")
		f.send(q, "a")
		f.must(f.set(q, "DelaySeconds", "0"))
		f.send(q, "b")
		f.expect("jobs", 1, 0, 1)
		time.Sleep(10 * time.Second)
		f.expect("jobs", 2, 0, 0)
	})
}

func TestFIFOReadyGroupsTakeTurns(t *testing.T) {
	bubble(t, func(f fixture) {
		q := f.queue("jobs.fifo")
		f.sendTo(q, "g", "g1", "g2")
		f.sendTo(q, "h", "h1", "h2")
		var got []types.Message
		for range 4 {
			out, err := f.client.ReceiveMessage(f.Context(), &sqs.ReceiveMessageInput{QueueUrl: q})
			f.must(err)
			got = append(got, out.Messages...)
			f.must(f.delete(q, out.Messages[0]))
		}
		if bodies(got) != "g1 h1 g2 h2" {
			t.Errorf("received %q", bodies(got))
		}
	})
}

func TestFIFODeduplication(t *testing.T) {
	tests := map[string]struct {
		attributes []string
		group      string
		dedup      *string
		body       string
		after      time.Duration
		repeated   bool
	}{
		"the same id within five minutes":      {group: "g", dedup: aws.String("id"), body: "b", after: 5*time.Minute - time.Nanosecond, repeated: true},
		"the same id in another group":         {group: "h", dedup: aws.String("id"), body: "b", repeated: true},
		"the same id after five minutes":       {group: "g", dedup: aws.String("id"), body: "a", after: 5 * time.Minute},
		"another id":                           {group: "g", dedup: aws.String("other"), body: "a"},
		"another group, scope is the group":    {attributes: []string{"DeduplicationScope", "messageGroup"}, group: "h", dedup: aws.String("id"), body: "a"},
		"the same group, scope is the group":   {attributes: []string{"DeduplicationScope", "messageGroup"}, group: "g", dedup: aws.String("id"), body: "a", repeated: true},
		"the same body, but ids by content":    {attributes: []string{"ContentBasedDeduplication", "true"}, group: "g", body: "a"},
		"the same id wins over content's hash": {attributes: []string{"ContentBasedDeduplication", "true"}, group: "g", dedup: aws.String("id"), body: "c", repeated: true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(f fixture) {
				q := f.queue("jobs.fifo", tt.attributes...)
				first, err := f.client.SendMessage(f.Context(), &sqs.SendMessageInput{
					QueueUrl: q, MessageBody: aws.String("a"), MessageGroupId: aws.String("g"), MessageDeduplicationId: aws.String("id"),
				})
				f.must(err)
				f.must(f.delete(q, f.one(q))) // a deleted message is remembered, too
				time.Sleep(tt.after)
				second, err := f.client.SendMessage(f.Context(), &sqs.SendMessageInput{
					QueueUrl: q, MessageBody: &tt.body, MessageGroupId: &tt.group, MessageDeduplicationId: tt.dedup,
				})
				f.must(err)
				same := *first.MessageId == *second.MessageId && *first.SequenceNumber == *second.SequenceNumber
				if same != tt.repeated {
					t.Errorf("taken for a repetition: %v, want %v", same, tt.repeated)
				}
				if got := len(f.receive(q, 0)); (got == 0) != tt.repeated {
					t.Errorf("%d messages came", got)
				}
			})
		})
	}
}

func TestFIFOContentBasedDeduplicationTakesTheBody(t *testing.T) {
	bubble(t, func(f fixture) {
		q := f.queue("jobs.fifo", "ContentBasedDeduplication", "true")
		for range 2 {
			_, err := f.client.SendMessage(f.Context(), &sqs.SendMessageInput{QueueUrl: q, MessageBody: aws.String("a"), MessageGroupId: aws.String("g")})
			f.must(err)
		}
		m := f.one(q)
		const sha256OfA = "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"
		if got := m.Attributes["MessageDeduplicationId"]; got != sha256OfA {
			t.Errorf("deduplication id %s", got)
		}
		if m.Attributes["MessageGroupId"] != "g" || len(m.Attributes["SequenceNumber"]) != 20 {
			t.Errorf("attributes %v", m.Attributes)
		}
	})
}

func TestFIFOSendsThatAreRefused(t *testing.T) {
	bubble(t, func(f fixture) {
		fifo, standard := f.queue("jobs.fifo"), f.queue("jobs")
		tests := map[string]struct {
			in   sqs.SendMessageInput
			code string
		}{
			"no group":                        {sqs.SendMessageInput{QueueUrl: fifo, MessageDeduplicationId: aws.String("a")}, "MissingParameter"},
			"no id and none by content":       {sqs.SendMessageInput{QueueUrl: fifo, MessageGroupId: aws.String("g")}, "InvalidParameterValue"},
			"a delay of its own":              {sqs.SendMessageInput{QueueUrl: fifo, MessageGroupId: aws.String("g"), MessageDeduplicationId: aws.String("a"), DelaySeconds: 1}, "InvalidParameterValue"},
			"a space in the group":            {sqs.SendMessageInput{QueueUrl: fifo, MessageGroupId: aws.String("g h"), MessageDeduplicationId: aws.String("a")}, "InvalidParameterValue"},
			"a deduplication id for standard": {sqs.SendMessageInput{QueueUrl: standard, MessageDeduplicationId: aws.String("a")}, "InvalidParameterValue"},
		}
		for name, tt := range tests {
			tt.in.MessageBody = aws.String("body")
			_, err := f.client.SendMessage(f.Context(), &tt.in)
			if codeOf(err) != tt.code {
				t.Errorf("%s: error %v, want %s", name, err, tt.code)
			}
		}
	})
}
