package memsqs_test

import (
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
)

func TestDeadLetterComesWithTheReceiveThatWouldBeOneTooMany(t *testing.T) {
	for _, suffix := range []string{"", ".fifo"} {
		t.Run("jobs"+suffix, func(t *testing.T) {
			bubble(t, func(f fixture) {
				q, dlq := f.withDLQ("jobs", suffix, "2")
				if suffix == "" {
					f.send(q, "poison", "good")
				} else {
					f.sendTo(q, "g", "poison", "good")
				}
				id := f.exhaust(q, 2)
				f.expect("jobs"+suffix, 2, 0, 0)
				f.expect("jobs-dlq"+suffix, 0, 0, 0)

				if got := bodies(f.receive(q, 0)); got != "" {
					t.Errorf("received %q, want nothing", got)
				}
				f.expect("jobs-dlq"+suffix, 2, 0, 0)
				m := f.receive(dlq, 0)[0]
				if *m.MessageId != id || m.Attributes["DeadLetterQueueSourceArn"] != arn("jobs"+suffix) || m.Attributes["ApproximateReceiveCount"] != "3" {
					t.Errorf("dead letter %s with %v", *m.MessageId, m.Attributes)
				}
			})
		})
	}
}

// exhaust receives all messages so many times, gives them back each time, and returns the id of the first.
func (f fixture) exhaust(queue *string, times int) (id string) {
	f.Helper()
	for range times {
		held := f.receive(queue, 0)
		id = *held[0].MessageId
		for _, m := range held {
			f.must(f.change(queue, m, 0))
		}
	}
	return id
}

func TestDeadLetterDoesNotHoldUpTheGoodOnesBehindIt(t *testing.T) {
	for _, suffix := range []string{"", ".fifo"} {
		bubble(t, func(f fixture) {
			q, _ := f.withDLQ("jobs", suffix, "1")
			send := func(body string) { f.send(q, body) }
			if suffix != "" {
				send = func(body string) { f.sendTo(q, "g", body) }
			}
			send("poison")
			f.exhaust(q, 1)
			send("good")
			if got := bodies(f.receive(q, 0)); got != "good" {
				t.Errorf("received %q", got)
			}
			f.expect("jobs-dlq"+suffix, 1, 0, 0)
		})
	}
}

func TestDeadLetterWakesALongPollOnItsQueue(t *testing.T) {
	bubble(t, func(f fixture) {
		q, dlq := f.withDLQ("jobs", "", "1")
		f.send(q, "poison")
		f.exhaust(q, 1)
		done := f.poll(f.Context(), dlq)
		time.Sleep(time.Second)
		f.receive(q, 0)
		f.expectArrival(done, "poison", time.Second)
	})
}

func TestDeadLetterKeepsItsSendTimeForRetentionAndGetsANewAge(t *testing.T) {
	bubble(t, func(f fixture) {
		f.queue("jobs-dlq", "MessageRetentionPeriod", "120")
		q, _ := f.withDLQRetained("jobs")
		f.send(q, "poison")
		time.Sleep(time.Minute)
		f.exhaust(q, 1)
		f.receive(q, 0)
		f.expectAge("jobs-dlq", 0)
		time.Sleep(time.Minute - time.Nanosecond)
		f.expect("jobs-dlq", 1, 0, 0)
		time.Sleep(time.Nanosecond)
		f.expect("jobs-dlq", 0, 0, 0)
	})
}

// withDLQRetained makes a queue for an existing dead-letter queue, with one attempt.
func (f fixture) withDLQRetained(name string) (source, dlq *string) {
	f.Helper()
	return f.queue(name, "RedrivePolicy", redrive(name+"-dlq", "1")), nil
}

func redrive(dlq, receives string) string {
	return `{"deadLetterTargetArn":"` + arn(dlq) + `","maxReceiveCount":` + receives + `}`
}

func TestDeletedDeadLetterQueueLeavesMessagesWhereTheyAre(t *testing.T) {
	bubble(t, func(f fixture) {
		q, dlq := f.withDLQ("jobs", "", "1")
		f.send(q, "a")
		f.exhaust(q, 1)
		_, err := f.client.DeleteQueue(f.Context(), &sqs.DeleteQueueInput{QueueUrl: dlq})
		f.must(err)
		if got := f.one(q).Attributes["ApproximateReceiveCount"]; got != "2" {
			t.Errorf("receive count %s", got)
		}
	})
}

func TestRedrivePoliciesThatAreRefused(t *testing.T) {
	bubble(t, func(f fixture) {
		q := f.queue("jobs")
		f.queue("dlq")
		f.queue("dlq.fifo")
		f.queue("closed", "RedriveAllowPolicy", `{"redrivePermission":"denyAll"}`)
		f.queue("others", "RedriveAllowPolicy", `{"redrivePermission":"byQueue","sourceQueueArns":["`+arn("somebody")+`"]}`)
		f.queue("ours", "RedriveAllowPolicy", `{"redrivePermission":"byQueue","sourceQueueArns":["`+arn("jobs")+`"]}`)
		tests := map[string]struct{ policy, code string }{
			"no such queue":                 {redrive("nobody", "3"), "InvalidParameterValue"},
			"another type":                  {redrive("dlq.fifo", "3"), "InvalidParameterValue"},
			"zero attempts":                 {redrive("dlq", "0"), "InvalidParameterValue"},
			"1001 attempts":                 {redrive("dlq", "1001"), "InvalidParameterValue"},
			"half an attempt":               {redrive("dlq", "1.5"), "InvalidParameterValue"},
			"no attempts given":             {`{"deadLetterTargetArn":"` + arn("dlq") + `"}`, "InvalidParameterValue"},
			"no target given":               {`{"maxReceiveCount":3}`, "InvalidParameterValue"},
			"not JSON":                      {`{`, "InvalidAttributeValue"},
			"the target lets nobody in":     {redrive("closed", "3"), "InvalidParameterValue"},
			"the target lets others in":     {redrive("others", "3"), "InvalidParameterValue"},
			"the target lets this one in":   {redrive("ours", "3"), ""},
			"the target lets everybody in":  {redrive("dlq", "3"), ""},
			"attempts as text":              {redrive("dlq", `"3"`), ""},
			"nothing, which takes it away":  {"", ""},
			"another account's queue's ARN": {`{"deadLetterTargetArn":"arn:aws:sqs:us-east-1:111111111111:dlq","maxReceiveCount":3}`, "InvalidParameterValue"},
		}
		for name, tt := range tests {
			_, err := f.client.SetQueueAttributes(f.Context(), &sqs.SetQueueAttributesInput{QueueUrl: q, Attributes: map[string]string{"RedrivePolicy": tt.policy}})
			if codeOf(err) != tt.code || (err == nil) != (tt.code == "") {
				t.Errorf("%s: error %v, want %q", name, err, tt.code)
			}
		}
	})
}

func TestRedriveAllowPoliciesThatAreRefused(t *testing.T) {
	bubble(t, func(f fixture) {
		q := f.queue("dlq")
		for _, policy := range []string{
			`{}`, `{"redrivePermission":"perhaps"}`, `{"redrivePermission":"byQueue"}`,
			`{"redrivePermission":"denyAll","sourceQueueArns":["` + arn("a") + `"]}`, `{"redrivePermission":1}`,
		} {
			_, err := f.client.SetQueueAttributes(f.Context(), &sqs.SetQueueAttributesInput{QueueUrl: q, Attributes: map[string]string{"RedriveAllowPolicy": policy}})
			if codeOf(err) != "InvalidParameterValue" {
				t.Errorf("%s: error %v", policy, err)
			}
		}
	})
}

func TestListDeadLetterSourceQueues(t *testing.T) {
	bubble(t, func(f fixture) {
		a, dlq := f.withDLQ("jobs", "", "3")
		b := f.queue("alpha", "RedrivePolicy", redrive("jobs-dlq", "5"))
		f.queue("unrelated")
		out, err := f.client.ListDeadLetterSourceQueues(f.Context(), &sqs.ListDeadLetterSourceQueuesInput{QueueUrl: dlq})
		f.must(err)
		if !slices.Equal(out.QueueUrls, []string{*b, *a}) {
			t.Errorf("sources %v", out.QueueUrls)
		}
	})
}
