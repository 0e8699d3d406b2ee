package sim

import "time"

// Controller is a control law in a run. It has a state of its own and is used
// for one run only.
type Controller interface {
	// Period is how long it is from one tick to the next; the first is at the start.
	Period() time.Duration
	// Decide returns the desired count, given what is seen; seen.Desired holds it.
	Decide(seen Sight) int
	// Overhead is what the controller itself costs.
	Overhead(Prices) Overhead
}

// Sight is the truth at a tick. What of it a controller may know, and how late,
// is for the controller to say: real ones see some of it a minute after.
type Sight struct {
	// Now is the time since the start, Clock the wall clock's.
	Now   time.Duration
	Clock time.Time

	Visible, InFlight int
	// Desired is the service's count, Pending and Running are the tasks that stand towards it.
	Desired, Pending, Running int
	// Draining tasks finish what they hold before they stop. Busy are the tasks
	// that hold a message, the draining ones among them.
	Draining, Busy int
	// Slots is how many messages a task works on at once.
	Slots int

	// Since the previous tick: jobs completed, tasks launched, jobs done in any
	// way and the sum of their times.
	Completed, Starts, Done int
	ServiceTime             time.Duration
	// Waited is the longest wait of the messages received since the previous
	// tick, Received how many there were.
	Waited   time.Duration
	Received int

	run *run
}

// OldestAge returns how long ago the oldest message that has not left was sent,
// in flight or not: what CloudWatch calls ApproximateAgeOfOldestMessage. It is
// 0 for an empty queue. Its cost grows with what is in flight.
func (s Sight) OldestAge() time.Duration {
	if s.run == nil {
		return 0
	}
	sent, ok := s.run.agenda.oldestInFlight()
	if waiting, any := s.run.backlog.oldest(); any && (!ok || waiting < sent) {
		sent, ok = waiting, true
	}
	if !ok {
		return 0
	}
	return s.Now - sent
}

// Sample is a point of a plot.
type Sample struct {
	At                         time.Duration
	Visible, InFlight          int
	Desired, Running, Starting int
	// OldestWait is how long the oldest visible message has waited.
	OldestWait time.Duration
}
