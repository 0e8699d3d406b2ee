package memsqs

import (
	"container/heap"
	"time"
)

// schedule holds a queue's messages by the time of their next change, the next one first.
type schedule struct {
	messages dueHeap
}

// set enters the message, or moves it to its new time.
func (s *schedule) set(m *message, due time.Time) {
	m.due = due
	if m.slot < 0 {
		heap.Push(&s.messages, m)
		return
	}
	heap.Fix(&s.messages, m.slot)
}

// drop takes the message out.
func (s *schedule) drop(m *message) {
	if m.slot >= 0 {
		heap.Remove(&s.messages, m.slot)
	}
}

// next is the message that changes first, or nil.
func (s *schedule) next() *message {
	if len(s.messages) == 0 {
		return nil
	}
	return s.messages[0]
}

// overdue is the next message whose time has come, or nil.
func (s *schedule) overdue(now time.Time) *message {
	if m := s.next(); m != nil && !m.due.After(now) {
		return m
	}
	return nil
}

// dueHeap implements heap.Interface; each message knows its slot.
type dueHeap []*message

func (h dueHeap) Len() int           { return len(h) }
func (h dueHeap) Less(i, j int) bool { return h[i].due.Before(h[j].due) }

func (h dueHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].slot, h[j].slot = i, j
}

func (h *dueHeap) Push(x any) {
	m := x.(*message)
	m.slot = len(*h)
	*h = append(*h, m)
}

func (h *dueHeap) Pop() any {
	last := len(*h) - 1
	m := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	m.slot = -1
	return m
}
