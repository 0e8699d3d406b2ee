package policy

// grow adds tasks under pressure. What would make more tasks useless or
// premature is asked first, in order.
func (t *tick) grow() (verdict, bool) {
	reason, hot := t.growReason()
	if !hot {
		return verdict{}, false
	}
	if why, held := t.growthHeld(); held {
		return t.hold(why), true
	}
	size := t.service.Desired
	servo := servo{t.config.Kp, t.config.Ki, t.config.StepUp}
	e := t.strongest() - 1
	step, sum, u := servo.step(size, e, max(0, t.state.Integral))
	t.state.Integral = sum
	t.terms.Error, t.terms.Output, t.terms.Step = e, u, step
	if step == t.config.StepUp {
		t.limit("step_up")
	}
	return verdict{t.growTo(size + step), reason}, true
}

func (t *tick) growReason() (Reason, bool) {
	switch {
	case t.queueAsks() && t.ageAsks():
		return ReasonLatencyQueue, true
	case t.queueAsks():
		return ReasonQueue, true
	case t.ageAsks():
		return ReasonLatency, true
	}
	return "", false
}

// growthHeld returns why tasks must not be added now, if they must not.
func (t *tick) growthHeld() (Reason, bool) {
	switch {
	case t.starting() && (!t.queueAsks() || t.stuck()), t.unmeasured():
		return ReasonWarming, true
	case t.cooldownLeft() > 0:
		t.terms.Wait = t.cooldownLeft()
		return ReasonCooldown, true
	case t.service.Desired >= t.terms.Ceiling:
		return ReasonAtMax, true
	case t.saturated():
		return ReasonSaturated, true
	case t.service.Desired >= t.useful():
		return ReasonCovered, true
	}
	return "", false
}

// growTo cuts a target to what is useful and allowed.
func (t *tick) growTo(target int) int {
	if useful := t.useful(); target > useful {
		target = useful
		t.limit("covered")
	}
	if target > t.terms.Ceiling {
		target = t.terms.Ceiling
		t.limit("ceiling")
	}
	return target
}

// useful is the most tasks that can have anything to do: one a message, and
// where only the age asks, a slot a message.
func (t *tick) useful() int {
	messages := t.queue.Visible + t.queue.InFlight
	if t.queueAsks() {
		return messages
	}
	return ceilWithin(float64(messages)/t.slots(), 0, messages)
}

// starting reports whether tasks that were bought already are not at work yet.
// A task that runs without being ready counts only for warmup_seconds.
func (t *tick) starting() bool {
	if t.service.Pending > 0 || t.service.Running < t.service.Desired {
		return true
	}
	ready, known := t.seen.Ready.Get()
	return known && ready < t.service.Desired && t.state.LastUp != 0 &&
		t.state.LastUp.since(t.now) < float64(t.config.WarmupSeconds)
}

// stuck reports whether no further task has come up for longer than a start may take.
func (t *tick) stuck() bool {
	return t.state.StartingSince != 0 && t.state.StartingSince.since(t.now) >= float64(t.config.WarmupSeconds)
}
