package memsqs

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"time"
)

type setAttributesInput struct {
	byURL
	Attributes map[string]string
}

func (s *Server) setQueueAttributes(_ context.Context, in *setAttributesInput) (*empty, error) {
	return &empty{}, s.withQueue(in.QueueURL, func(q *queue, now time.Time) error {
		if value, given := in.Attributes["FifoQueue"]; given && value != q.attributes["FifoQueue"] {
			return newError("InvalidAttributeName", "FifoQueue: %q, a queue's type cannot change.", value)
		}
		if err := checkAttributes(in.Attributes, q.fifo); err != nil {
			return err
		}
		if err := s.configure(q, merge(q.attributes, in.Attributes)); err != nil {
			return err
		}
		q.modifiedAt = now
		return nil
	})
}

// configure gives the queue its attributes, all of them or none.
func (s *Server) configure(q *queue, attributes map[string]string) error {
	wanted, err := readSettings(attributes)
	if err != nil {
		return err
	}
	if err := s.checkRedrive(q.name, wanted, attributes["RedrivePolicy"]); err != nil {
		return err
	}
	before := q.settings
	q.settings, q.attributes = wanted, attributes
	if before.retention != q.retention || before.delay != q.delay {
		q.replan()
		q.advance(s.now())
	}
	return nil
}

// replan applies changed settings to the messages that are there: the retention on every queue, the delay on FIFO
// queues only.
func (q *queue) replan() {
	for _, m := range q.messages {
		if q.fifo && m.state == delayed {
			m.visibleAt = m.enqueuedAt.Add(q.delay)
		}
		q.reschedule(m)
	}
}

type getAttributesInput struct {
	byURL
	AttributeNames []string
}

type getAttributesOutput struct {
	Attributes map[string]string `json:",omitempty"`
}

// getQueueAttributes answers the wanted attributes as far as the queue has them.
func (s *Server) getQueueAttributes(_ context.Context, in *getAttributesInput) (*getAttributesOutput, error) {
	out := &getAttributesOutput{}
	return out, s.withQueue(in.QueueURL, func(q *queue, _ time.Time) error {
		all := s.describe(q)
		for _, name := range in.AttributeNames {
			if _, ok := all[name]; !ok && name != "All" && attributes[name].valid == nil {
				return newError("InvalidAttributeName", "Unknown Attribute %s.", name)
			}
		}
		if !slices.Contains(in.AttributeNames, "All") {
			maps.DeleteFunc(all, func(name, _ string) bool { return !slices.Contains(in.AttributeNames, name) })
		}
		out.Attributes = all
		return nil
	})
}

// describe returns all attributes, the computed ones included.
func (s *Server) describe(q *queue) map[string]string {
	all := maps.Clone(q.attributes)
	all["QueueArn"] = s.arn(q.name)
	all["CreatedTimestamp"] = strconv.FormatInt(q.createdAt.Unix(), 10)
	all["LastModifiedTimestamp"] = strconv.FormatInt(q.modifiedAt.Unix(), 10)
	all["ApproximateNumberOfMessages"] = strconv.Itoa(q.counts[visible])
	all["ApproximateNumberOfMessagesNotVisible"] = strconv.Itoa(q.counts[inFlight])
	all["ApproximateNumberOfMessagesDelayed"] = strconv.Itoa(q.counts[delayed])
	return all
}
