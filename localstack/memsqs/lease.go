package memsqs

import (
	"context"
	"strconv"
	"time"
)

// held returns the message that a receipt handle stands for, nil if it is gone, and whether this is still its last
// receive.
func (s *Server) held(q *queue, handle string) (m *message, current bool, err error) {
	r, err := s.parseHandle(q, handle)
	if err != nil {
		return nil, false, err
	}
	m = q.messages[r.message]
	return m, m != nil && m.receipt == r.serial, nil
}

type deleteInput struct {
	byURL
	ReceiptHandle string
}

func (s *Server) deleteMessage(_ context.Context, in *deleteInput) (*empty, error) {
	return &empty{}, s.withQueue(in.QueueURL, func(q *queue, _ time.Time) error {
		return s.delete(q, in.ReceiptHandle)
	})
}

// delete removes the message. An old handle deletes nothing, which a standard queue does not tell.
func (s *Server) delete(q *queue, handle string) error {
	m, current, err := s.held(q, handle)
	if err != nil || m == nil {
		return err
	}
	if q.fifo && (!current || m.state != inFlight) {
		return invalidValue(handle, "ReceiptHandle", "The receipt handle has expired.")
	}
	if current {
		q.remove(m)
	}
	return nil
}

type deleteEntry struct {
	entryID
	ReceiptHandle string
}

type deleteBatchInput struct {
	byURL
	Entries []deleteEntry
}

func (s *Server) deleteMessageBatch(ctx context.Context, in *deleteBatchInput) (*batchOutput[entryID], error) {
	if err := checkBatch(in.Entries); err != nil {
		return nil, err
	}
	var out *batchOutput[entryID]
	err := s.withQueue(in.QueueURL, func(q *queue, _ time.Time) error {
		out = each(ctx, in.Entries, func(e deleteEntry) (entryID, error) {
			return e.entryID, s.delete(q, e.ReceiptHandle)
		})
		return nil
	})
	return out, err
}

// extension asks for a new visibility timeout, counted from now.
type extension struct {
	ReceiptHandle     string
	VisibilityTimeout *int
}

type changeInput struct {
	byURL
	extension
}

func (s *Server) changeMessageVisibility(_ context.Context, in *changeInput) (*empty, error) {
	return &empty{}, s.withQueue(in.QueueURL, func(q *queue, now time.Time) error {
		return s.extend(q, in.extension, now)
	})
}

// extend changes for how long the message stays in flight; 0 makes it visible at once.
func (s *Server) extend(q *queue, e extension, now time.Time) error {
	if e.VisibilityTimeout == nil {
		return missing("VisibilityTimeout")
	}
	if err := checkRange(e.VisibilityTimeout, "VisibilityTimeout", 0, int(maxVisibility/time.Second)); err != nil {
		return err
	}
	m, current, err := s.held(q, e.ReceiptHandle)
	until := now.Add(secondsOr(e.VisibilityTimeout, 0))
	switch {
	case err != nil:
		return err
	case !current:
		return invalidValue(e.ReceiptHandle, "ReceiptHandle", "Message does not exist or is not available for visibility timeout change.")
	case m.state != inFlight:
		return newError("MessageNotInflight", "The specified message isn't in flight.")
	case until.Sub(m.receivedAt) > maxVisibility:
		return invalidValue(*e.VisibilityTimeout, "VisibilityTimeout",
			"Total VisibilityTimeout for the message is beyond the limit ["+strconv.Itoa(int(maxVisibility/time.Second))+" seconds]")
	}
	q.hide(m, until)
	q.advance(now)
	return nil
}

type changeEntry struct {
	entryID
	extension
}

type changeBatchInput struct {
	byURL
	Entries []changeEntry
}

func (s *Server) changeMessageVisibilityBatch(ctx context.Context, in *changeBatchInput) (*batchOutput[entryID], error) {
	if err := checkBatch(in.Entries); err != nil {
		return nil, err
	}
	var out *batchOutput[entryID]
	err := s.withQueue(in.QueueURL, func(q *queue, now time.Time) error {
		out = each(ctx, in.Entries, func(e changeEntry) (entryID, error) {
			return e.entryID, s.extend(q, e.extension, now)
		})
		return nil
	})
	return out, err
}
