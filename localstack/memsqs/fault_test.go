package memsqs_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"github.com/rousehq/rouse/localstack/memsqs"
)

// always answers every call of op with the fault.
func always(op string, fault memsqs.Fault) func(string, string) *memsqs.Fault {
	return func(got, _ string) *memsqs.Fault {
		if got != op {
			return nil
		}
		return &fault
	}
}

func TestFaultsHideTheOperationOrItsAnswer(t *testing.T) {
	tests := map[string]struct {
		fault  memsqs.Fault
		code   string
		reset  bool
		stored int
	}{
		"throttled":                {fault: memsqs.Fault{Err: memsqs.Throttled()}, code: "RequestThrottled"},
		"unavailable":              {fault: memsqs.Fault{Err: memsqs.Unavailable()}, code: "ServiceUnavailable"},
		"unavailable after all":    {fault: memsqs.Fault{Err: memsqs.Unavailable(), After: true}, code: "ServiceUnavailable", stored: 1},
		"connection reset":         {fault: memsqs.Fault{Reset: true}, reset: true},
		"answer lost":              {fault: memsqs.Fault{Reset: true, After: true}, reset: true, stored: 1},
		"another error altogether": {fault: memsqs.Fault{Err: &memsqs.Error{Status: 403, Code: "AccessDenied", Message: "no"}}, code: "AccessDenied"},
		"nothing":                  {stored: 1},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(f fixture) {
				q := f.queue("jobs")
				f.server.SetFault(always("SendMessage", tt.fault))
				_, err := f.client.SendMessage(f.Context(), &sqs.SendMessageInput{QueueUrl: q, MessageBody: aws.String("a")})
				if codeOf(err) != tt.code || errors.Is(err, syscall.ECONNRESET) != tt.reset {
					t.Errorf("error %v", err)
				}
				f.expect("jobs", tt.stored, 0, 0)
				f.server.SetFault(nil)
				f.send(q, "b")
			})
		})
	}
}

func TestResetOverARealSocketIsAnErrorThatTheSDKRetries(t *testing.T) {
	s, client := overHTTP(t)
	var calls sync.Map
	s.SetFault(func(op, _ string) *memsqs.Fault {
		if _, again := calls.LoadOrStore(op, true); again {
			return nil
		}
		return &memsqs.Fault{Reset: true}
	})
	retry := func(o *sqs.Options) { o.RetryMaxAttempts = 2 }
	if _, err := client.CreateQueue(t.Context(), &sqs.CreateQueueInput{QueueName: aws.String("jobs")}, retry); err != nil {
		t.Error(err)
	}
}

func TestDelayFaultEndsWithTheClient(t *testing.T) {
	bubble(t, func(f fixture) {
		q := f.queue("jobs")
		f.server.SetFault(always("SendMessage", memsqs.Fault{Delay: 10 * time.Second}))
		start := time.Now()
		f.send(q, "a")
		if got := time.Since(start); got != 10*time.Second {
			t.Errorf("answered after %v", got)
		}
		ctx, cancel := context.WithTimeout(f.Context(), 3*time.Second)
		defer cancel()
		_, err := f.client.SendMessage(ctx, &sqs.SendMessageInput{QueueUrl: q, MessageBody: aws.String("b")})
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 13*time.Second {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
		f.expect("jobs", 1, 0, 0)
	})
}

func TestFaultOfSingleEntries(t *testing.T) {
	bubble(t, func(f fixture) {
		q := f.queue("jobs")
		f.server.SetFault(always("SendMessageBatch", memsqs.Fault{Entry: func(id string) *memsqs.Error {
			if id == "b" {
				return memsqs.Unavailable()
			}
			return nil
		}}))
		out, err := f.client.SendMessageBatch(f.Context(), &sqs.SendMessageBatchInput{QueueUrl: q, Entries: entriesOf("a", "x", "b", "y", "c", "z")})
		f.must(err)
		if len(out.Successful) != 2 || len(out.Failed) != 1 || *out.Failed[0].Id != "b" || out.Failed[0].SenderFault {
			t.Errorf("succeeded %v, failed %v", out.Successful, out.Failed)
		}
		f.expect("jobs", 2, 0, 0)
	})
}

func TestObserverSeesEveryCallWithItsQueue(t *testing.T) {
	bubble(t, func(f fixture) {
		var calls []string
		f.server.SetOnCall(func(op, queue string) { calls = append(calls, op+" "+queue) })
		q := f.queue("jobs")
		f.server.SetFault(always("SendMessage", memsqs.Fault{Err: memsqs.Throttled()}))
		_, err := f.client.SendMessage(f.Context(), &sqs.SendMessageInput{QueueUrl: q, MessageBody: aws.String("a")})
		refuses(t, err, "RequestThrottled")
		f.receive(q, 0)
		_, err = f.client.ListQueues(f.Context(), &sqs.ListQueuesInput{})
		f.must(err)
		_, err = f.startMove(0, nil)
		refuses(t, err, "ResourceNotFoundException")
		want := []string{"CreateQueue jobs", "SendMessage jobs", "ReceiveMessage jobs", "ListQueues ", "StartMessageMoveTask jobs-dlq"}
		if !slices.Equal(calls, want) {
			t.Errorf("calls %q", calls)
		}
		f.server.SetOnCall(nil)
		f.receive(q, 0)
		if len(calls) != len(want) {
			t.Errorf("told of %q after the end", calls[len(want):])
		}
	})
}
