package memsqs

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"
)

type receiveInput struct {
	byURL
	MaxNumberOfMessages         *int
	VisibilityTimeout           *int
	WaitTimeSeconds             *int
	AttributeNames              []string // the former name of MessageSystemAttributeNames
	MessageSystemAttributeNames []string
	MessageAttributeNames       []string
}

func (in *receiveInput) check() error {
	return cmp.Or(
		checkRange(in.MaxNumberOfMessages, "MaxNumberOfMessages", 1, maxBatch),
		checkRange(in.VisibilityTimeout, "VisibilityTimeout", 0, int(maxVisibility/time.Second)),
		checkRange(in.WaitTimeSeconds, "WaitTimeSeconds", 0, maxWaitSeconds),
	)
}

func checkRange(value *int, parameter string, low, high int) error {
	if value == nil || *value >= low && *value <= high {
		return nil
	}
	return invalidValue(*value, parameter, "Must be between "+strconv.Itoa(low)+" and "+strconv.Itoa(high)+", if provided.")
}

// most is how many messages are wanted.
func (in *receiveInput) most() int {
	if in.MaxNumberOfMessages == nil {
		return 1
	}
	return *in.MaxNumberOfMessages
}

// secondsOr is a duration given in seconds, or what the queue says in its absence.
func secondsOr(given *int, otherwise time.Duration) time.Duration {
	if given == nil {
		return otherwise
	}
	return time.Duration(*given) * time.Second
}

// delivery is a message as it was when it was received.
type delivery struct {
	message
	handle string
}

// poll is one receive, short or long, until it has messages or gives up.
type poll struct {
	in     *receiveInput
	queue  *queue
	taken  []delivery
	until  time.Time // zero before the first try
	left   time.Duration
	waiter *waiter // nil once the poll is over
}

// receive takes messages from the queue, waiting for the first one as long as the call or the queue says. When the
// client leaves while it waits, nothing is taken.
func (s *Server) receive(ctx context.Context, in *receiveInput) (*poll, error) {
	p := &poll{in: in}
	for {
		if err := s.try(p); err != nil || p.waiter == nil {
			return p, err
		}
		if err := p.waiter.await(ctx, p.left); err != nil {
			s.revisit(p.queue, p.waiter)
			return nil, err
		}
	}
}

// try takes messages if there are any, and otherwise joins the line if there is time left.
func (s *Server) try(p *poll) error {
	return s.withQueue(p.in.QueueURL, func(q *queue, now time.Time) error {
		q.dismiss(p.waiter)
		p.queue, p.waiter = q, nil
		wait := secondsOr(p.in.WaitTimeSeconds, q.wait)
		if p.until.IsZero() {
			p.until = now.Add(wait)
		}
		if wait == 0 && !q.fifo && q.counts[inFlight] >= maxInFlight {
			return newError("OverLimit", "Too many messages in flight: %d, allowed 0..%d.", q.counts[inFlight], maxInFlight)
		}
		p.taken = s.take(q, p.in, now)
		if p.left = p.until.Sub(now); p.left > 0 && len(p.taken) == 0 {
			p.waiter = q.enlist()
		}
		return nil
	})
}

// take puts the next messages in flight. Those that have used up their attempts go to the dead-letter queue instead.
func (s *Server) take(q *queue, in *receiveInput, now time.Time) []delivery {
	room := min(in.most(), maxInFlight-q.counts[inFlight])
	var chosen, spent []*message
	for m := range q.order.candidates() {
		if len(chosen) >= room {
			break
		}
		if _, over := s.exhausted(q, m); over {
			spent = append(spent, m)
			continue
		}
		chosen = append(chosen, m)
	}
	for _, m := range spent {
		target, _ := s.exhausted(q, m)
		s.deadLetter(q, target, m, now)
	}
	deliveries := make([]delivery, 0, len(chosen))
	for _, m := range chosen {
		deliveries = append(deliveries, s.lend(q, m, secondsOr(in.VisibilityTimeout, q.visibility), now))
	}
	return deliveries
}

// lend puts one message in flight.
func (s *Server) lend(q *queue, m *message, visibility time.Duration, now time.Time) delivery {
	m.receipt = s.next()
	m.receives++
	m.attempts++
	m.receivedAt = now
	if m.firstAt.IsZero() {
		m.firstAt = now
	}
	q.hide(m, now.Add(visibility))
	return delivery{message: *m, handle: s.handle(receipt{queue: q.number, message: m.key, serial: m.receipt})}
}

// receiveOutput is a receive's answer, and what it takes to undo it.
type receiveOutput struct {
	Messages []received `json:",omitempty"`
	poll     *poll
}

// received is one message of the answer.
type received struct {
	MessageID              string `json:"MessageId"`
	ReceiptHandle          string
	Body                   string
	MD5OfBody              string
	Attributes             map[string]string         `json:",omitempty"`
	MessageAttributes      map[string]attributeValue `json:",omitempty"`
	MD5OfMessageAttributes string                    `json:",omitempty"`
}

func (s *Server) receiveMessage(ctx context.Context, in *receiveInput) (*receiveOutput, error) {
	if err := cmp.Or(in.check(), ctx.Err()); err != nil {
		return nil, err
	}
	p, err := s.receive(ctx, in)
	if err != nil {
		return nil, err
	}
	out := &receiveOutput{poll: p}
	for i := range p.taken {
		out.Messages = append(out.Messages, p.taken[i].render(in))
	}
	return out, nil
}

// giveBack undoes a receive whose answer did not reach its client; other outputs are none of its business.
func (s *Server) giveBack(out any) {
	r, ok := out.(*receiveOutput)
	if !ok || len(r.Messages) == 0 {
		return
	}
	s.mu.Lock()
	for i := range r.poll.taken {
		r.poll.queue.unlend(&r.poll.taken[i])
	}
	s.mu.Unlock()
	s.revisit(r.poll.queue, nil)
}

// unlend makes the message visible as if this receive had not been, unless more has happened to it since.
func (q *queue) unlend(d *delivery) {
	m, exists := q.messages[d.key]
	if !exists || m.receipt != d.receipt || m.state != inFlight {
		return
	}
	m.receives--
	m.attempts--
	if m.receives == 0 {
		m.firstAt = time.Time{}
	}
	q.move(m, visible)
}

// render shows the message with the attributes that the receiver asked for.
func (d *delivery) render(in *receiveInput) received {
	chosen := selectAttributes(d.attributes, in.MessageAttributeNames)
	return received{
		MessageID: d.id, ReceiptHandle: d.handle, Body: d.body, MD5OfBody: d.bodyChecksum,
		Attributes:        d.systemAttributes(slices.Concat(in.AttributeNames, in.MessageSystemAttributeNames)),
		MessageAttributes: chosen, MD5OfMessageAttributes: attributesChecksum(chosen),
	}
}
