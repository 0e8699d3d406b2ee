package sim

import "time"

// eventKind is what an event does.
type eventKind uint8

const (
	eventDone   eventKind = iota // an attempt ends
	eventReturn                  // a failed message's visibility timeout has passed
	eventReady                   // a task has started
	eventLaunch                  // the launch limit lets one more task start
)

// event is something that will happen. Events at the same moment happen in the
// order in which they were planned.
type event struct {
	at      time.Duration
	order   uint64
	began   time.Duration // when the attempt began
	message message
	task    int32
	kind    eventKind
}

func (e event) before(other event) bool { //nolint:unused // heap calls it by way of its constraint
	if e.at != other.at {
		return e.at < other.at
	}
	return e.order < other.order
}

// agenda holds what is planned.
type agenda struct {
	events heap[event]
	order  uint64
}

func (a *agenda) plan(e event) {
	a.order++
	e.order = a.order
	a.events.push(e)
}

// oldestInFlight returns when the oldest message in flight was sent. It looks
// at all of them, so it is for once a minute.
func (a *agenda) oldestInFlight() (sent time.Duration, ok bool) {
	for _, e := range a.events {
		held := e.kind == eventDone || e.kind == eventReturn
		if held && (!ok || e.message.sent < sent) {
			sent, ok = e.message.sent, true
		}
	}
	return sent, ok
}
