package memsqs

import (
	"cmp"
	"context"
	"fmt"
	"time"
)

// maxIdentifier bounds message group ids and deduplication ids.
const maxIdentifier = 128

// outgoing is a message as its sender gives it.
type outgoing struct {
	MessageBody             string
	DelaySeconds            *int
	MessageAttributes       map[string]attributeValue
	MessageSystemAttributes map[string]attributeValue
	MessageGroupID          string `json:"MessageGroupId"`
	MessageDeduplicationID  string `json:"MessageDeduplicationId"`
}

// content reads what is sent, and computes its checksums.
func (o *outgoing) content() content {
	return content{
		body: o.MessageBody, bodyChecksum: bodyChecksum(o.MessageBody),
		attributes: o.MessageAttributes, attributesChecksum: attributesChecksum(o.MessageAttributes),
		system: o.MessageSystemAttributes, group: o.MessageGroupID, deduplication: o.MessageDeduplicationID,
	}
}

// check checks what does not depend on the queue.
func (o *outgoing) check() error {
	if o.MessageBody == "" {
		return missing("MessageBody")
	}
	if o.DelaySeconds != nil && (*o.DelaySeconds < 0 || *o.DelaySeconds > maxDelaySeconds) {
		return invalidValue(*o.DelaySeconds, "DelaySeconds", "DelaySeconds must be >= 0 and <= 900.")
	}
	return cmp.Or(
		checkCharacters(o.MessageBody),
		checkMessageAttributes(o.MessageAttributes),
		checkSystemAttributes(o.MessageSystemAttributes),
		checkIdentifier(o.MessageGroupID, "MessageGroupId"),
		checkIdentifier(o.MessageDeduplicationID, "MessageDeduplicationId"),
	)
}

// checkIdentifier admits up to 128 printable ASCII characters without spaces.
func checkIdentifier(id, parameter string) error {
	bad := len(id) > maxIdentifier
	for _, r := range id {
		bad = bad || r <= ' ' || r > '~'
	}
	if bad {
		return invalidValue(id, parameter, "Can only include alphanumeric and punctuation characters. 1 to 128 in length.")
	}
	return nil
}

// receivedSend is the answer to one message sent.
type receivedSend struct {
	MessageID                    string `json:"MessageId"`
	MD5OfMessageBody             string
	MD5OfMessageAttributes       string `json:",omitempty"`
	MD5OfMessageSystemAttributes string `json:",omitempty"`
	SequenceNumber               string `json:",omitempty"`
}

type sendInput struct {
	byURL
	outgoing
}

func (s *Server) sendMessage(_ context.Context, in *sendInput) (*receivedSend, error) {
	parcel := in.content()
	var out *receivedSend
	err := s.withQueue(in.QueueURL, func(q *queue, now time.Time) (err error) {
		out, err = s.accept(q, &in.outgoing, parcel, now)
		return err
	})
	return out, err
}

// accept checks a message against the queue and puts it in, unless a FIFO queue has seen it already.
func (s *Server) accept(q *queue, o *outgoing, c content, now time.Time) (*receivedSend, error) {
	if err := cmp.Or(o.check(), q.admits(o, &c)); err != nil {
		return nil, err
	}
	known := sent{id: newID(), at: now}
	if q.fifo {
		key, err := q.dedupKey(&c)
		if err != nil {
			return nil, err
		}
		if first, repeated := q.dedup.find(key, now); repeated {
			return c.acknowledge(first), nil
		}
		c.deduplication, known.sequence = key.id, s.next()
		q.dedup.remember(key, known)
	}
	m := &message{content: c, id: known.id, sequence: known.sequence, sentAt: now, key: s.next()}
	q.add(m, q.delayOf(o), now)
	return c.acknowledge(known), nil
}

// admits checks what depends on the queue.
func (q *queue) admits(o *outgoing, c *content) error {
	switch {
	case c.size() > q.maxBytes:
		return newError("InvalidParameterValue", "One or more parameters are invalid. Reason: Message must be shorter than %d bytes.", q.maxBytes)
	case q.fifo && o.MessageGroupID == "":
		return missing("MessageGroupId")
	case q.fifo && o.DelaySeconds != nil && *o.DelaySeconds > 0:
		return invalidValue(*o.DelaySeconds, "DelaySeconds", "The request include parameter that is not valid for this queue type.")
	case !q.fifo && o.MessageDeduplicationID != "":
		return invalidValue(o.MessageDeduplicationID, "MessageDeduplicationId", "The request include parameter that is not valid for this queue type.")
	}
	return nil
}

// delayOf is the message's own delay if it has one, otherwise the queue's.
func (q *queue) delayOf(o *outgoing) time.Duration {
	if o.DelaySeconds == nil || q.fifo {
		return q.delay
	}
	return time.Duration(*o.DelaySeconds) * time.Second
}

func (c *content) acknowledge(s sent) *receivedSend {
	return &receivedSend{
		MessageID: s.id, MD5OfMessageBody: c.bodyChecksum, MD5OfMessageAttributes: c.attributesChecksum,
		MD5OfMessageSystemAttributes: attributesChecksum(c.system), SequenceNumber: sequenceNumber(s.sequence),
	}
}

// sequenceNumber renders a FIFO sequence number in twenty digits, so that their texts sort as they do.
func sequenceNumber(n uint64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%020d", n)
}

type sendBatchInput struct {
	byURL
	Entries []sendEntry
}

type sendEntry struct {
	entryID
	outgoing
	parcel content
}

type sentEntry struct {
	entryID
	*receivedSend
}

func (s *Server) sendMessageBatch(ctx context.Context, in *sendBatchInput) (*batchOutput[sentEntry], error) {
	if err := checkBatch(in.Entries); err != nil {
		return nil, err
	}
	if err := in.pack(); err != nil {
		return nil, err
	}
	var out *batchOutput[sentEntry]
	err := s.withQueue(in.QueueURL, func(q *queue, now time.Time) error {
		out = each(ctx, in.Entries, func(e sendEntry) (sentEntry, error) {
			ack, err := s.accept(q, &e.outgoing, e.parcel, now)
			return sentEntry{e.entryID, ack}, err
		})
		return nil
	})
	return out, err
}

// pack prepares all entries, so that no checksum is computed under the lock, and checks their size together.
func (in *sendBatchInput) pack() error {
	total := 0
	for i := range in.Entries {
		e := &in.Entries[i]
		e.parcel = e.content()
		total += e.parcel.size()
	}
	if total > maxMessageBytes {
		return newError("BatchRequestTooLong", "Batch requests cannot be longer than %d bytes. You have sent %d bytes.", maxMessageBytes, total)
	}
	return nil
}
