package memsqs_test

import (
	"errors"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/aws/smithy-go"

	"github.com/rousehq/rouse/localstack/memsqs"
)

// fixture is a server and the real SDK client in front of it.
type fixture struct {
	*testing.T
	server *memsqs.Server
	client *sqs.Client
}

// bubble runs f against a server in a synctest bubble.
func bubble(t *testing.T, f func(fixture)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := memsqs.New(memsqs.Options{})
		f(fixture{T: t, server: s, client: s.Client(once)})
	})
}

// overHTTP returns a server behind a real socket, and a client that retries as it does by default: the SDK now and then
// closes a connection whose answer comes before it is done with its request.
func overHTTP(t testing.TB) (*memsqs.Server, *sqs.Client) {
	t.Helper()
	s := memsqs.New(memsqs.Options{Region: "eu-central-1"})
	h := httptest.NewServer(s)
	t.Cleanup(h.Close)
	return s, sqs.New(sqs.Options{
		Region:       "eu-central-1",
		BaseEndpoint: aws.String(h.URL),
		Credentials:  credentials.NewStaticCredentialsProvider("local", "local", ""),
	})
}

// once shows errors to the tests instead of trying again.
func once(o *sqs.Options) { o.RetryMaxAttempts = 1 }

// queue makes a queue with attributes given as name, value, name, value; a name that ends with .fifo makes a FIFO queue.
func (f fixture) queue(name string, attributes ...string) *string {
	f.Helper()
	all := map[string]string{}
	if strings.HasSuffix(name, ".fifo") {
		all["FifoQueue"] = "true"
	}
	for i := 0; i < len(attributes); i += 2 {
		all[attributes[i]] = attributes[i+1]
	}
	out, err := f.client.CreateQueue(f.Context(), &sqs.CreateQueueInput{QueueName: &name, Attributes: all})
	f.must(err)
	return out.QueueUrl
}

// withDLQ makes a queue NAME and its dead-letter queue NAME-dlq, of a type as the suffix says.
func (f fixture) withDLQ(name, suffix, receives string) (source, dlq *string) {
	f.Helper()
	dlq = f.queue(name + "-dlq" + suffix)
	policy := `{"deadLetterTargetArn": "` + arn(name+"-dlq"+suffix) + `", "maxReceiveCount": ` + receives + `}`
	return f.queue(name+suffix, "RedrivePolicy", policy), dlq
}

func arn(name string) string { return "arn:aws:sqs:us-east-1:000000000000:" + name }

func (f fixture) send(queue *string, bodies ...string) {
	f.Helper()
	for _, body := range bodies {
		_, err := f.client.SendMessage(f.Context(), &sqs.SendMessageInput{QueueUrl: queue, MessageBody: &body})
		f.must(err)
	}
}

// sendTo sends bodies to a group of a FIFO queue; the body is the deduplication id, too.
func (f fixture) sendTo(queue *string, group string, bodies ...string) {
	f.Helper()
	for _, body := range bodies {
		_, err := f.client.SendMessage(f.Context(), &sqs.SendMessageInput{
			QueueUrl: queue, MessageBody: &body, MessageGroupId: &group, MessageDeduplicationId: &body,
		})
		f.must(err)
	}
}

// receive takes up to ten messages, waiting as long as asked.
func (f fixture) receive(queue *string, wait time.Duration) []types.Message {
	f.Helper()
	out, err := f.client.ReceiveMessage(f.Context(), &sqs.ReceiveMessageInput{
		QueueUrl: queue, MaxNumberOfMessages: 10, WaitTimeSeconds: int32(wait / time.Second),
		MessageSystemAttributeNames: []types.MessageSystemAttributeName{"All"}, MessageAttributeNames: []string{"All"},
	})
	f.must(err)
	return out.Messages
}

// one takes exactly one message.
func (f fixture) one(queue *string) types.Message {
	f.Helper()
	messages := f.receive(queue, 0)
	if len(messages) != 1 {
		f.Fatalf("received %d messages, want 1", len(messages))
	}
	return messages[0]
}

func (f fixture) delete(queue *string, m types.Message) error {
	_, err := f.client.DeleteMessage(f.Context(), &sqs.DeleteMessageInput{QueueUrl: queue, ReceiptHandle: m.ReceiptHandle})
	return err
}

func (f fixture) change(queue *string, m types.Message, d time.Duration) error {
	_, err := f.client.ChangeMessageVisibility(f.Context(), &sqs.ChangeMessageVisibilityInput{
		QueueUrl: queue, ReceiptHandle: m.ReceiptHandle, VisibilityTimeout: int32(d / time.Second),
	})
	return err
}

// expect compares the counts of the named queue.
func (f fixture) expect(name string, visible, inFlight, delayed int) {
	f.Helper()
	got, err := f.server.Counts(name)
	f.must(err)
	if want := (memsqs.Counts{Visible: visible, InFlight: inFlight, Delayed: delayed}); got != want {
		f.Errorf("%s has %+v, want %+v", name, got, want)
	}
}

func (f fixture) must(err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

// refuses wants an error of the code.
func refuses(t testing.TB, err error, code string) {
	t.Helper()
	if got := codeOf(err); got != code {
		t.Errorf("error code %q (%v), want %q", got, err, code)
	}
}

func codeOf(err error) string {
	var api smithy.APIError
	if errors.As(err, &api) {
		return api.ErrorCode()
	}
	return ""
}

// bodies are the messages' bodies, in order, separated by spaces.
func bodies(messages []types.Message) string {
	all := make([]string, len(messages))
	for i, m := range messages {
		all[i] = *m.Body
	}
	return strings.Join(all, " ")
}
