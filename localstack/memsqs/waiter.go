package memsqs

import (
	"context"
	"slices"
	"time"
)

// waiter is one long poll that waits for a message.
type waiter struct{ wake chan struct{} }

// enlist puts a long poll at the end of the queue's line.
func (q *queue) enlist() *waiter {
	w := &waiter{wake: make(chan struct{}, 1)}
	q.waiters = append(q.waiters, w)
	return w
}

// dismiss takes a long poll out of the line, in which it need not be.
func (q *queue) dismiss(w *waiter) {
	q.waiters = slices.DeleteFunc(q.waiters, func(other *waiter) bool { return other == w })
}

// call wakes the first n long polls in the line.
func (q *queue) call(n int) {
	for _, w := range q.waiters[:n] {
		w.wake <- struct{}{} // never blocks: there is room for one, and a woken one is not in the line
	}
	q.waiters = slices.Clone(q.waiters[n:])
}

// settle ends every operation. If a long poll could be served it wakes the first in line, whose own settling wakes the
// next. Otherwise a timer does so when the queue next changes by itself.
func (q *queue) settle(s *Server, now time.Time) {
	if q.timer != nil {
		q.timer.Stop()
		q.timer = nil
	}
	switch next := q.schedule.next(); {
	case len(q.waiters) == 0:
	case q.deleted:
		q.call(len(q.waiters))
	case q.receivable():
		q.call(1)
	case next != nil:
		q.timer = time.AfterFunc(next.due.Sub(now), func() { s.revisit(q, nil) })
	}
}

// revisit brings the queue up to the present, without the long poll that gives up, if any.
func (s *Server) revisit(q *queue, leaving *waiter) {
	s.mu.Lock()
	defer s.mu.Unlock()
	q.dismiss(leaving)
	now := s.now()
	q.advance(now)
	q.settle(s, now)
}

// await waits until the long poll is woken, its time is up, or its client leaves; only the last is an error.
func (w *waiter) await(ctx context.Context, limit time.Duration) error {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-w.wake:
	case <-timer.C:
	case <-ctx.Done():
	}
	return ctx.Err()
}
