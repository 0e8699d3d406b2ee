package memsqs

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// The states of a move task. CANCELLING is not among them: cancelling is done at once.
const (
	taskRunning   = "RUNNING"
	taskCompleted = "COMPLETED"
	taskCancelled = "CANCELLED"
	taskFailed    = "FAILED"
)

const (
	maxMoveRate = 500 // messages a second, and the rate when none is asked for
	minMoveStep = 10 * time.Millisecond
)

// moveTask moves the visible messages of a dead-letter queue to where they came from, or to a queue of choice.
type moveTask struct {
	handle      string
	from        *queue // even if its name has passed to another queue
	source      string
	destination string // empty: each message's own source
	asked       *int   // the rate in the request
	rate        int
	startedAt   time.Time
	total       int
	moved       int
	status      string
	reason      string
}

type startMoveInput struct {
	byARN
	DestinationArn               string
	MaxNumberOfMessagesPerSecond *int
}

type startMoveOutput struct{ TaskHandle string }

func (s *Server) startMessageMoveTask(_ context.Context, in *startMoveInput) (*startMoveOutput, error) {
	if err := checkRange(in.MaxNumberOfMessagesPerSecond, "MaxNumberOfMessagesPerSecond", 1, maxMoveRate); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	q, err := s.checkMove(in)
	if err != nil {
		return nil, err
	}
	now := s.now()
	q.advance(now)
	t := &moveTask{
		handle: newID(), from: q, source: in.SourceArn, destination: in.DestinationArn, asked: in.MaxNumberOfMessagesPerSecond,
		rate: maxMoveRate, startedAt: now, total: q.counts[visible], status: taskRunning,
	}
	if t.asked != nil {
		t.rate = *t.asked
	}
	s.tasks = append(s.tasks, t)
	time.AfterFunc(0, func() { s.step(t) })
	return &startMoveOutput{TaskHandle: t.handle}, nil
}

// checkMove returns the queue to move from. The lock is held.
func (s *Server) checkMove(in *startMoveInput) (*queue, error) {
	q, exists := s.byARN(in.SourceArn)
	switch {
	case in.SourceArn == "":
		return nil, missing("SourceArn")
	case !exists:
		return nil, newError("ResourceNotFoundException", "The resource that you specified for the SourceArn parameter doesn't exist.")
	case len(s.sources(q)) == 0:
		return nil, newError("InvalidParameterValue", "Source queue must be configured as a Dead Letter Queue.")
	case slices.ContainsFunc(s.tasks, func(t *moveTask) bool { return t.source == in.SourceArn && t.status == taskRunning }):
		return nil, newError("InvalidParameterValue", "There is already a task running. Only one active task is allowed for a source queue arn at a given time.")
	case in.DestinationArn != "":
		return q, s.checkDestination(q, in)
	}
	return q, nil
}

func (s *Server) checkDestination(q *queue, in *startMoveInput) error {
	target, exists := s.byARN(in.DestinationArn)
	switch {
	case !exists:
		return newError("ResourceNotFoundException", "The resource that you specified for the DestinationArn parameter doesn't exist.")
	case target == q:
		return newError("InvalidParameterValue", "Source queue arn and destination queue arn cannot be the same.")
	case target.fifo != q.fifo:
		return newError("InvalidParameterValue", "Source and destination queues must be of the same type.")
	}
	return nil
}

// step moves what the rate allows until now, and comes back until nothing is left.
func (s *Server) step(t *moveTask) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	due := int(now.Sub(t.startedAt).Seconds()*float64(t.rate)) + 1
	for t.status == taskRunning && t.moved < due {
		s.moveOne(t, now)
	}
	if t.status == taskRunning {
		time.AfterFunc(max(time.Second/time.Duration(t.rate), minMoveStep), func() { s.step(t) })
	}
}

// moveOne moves the next message, or ends the task.
func (s *Server) moveOne(t *moveTask, now time.Time) {
	q := t.from
	if q.deleted {
		t.fail("AWS.SimpleQueueService.NonExistentQueue")
		return
	}
	q.advance(now)
	for m := range q.order.candidates() {
		target, known := s.byARN(cmp.Or(t.destination, m.sourceARN))
		if !known {
			t.fail("CouldNotDetermineMessageSource")
			return
		}
		s.redrive(q, target, m, now)
		t.moved++
		return
	}
	t.status = taskCompleted
}

func (t *moveTask) fail(reason string) { t.status, t.reason = taskFailed, reason }

// redrive moves a message back. To its new queue it is a new message: new id, sent now, never received.
func (s *Server) redrive(q, target *queue, m *message, now time.Time) {
	target.advance(now)
	q.remove(m)
	renewed := &message{content: m.content, id: newID(), sentAt: now, key: s.next()}
	if target.fifo {
		renewed.sequence = s.next()
	}
	target.add(renewed, 0, now)
	target.settle(s, now)
}

type cancelMoveInput struct{ TaskHandle string }

func (*cancelMoveInput) addressee() string { return "" }

type cancelMoveOutput struct {
	Moved int `json:"ApproximateNumberOfMessagesMoved"`
}

func (s *Server) cancelMessageMoveTask(_ context.Context, in *cancelMoveInput) (*cancelMoveOutput, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.tasks, func(t *moveTask) bool { return t.handle == in.TaskHandle })
	switch {
	case i < 0:
		return nil, newError("ResourceNotFoundException", "Task does not exist.")
	case s.tasks[i].status != taskRunning:
		return nil, newError("UnsupportedOperation", "Only active tasks can be cancelled. This one is %s.", s.tasks[i].status)
	}
	s.tasks[i].status = taskCancelled
	return &cancelMoveOutput{Moved: s.tasks[i].moved}, nil
}

type listMovesInput struct {
	byARN
	MaxResults *int
}

type listMovesOutput struct{ Results []taskResult }

type taskResult struct {
	TaskHandle                   string `json:",omitempty"` // of a running task only
	Status                       string
	SourceArn                    string
	DestinationArn               string `json:",omitempty"`
	MaxNumberOfMessagesPerSecond *int   `json:",omitempty"`
	Moved                        int    `json:"ApproximateNumberOfMessagesMoved"`
	ToMove                       int    `json:"ApproximateNumberOfMessagesToMove"`
	FailureReason                string `json:",omitempty"`
	StartedTimestamp             int64
}

func (s *Server) listMessageMoveTasks(_ context.Context, in *listMovesInput) (*listMovesOutput, error) {
	if err := checkRange(in.MaxResults, "MaxResults", 1, 10); err != nil {
		return nil, err
	}
	most := 1
	if in.MaxResults != nil {
		most = *in.MaxResults
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, exists := s.byARN(in.SourceArn); !exists {
		return nil, newError("ResourceNotFoundException", "The resource that you specified for the SourceArn parameter doesn't exist.")
	}
	out := &listMovesOutput{Results: []taskResult{}}
	for _, t := range slices.Backward(s.tasks) {
		if t.source == in.SourceArn && len(out.Results) < most {
			out.Results = append(out.Results, t.result())
		}
	}
	return out, nil
}

func (t *moveTask) result() taskResult {
	r := taskResult{
		Status: t.status, SourceArn: t.source, DestinationArn: t.destination, MaxNumberOfMessagesPerSecond: t.asked,
		Moved: t.moved, ToMove: t.total, FailureReason: t.reason, StartedTimestamp: t.startedAt.UnixMilli(),
	}
	if t.status == taskRunning {
		r.TaskHandle = t.handle
	}
	return r
}
