package worker

import (
	"context"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

const (
	maxReason     = 1024            // bytes of a reason that are kept
	maxAttributes = 10              // SQS's limit on a message's attributes
	maxMessage    = 1024 * 1024     // SQS's limit on body and attributes together
	ownPrefix     = "Rouse-"        // of the attributes that say why
	shortest      = len("a reason") // a reason cut to less says nothing
)

type sender interface {
	SendMessage(context.Context, *sqs.SendMessageInput, ...func(*sqs.Options)) (*sqs.SendMessageOutput, error)
}

// deadLetters moves messages that can never succeed to the dead-letter queue: the
// body and the attributes as they were sent, and our own, which say why:
//
//	Rouse-Reason         the handler's error, at most 1 KiB
//	Rouse-Message-Id     the id in the source queue
//	Rouse-Workload       the workload
//	Rouse-Receive-Count  on which receive it failed
//
// The sender's attributes are never dropped, since a redriven message needs them.
// Of ours as many are added, in this order, as SQS's limits of ten attributes and
// 1 MiB leave room for; the log and the result have the reason in any case.
type deadLetters struct {
	api      sender
	url      string
	workload string
}

func (q *deadLetters) send(ctx context.Context, d *delivery, reason string) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	_, err := q.api.SendMessage(ctx, q.letter(d.Message, reason))
	if err != nil {
		return fmt.Errorf("send to dead-letter queue: %w", err)
	}
	return nil
}

func (q *deadLetters) letter(m Message, reason string) *sqs.SendMessageInput {
	in := &sqs.SendMessageInput{QueueUrl: &q.url, MessageBody: &m.Body, MessageAttributes: q.attributes(m, reason)}
	if m.TraceHeader != "" {
		in.MessageSystemAttributes = map[string]types.MessageSystemAttributeValue{
			"AWSTraceHeader": {DataType: aws.String("String"), StringValue: &m.TraceHeader},
		}
	}
	if strings.HasSuffix(q.url, ".fifo") {
		in.MessageGroupId = aws.String(m.GroupID)
		in.MessageDeduplicationId = aws.String(m.ID)
	}
	return in
}

func (q *deadLetters) attributes(m Message, reason string) map[string]types.MessageAttributeValue {
	all := make(map[string]types.MessageAttributeValue, maxAttributes)
	size := len(m.Body)
	for name, a := range m.Attributes {
		if !strings.HasPrefix(name, ownPrefix) { // left of an earlier failure
			all[name] = attributeValue(a)
			size += len(name) + len(a.DataType) + len(a.Text) + len(a.Binary)
		}
	}
	maps.Copy(all, q.reasons(m, reason, maxAttributes-len(all), maxMessage-size))
	return all
}

// reasons returns our own attributes as far as there is room for count of them
// and for so many bytes.
func (q *deadLetters) reasons(m Message, reason string, count, bytes int) map[string]types.MessageAttributeValue {
	own := make(map[string]types.MessageAttributeValue, 4)
	for _, a := range []struct{ name, kind, text string }{
		{ownPrefix + "Reason", "String", sanitise(reason)},
		{ownPrefix + "Message-Id", "String", m.ID},
		{ownPrefix + "Workload", "String", q.workload},
		{ownPrefix + "Receive-Count", "Number", strconv.Itoa(m.ReceiveCount)},
	} {
		room := bytes - len(a.name) - len(a.kind)
		if len(own) == count || room < min(len(a.text), shortest) {
			break
		}
		text := truncate(a.text, min(room, maxReason))
		own[a.name] = types.MessageAttributeValue{DataType: aws.String(a.kind), StringValue: aws.String(text)}
		bytes = room - len(text)
	}
	return own
}

func attributeValue(a Attribute) types.MessageAttributeValue {
	value := types.MessageAttributeValue{DataType: aws.String(a.DataType)}
	if strings.HasPrefix(a.DataType, "Binary") {
		value.BinaryValue = a.Binary
	} else {
		value.StringValue = aws.String(a.Text)
	}
	return value
}

// sanitise makes text of any origin fit for an attribute: SQS takes no control
// characters, no broken UTF-8 and no empty value.
func sanitise(text string) string {
	clean := strings.Map(func(r rune) rune {
		if r < ' ' || r == 0xFFFE || r == 0xFFFF {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	if strings.TrimSpace(clean) == "" {
		return "unknown"
	}
	return clean
}

// truncate cuts text to at most n bytes without breaking a character.
func truncate(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}
