package policy

// idle goes to the floor once there has been no work for the whole idle
// window. "No work" counts messages in flight, not only visible ones, and
// what the tasks say of themselves.
func (t *tick) idle() (verdict, bool) {
	if !t.empty() {
		return verdict{}, false
	}
	if t.service.Desired <= t.terms.Floor {
		return t.hold(ReasonIdle), true
	}
	if t.idleLeft() > 0 || t.state.IdleReads < t.config.IdleConfirmations {
		return verdict{}, false
	}
	if t.service.Deploying {
		return t.hold(ReasonDeploying), true
	}
	return verdict{t.terms.Floor, ReasonIdle}, true
}

// idleWait names the reason for holding an empty workload that no other rule changed.
func (t *tick) idleWait() (verdict, bool) {
	if !t.empty() {
		return verdict{}, false
	}
	t.terms.Wait = t.idleLeft()
	return t.hold(ReasonIdleWait), true
}

// idleLeft is how many seconds of the idle window are left.
func (t *tick) idleLeft() float64 {
	return max(0, float64(t.config.IdleWindowSeconds)-t.state.IdleSince.since(t.now))
}
