package worker

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

var errHopeless = HandlerFunc(func(context.Context, Message) error { return Permanent(errors.New("no such report")) })

func TestPermanentFailureGoesToTheDeadLetterQueueAndIsThenDeleted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := new(fakeQueue)
		q.put("x")
		q.messages[0].attribute = map[string]types.MessageAttributeValue{
			"photo": {DataType: aws.String("Binary.png"), BinaryValue: []byte{0, 255}},
		}
		c := testConfig(q)
		c.DLQURL = testDLQ
		r := start(t, c, errHopeless)
		after(time.Second)
		r.end(t)
		if len(q.letters) != 1 || len(q.deleted) != 1 {
			t.Fatalf("%d letters, %d deleted, want one of each", len(q.letters), len(q.deleted))
		}
		letter := q.letters[0]
		if *letter.MessageBody != "x" || string(letter.MessageAttributes["photo"].BinaryValue) != "\x00\xff" {
			t.Errorf("the letter is %v, want body and attributes as they were", letter)
		}
		for name, want := range map[string]string{
			"Rouse-Reason": "no such report", "Rouse-Message-Id": "id-1", "Rouse-Workload": "reports", "Rouse-Receive-Count": "1",
		} {
			if got := aws.ToString(letter.MessageAttributes[name].StringValue); got != want {
				t.Errorf("%s is %q, want %q", name, got, want)
			}
		}
	})
}

func TestMessageIsKeptIfTheDeadLetterQueueRefuses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := new(fakeQueue)
		q.put("x")
		q.onSend = func(*sqs.SendMessageInput) error { return errors.New("no such queue") }
		c := testConfig(q)
		c.DLQURL = testDLQ
		r := start(t, c, errHopeless)
		after(time.Second)
		r.end(t)
		if len(q.deleted) != 0 || len(q.changes) != 1 || q.changes[0].delay < 5*time.Second {
			t.Errorf("%d deleted, changes %v, want an ordinary failure", len(q.deleted), q.changes)
		}
	})
}

func TestLettersStayWithinTheLimitsOfSQS(t *testing.T) {
	rows := []struct {
		name       string
		attributes int
		body       int
		reason     string
		own        int
	}{
		{"room for all", 0, 10, "why", 4},
		{"room for two", 8, 10, "why", 2},
		{"no room: the sender's stay", 10, 10, "why", 0},
		{"the largest body: no room for bytes", 0, maxMessage, "why", 0},
		{"a body that leaves room for the reason", 0, maxMessage - 40, "why", 1},
		{"a reason of any length", 0, 10, strings.Repeat("é", 5000), 4},
		{"a hostile reason", 0, 10, "\x00\x1b[31m\xff\uFFFE", 4},
		{"an empty reason", 0, 10, "", 4},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			m := Message{ID: "m", Body: strings.Repeat("x", row.body), ReceiveCount: 2, Attributes: map[string]Attribute{}}
			for i := range row.attributes {
				m.Attributes["a"+strconv.Itoa(i)] = Attribute{DataType: "String", Text: "v"}
			}
			if row.attributes < 10 {
				m.Attributes["Rouse-Reason"] = Attribute{DataType: "String", Text: "of an earlier failure"}
			}
			letter := (&deadLetters{url: testDLQ, workload: "reports"}).letter(m, row.reason)
			expectLegal(t, letter)
			if got := len(letter.MessageAttributes) - row.attributes; got != row.own {
				t.Errorf("%d of our own attributes, want %d", got, row.own)
			}
		})
	}
}

func expectLegal(t *testing.T, letter *sqs.SendMessageInput) {
	t.Helper()
	size := len(*letter.MessageBody)
	for name, a := range letter.MessageAttributes {
		value := aws.ToString(a.StringValue)
		size += len(name) + len(*a.DataType) + len(value) + len(a.BinaryValue)
		if value == "" || !utf8.ValidString(value) || strings.ContainsAny(value, "\x00\x1b\uFFFE") {
			t.Errorf("%s is %q, which SQS refuses", name, value)
		}
	}
	if size > maxMessage || len(letter.MessageAttributes) > maxAttributes {
		t.Errorf("%d bytes, %d attributes", size, len(letter.MessageAttributes))
	}
}

func TestPartlyFailedDeletesAreTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := new(fakeQueue)
		q.put("a", "b", "c")
		failures := 2
		q.onDelete = func(in *sqs.DeleteMessageBatchInput) (*sqs.DeleteMessageBatchOutput, error) {
			if failures == 0 {
				return nil, nil
			}
			failures--
			out := new(sqs.DeleteMessageBatchOutput)
			for _, e := range in.Entries {
				out.Failed = append(out.Failed, types.BatchResultErrorEntry{Id: e.Id, Code: aws.String("InternalError")})
			}
			return out, nil
		}
		c := testConfig(q)
		c.PoolSize = 10
		r := start(t, c, HandlerFunc(done))
		after(5 * time.Second)
		r.end(t)
		if len(q.deleted) != 3 || q.handed != 3 {
			t.Errorf("%d deleted of %d deliveries, want 3 of 3", len(q.deleted), q.handed)
		}
	})
}
