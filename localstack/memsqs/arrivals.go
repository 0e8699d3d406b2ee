package memsqs

import (
	"container/list"
	"iter"
)

// arrivals is the order of a standard queue: messages are handed out in the order in which they became visible.
type arrivals struct{ visible *list.List }

func newArrivals() *arrivals { return &arrivals{visible: list.New()} }

func (a *arrivals) add(m *message) {
	if m.state == visible {
		m.place = a.visible.PushBack(m)
	}
}

func (a *arrivals) changed(m *message, from state) {
	if from == visible {
		a.visible.Remove(m.place)
	}
	a.add(m)
}

func (a *arrivals) remove(m *message) {
	if m.state == visible {
		a.visible.Remove(m.place)
	}
}

func (a *arrivals) any() bool { return a.visible.Len() > 0 }

func (a *arrivals) candidates() iter.Seq[*message] {
	return func(yield func(*message) bool) {
		for e := a.visible.Front(); e != nil; e = e.Next() {
			if !yield(e.Value.(*message)) {
				return
			}
		}
	}
}
