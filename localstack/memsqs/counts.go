package memsqs

import "time"

// Counts are the numbers of a queue's messages by state, exact at the moment they were read.
type Counts struct {
	Visible  int // ready to be received
	InFlight int // received, neither deleted nor timed out
	Delayed  int // sent, not to be received yet
}

// Counts returns the queue's counts. An unknown name is an *Error with Code QueueDoesNotExist.
func (s *Server) Counts(queueName string) (Counts, error) {
	var c Counts
	err := s.withNamed(queueName, func(q *queue, _ time.Time) error {
		c = Counts{Visible: q.counts[visible], InFlight: q.counts[inFlight], Delayed: q.counts[delayed]}
		return nil
	})
	return c, err
}

// poisonReceives is the number of receives after which CloudWatch no longer counts a message's age.
const poisonReceives = 3

// OldestAge returns for how long the oldest message has been in the queue, and 0 for a queue without messages: what CloudWatch
// shows as ApproximateAgeOfOldestMessage. As there, a dead-lettered message is as old as its move, and on a standard queue
// a message that was received more than three times does not count. An unknown name is an *Error with Code
// QueueDoesNotExist. The cost is linear in the number of messages.
func (s *Server) OldestAge(queueName string) (time.Duration, error) {
	var age time.Duration
	err := s.withNamed(queueName, func(q *queue, now time.Time) error {
		for _, m := range q.messages {
			if q.fifo || m.attempts <= poisonReceives {
				age = max(age, now.Sub(m.enqueuedAt))
			}
		}
		return nil
	})
	return age, err
}
