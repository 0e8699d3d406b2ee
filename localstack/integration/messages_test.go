//go:build integration

package integration

import (
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"github.com/rousehq/rouse/localstack/rig"
)

// A message that always fails is tried as often as the queue allows, no more,
// and the service goes back to zero.
func poison(b bench) {
	id := b.send(rig.Job{Exit: 1})[0]
	dead := b.dead(60 * time.Second)
	if *dead.MessageId != id {
		b.Errorf("message %s is dead, want %s", *dead.MessageId, id)
	}
	if n := dead.Attributes["ApproximateReceiveCount"]; n != "4" { // three attempts and the receive of this test
		b.Errorf("it was received %s times, want 4", n)
	}
	b.atZero()
}

// Exit code 65 needs no second attempt.
func permanent(b bench) {
	b.send(rig.Job{Exit: 65, Say: "no such report"})
	dead := b.dead(60 * time.Second)
	for name, want := range map[string]string{"Rouse-Reason": "no such report", "Rouse-Workload": b.rig.Name, "Rouse-Receive-Count": "1"} {
		if got := aws.ToString(dead.MessageAttributes[name].StringValue); !strings.Contains(got, want) {
			b.Errorf("%s is %q, want %q in it", name, got, want)
		}
	}
}

// The largest body that the queue takes, and attributes that try to get at the job's
// environment, are a job like any other; a body that the job cannot read is
// dead-lettered with its bytes unchanged.
func hostile(b bench) {
	large := b.sendRaw(`{"work_ms":0,"pad":"`+strings.Repeat("x", b.largestBody()-200)+`"}`, map[string]types.MessageAttributeValue{
		"PATH":       {DataType: aws.String("String"), StringValue: aws.String("/nowhere")},
		"LD_PRELOAD": {DataType: aws.String("Binary"), BinaryValue: []byte{0, 1, 2, 255}},
	})
	if r := b.result(large, 60*time.Second); r.Outcome != "succeeded" {
		b.Errorf("the result is %+v", r)
	}
	const garbage = "\u2028 not JSON $(reboot) `id` '; \n"
	b.sendRaw(garbage, nil)
	if dead := b.dead(60 * time.Second); aws.ToString(dead.Body) != garbage {
		b.Errorf("the dead body is %q", aws.ToString(dead.Body))
	}
}

// largestBody is the queue's limit in bytes: 256 KiB, or 1 MiB where the provider knows that SQS takes it.
func (b bench) largestBody() int {
	b.Helper()
	out, err := b.rig.SQS.GetQueueAttributes(b.Context(), &sqs.GetQueueAttributesInput{
		QueueUrl: &b.rig.Outputs.QueueURL, AttributeNames: []types.QueueAttributeName{types.QueueAttributeNameMaximumMessageSize},
	})
	n, err := strconv.Atoi(must(b, out, err).Attributes["MaximumMessageSize"])
	return must(b, n, err)
}

func (b bench) sendRaw(body string, attributes map[string]types.MessageAttributeValue) string {
	b.Helper()
	out, err := b.rig.SQS.SendMessage(b.Context(), &sqs.SendMessageInput{QueueUrl: &b.rig.Outputs.QueueURL, MessageBody: &body, MessageAttributes: attributes})
	return aws.ToString(must(b, out, err).MessageId)
}

// dead waits for one message in the DLQ, and takes it out.
func (b bench) dead(within time.Duration) types.Message {
	b.Helper()
	var message types.Message
	b.eventually(within, "a message in the DLQ", func() bool {
		out, err := b.rig.SQS.ReceiveMessage(b.Context(), &sqs.ReceiveMessageInput{
			QueueUrl: &b.rig.Outputs.DLQURL, MessageAttributeNames: []string{"All"},
			MessageSystemAttributeNames: []types.MessageSystemAttributeName{types.MessageSystemAttributeNameAll},
		})
		if len(must(b, out, err).Messages) == 0 {
			return false
		}
		message = out.Messages[0]
		return true
	})
	_, err := b.rig.SQS.DeleteMessage(b.Context(), &sqs.DeleteMessageInput{QueueUrl: &b.rig.Outputs.DLQURL, ReceiptHandle: message.ReceiptHandle})
	must(b, 0, err)
	return message
}
