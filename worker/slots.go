package worker

import (
	"context"
	"sync"
)

// slots counts the places for messages. A place is reserved before a receive
// asks for a message, so more messages than places can never be held:
//
//	reserve ──▶ reserved ──fill──▶ queued ──start──▶ running ──finish──▶ free
//	                │ nothing came     │ giveBack
//	                └──────▶ free ◀────┘
//
// It is safe for concurrent use.
type slots struct {
	size   int        // the most messages held or asked for
	buffer int        // the most that are not started
	onEdge func(bool) // called, unlocked, when the worker becomes busy (true) or idle

	mu       sync.Mutex
	reserved int
	queued   int
	running  int
	freed    chan struct{} // closed when a place may be free; nil while nobody waits
}

func newSlots(size, buffer int, onEdge func(busy bool)) *slots {
	return &slots{size: size, buffer: buffer, onEdge: onEdge}
}

// reserve waits until a place is free and takes all that are, at most most.
func (s *slots) reserve(ctx context.Context, most int) (int, error) {
	for {
		n, freed := s.tryReserve(most)
		if n > 0 {
			return n, nil
		}
		select {
		case <-freed:
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
}

func (s *slots) tryReserve(most int) (int, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	open := s.reserved + s.queued
	n := min(most, s.size-open-s.running, s.buffer-open)
	if n > 0 {
		s.reserved += n
		return n, nil
	}
	if s.freed == nil {
		s.freed = make(chan struct{})
	}
	return 0, s.freed
}

// fill ends a reservation of n places, of which received now hold a message.
func (s *slots) fill(n, received int) {
	s.change(func() { s.reserved -= n; s.queued += received })
}

// start says that a queued message has begun to run.
func (s *slots) start() { s.change(func() { s.queued--; s.running++ }) }

// giveBack says that n queued messages will not be run.
func (s *slots) giveBack(n int) { s.change(func() { s.queued -= n }) }

// finish says that a running message is done with.
func (s *slots) finish() { s.change(func() { s.running-- }) }

// change applies f, wakes those who wait for a place and reports an edge.
func (s *slots) change(f func()) {
	s.mu.Lock()
	was := s.queued+s.running > 0
	f()
	is := s.queued+s.running > 0
	if s.freed != nil {
		close(s.freed)
		s.freed = nil
	}
	s.mu.Unlock()
	if was != is {
		s.onEdge(is)
	}
}

// busy returns how many messages are held.
func (s *slots) busy() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.queued + s.running
}
