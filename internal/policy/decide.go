package policy

import "time"

// Decide takes one tick's decision.
func (p Policy) Decide(s State, o Observation, now time.Time) (State, Decision) {
	panic("being written")
}

// Record feeds back what became of a decision.
func (p Policy) Record(s State, d Decision, outcome Outcome, now time.Time) State {
	panic("being written")
}
