package memsqs

import (
	"iter"
	"time"
)

// order decides which message is received next. It is told of every message that enters, changes or leaves.
type order interface {
	add(m *message)
	changed(m *message, from state)
	remove(m *message)
	// candidates yields receivable messages in the order to hand them out. The queue must not change meanwhile.
	candidates() iter.Seq[*message]
	// any says whether candidates would yield something.
	any() bool
}

// queue is one queue. All of it belongs to the server's mutex.
type queue struct {
	settings
	name       string
	number     uint64 // tells apart queues that had the same name one after the other
	attributes map[string]string
	tags       map[string]string
	createdAt  time.Time
	modifiedAt time.Time
	purgedAt   time.Time

	messages map[uint64]*message
	order    order
	schedule schedule
	counts   [stateCount]int
	dedup    deduplication

	waiters []*waiter
	timer   *time.Timer
	deleted bool
}

func newQueue(name string, number uint64, now time.Time) *queue {
	return &queue{
		name: name, number: number, attributes: map[string]string{}, tags: map[string]string{},
		createdAt: now, modifiedAt: now, messages: map[uint64]*message{}, order: newArrivals(),
		dedup: deduplication{},
	}
}

// add puts a message into the queue, visible after the delay.
func (q *queue) add(m *message, delay time.Duration, now time.Time) {
	m.enqueuedAt, m.visibleAt, m.attempts, m.slot = now, now.Add(delay), 0, -1
	m.state = visible
	if delay > 0 {
		m.state = delayed
	}
	q.messages[m.key] = m
	q.counts[m.state]++
	q.order.add(m)
	q.reschedule(m)
}

// remove takes a message out of the queue for good.
func (q *queue) remove(m *message) {
	delete(q.messages, m.key)
	q.counts[m.state]--
	q.order.remove(m)
	q.schedule.drop(m)
}

// move changes a message's state.
func (q *queue) move(m *message, to state) {
	from := m.state
	m.state = to
	q.counts[from]--
	q.counts[to]++
	q.order.changed(m, from)
	q.reschedule(m)
}

// hide makes a message invisible until the given time.
func (q *queue) hide(m *message, until time.Time) {
	m.visibleAt = until
	q.move(m, inFlight)
}

// reschedule enters when the message changes next by itself.
func (q *queue) reschedule(m *message) {
	due := q.expiry(m)
	if m.state != visible && m.visibleAt.Before(due) {
		due = m.visibleAt
	}
	q.schedule.set(m, due)
}

// advance brings the queue up to the present.
func (q *queue) advance(now time.Time) {
	for m := q.schedule.overdue(now); m != nil; m = q.schedule.overdue(now) {
		if !q.expiry(m).After(now) {
			q.remove(m)
			continue
		}
		q.move(m, visible)
	}
}

// clear forgets every message.
func (q *queue) clear() {
	for _, m := range q.messages {
		q.remove(m)
	}
}

// receivable says whether a receive would find something.
func (q *queue) receivable() bool {
	return q.order.any() && q.counts[inFlight] < maxInFlight
}
