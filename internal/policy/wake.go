package policy

// Waking is a rule of its own. It is subject to neither the servo, the ratios
// nor the cool-down, so that no setting can make a message wait for ever.

// enoughToWake reports whether the messages at zero are enough: as many as
// activation_backlog, or fewer that have waited for the target age.
func (t *tick) enoughToWake() bool {
	if t.queue.Visible >= t.config.ActivationBacklog {
		return true
	}
	waited := max(t.state.WaitingSince.since(t.now), t.seen.OldestAge.Or(0))
	return t.queue.Visible > 0 && waited >= float64(t.config.TargetAgeSeconds)
}

// wake starts from zero in one write as many tasks as the backlog asks for.
func (t *tick) wake() (verdict, bool) {
	if t.service.Desired > 0 || t.queue.Visible == 0 || t.state.WakeReads < t.config.WakeConfirmations {
		return verdict{}, false
	}
	return verdict{t.within(t.wakeSize()), ReasonWake}, true
}

func (t *tick) wakeSize() int {
	asked := ceilWithin(float64(t.queue.Visible)/t.perTask(), 1, t.queue.Visible)
	size := asked
	if limit := t.config.WakeLimit; limit > 0 && size > limit {
		size = limit
		t.limit("wake_limit")
	}
	if size > t.terms.Ceiling {
		size = t.terms.Ceiling
		t.limit("ceiling")
	}
	t.terms.Step = asked
	return size
}

// prewake starts one task shortly before delayed messages come due.
func (t *tick) prewake() (verdict, bool) {
	if t.service.Desired > 0 || !t.prewakes() || t.prewakeLeft() > 0 {
		return verdict{}, false
	}
	return verdict{t.within(1), ReasonPrewake}, true
}

func (t *tick) prewakes() bool {
	return t.queue.Delayed > 0 && t.config.Delayed == DelayedPrewake
}

// prewakeLeft is how many seconds are left until prewake acts. SQS does not
// say when a delayed message comes due: the queue's own delay, counted from
// when delayed messages were first seen, is the best guess, and without one
// they may come due at any time.
func (t *tick) prewakeLeft() float64 {
	due := t.seen.QueueDelay.Or(0) - t.state.DelayedSince.since(t.now)
	return max(0, due-float64(t.config.PrewakeLeadSeconds))
}

// wakeWait names the reason for staying at zero although messages wait or are delayed.
func (t *tick) wakeWait() (verdict, bool) {
	if t.service.Desired > 0 {
		return verdict{}, false
	}
	switch {
	case t.queue.Visible > 0:
		t.terms.Wait = max(0, float64(t.config.TargetAgeSeconds)-t.state.WaitingSince.since(t.now))
	case t.prewakes():
		t.terms.Wait = t.prewakeLeft()
	default:
		return verdict{}, false
	}
	return t.hold(ReasonWakeWait), true
}
