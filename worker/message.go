package worker

import (
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

// Message is one message of the queue, as a handler sees it. It must not be changed.
type Message struct {
	// ID is SQS's message id. It stays the same over all receives of a message.
	ID string
	// Body is the text that was sent, up to 1 MiB.
	Body string
	// Attributes are the sender's message attributes by name.
	Attributes map[string]Attribute
	// ReceiveCount is how often SQS has delivered the message, this time
	// included. More than 1 means that an earlier attempt may have run.
	ReceiveCount int
	// SentAt is when the message was sent; zero if SQS did not say.
	SentAt time.Time
	// GroupID is the message group on a FIFO queue, else usually empty.
	GroupID string
	// TraceHeader is the AWS X-Ray trace header sent with the message, or empty.
	TraceHeader string
}

// Attribute is the value of one message attribute.
type Attribute struct {
	// DataType is String, Number or Binary, with the sender's suffix if there is one ("Number.int").
	DataType string
	// Text holds the value of a String or Number, Binary that of a Binary.
	Text   string
	Binary []byte
}

// Attribute returns the text of the String or Number attribute of that name, or
// "" if there is none.
func (m Message) Attribute(name string) string { return m.Attributes[name].Text }

// newMessage translates a message of the SDK. SQS always sends what was asked
// for; a stand-in for SQS may not, hence the defaults.
func newMessage(m types.Message) Message {
	return Message{
		ID:           aws.ToString(m.MessageId),
		Body:         aws.ToString(m.Body),
		Attributes:   attributes(m.MessageAttributes),
		ReceiveCount: max(1, int(integer(m.Attributes["ApproximateReceiveCount"]))),
		SentAt:       instant(m.Attributes["SentTimestamp"]),
		GroupID:      m.Attributes["MessageGroupId"],
		TraceHeader:  m.Attributes["AWSTraceHeader"],
	}
}

func attributes(in map[string]types.MessageAttributeValue) map[string]Attribute {
	if len(in) == 0 {
		return nil
	}
	out := make(map[string]Attribute, len(in))
	for name, value := range in {
		out[name] = Attribute{DataType: aws.ToString(value.DataType), Text: aws.ToString(value.StringValue), Binary: value.BinaryValue}
	}
	return out
}

func integer(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// instant reads Unix milliseconds; anything else is the zero time.
func instant(text string) time.Time {
	ms := integer(text)
	if ms <= 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms)
}

// waited returns how long the message had waited when it was received, and
// whether that is known: only a first receive tells, since a later one would
// count the earlier attempts as waiting. A message sent with a delay counts it.
func (m Message) waited(received time.Time) (time.Duration, bool) {
	if m.SentAt.IsZero() || m.ReceiveCount != 1 {
		return 0, false
	}
	return max(0, received.Sub(m.SentAt)), true
}
