package memsqs

import (
	"container/list"
	"iter"
)

// groups is the order of a FIFO queue. A group is ready when nothing of it is in flight and its first message is
// visible; ready groups take turns.
type groups struct {
	byID  map[string]*group
	ready *list.List
}

// group is one message group: its messages in sequence order, in whatever state.
type group struct {
	messages *list.List
	inFlight int
	turn     *list.Element // its place among the ready groups, nil when not ready
}

func newGroups() *groups { return &groups{byID: map[string]*group{}, ready: list.New()} }

func (g *groups) add(m *message) {
	own, known := g.byID[m.group]
	if !known {
		own = &group{messages: list.New()}
		g.byID[m.group] = own
	}
	m.place = own.messages.PushBack(m)
	g.refresh(own)
}

func (g *groups) changed(m *message, from state) {
	own := g.byID[m.group]
	own.inFlight += flights(m.state) - flights(from)
	g.refresh(own)
}

func (g *groups) remove(m *message) {
	own := g.byID[m.group]
	own.messages.Remove(m.place)
	own.inFlight -= flights(m.state)
	if own.messages.Len() == 0 {
		delete(g.byID, m.group)
	}
	g.refresh(own)
}

func flights(s state) int {
	if s == inFlight {
		return 1
	}
	return 0
}

// refresh puts the group among the ready ones, or takes it out.
func (g *groups) refresh(own *group) {
	switch ready := own.isReady(); {
	case ready && own.turn == nil:
		own.turn = g.ready.PushBack(own)
	case !ready && own.turn != nil:
		g.ready.Remove(own.turn)
		own.turn = nil
	}
}

func (own *group) isReady() bool {
	first := own.messages.Front()
	return own.inFlight == 0 && first != nil && first.Value.(*message).state == visible
}

func (g *groups) any() bool { return g.ready.Len() > 0 }

// candidates yields as many messages of one ready group as there are before it turns to the next. A message that is
// still delayed holds up those behind it.
func (g *groups) candidates() iter.Seq[*message] {
	return func(yield func(*message) bool) {
		for turn := g.ready.Front(); turn != nil; turn = turn.Next() {
			if !turn.Value.(*group).each(yield) {
				return
			}
		}
	}
}

// each yields the group's messages up to the first one that is not visible; false means that the caller has enough.
func (own *group) each(yield func(*message) bool) bool {
	for e := own.messages.Front(); e != nil; e = e.Next() {
		m := e.Value.(*message)
		if m.state != visible {
			return true
		}
		if !yield(m) {
			return false
		}
	}
	return true
}
