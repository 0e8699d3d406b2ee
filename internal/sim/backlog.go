package sim

import "time"

// message is a message in the queue or in flight.
type message struct {
	sent    time.Duration
	id      uint32
	attempt uint32 // how often it was received
}

func (m message) before(other message) bool { return m.sent < other.sent }

// backlog holds the visible messages, the oldest first. Those that came in
// order are in a ring; those that came back after a failure are few, and in a heap.
type backlog struct {
	fresh    ring
	returned heap[message]
}

func (b *backlog) len() int { return b.fresh.n + len(b.returned) }

// oldest returns when the oldest visible message was sent.
func (b *backlog) oldest() (sent time.Duration, ok bool) {
	switch {
	case b.len() == 0:
		return 0, false
	case b.returnedFirst():
		return b.returned[0].sent, true
	}
	return b.fresh.first().sent, true
}

func (b *backlog) returnedFirst() bool {
	return len(b.returned) > 0 && (b.fresh.n == 0 || b.returned[0].before(b.fresh.first()))
}

// take removes the oldest message; there must be one.
func (b *backlog) take() message {
	if b.returnedFirst() {
		return b.returned.pop()
	}
	return b.fresh.pop()
}

// ring is a queue in one slice, which grows as needed.
type ring struct {
	slots   []message
	head, n int
}

func (r *ring) first() message { return r.slots[r.head] }

func (r *ring) push(m message) {
	if r.n == len(r.slots) {
		r.grow()
	}
	r.slots[(r.head+r.n)%len(r.slots)] = m
	r.n++
}

func (r *ring) pop() message {
	m := r.slots[r.head]
	r.head = (r.head + 1) % len(r.slots)
	r.n--
	return m
}

func (r *ring) grow() {
	slots := make([]message, max(64, 2*len(r.slots)))
	n := copy(slots, r.slots[r.head:])
	copy(slots[n:], r.slots[:r.head])
	r.slots, r.head = slots, 0
}
