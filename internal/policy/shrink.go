package policy

// shrink removes tasks that have not been needed for a whole cool-down. It
// never goes to zero: that is the idle rule's part.
func (t *tick) shrink() (verdict, bool) {
	least := max(1, t.terms.Floor, t.needed())
	if t.state.CalmSince == 0 || t.service.Desired <= least {
		return verdict{}, false
	}
	if t.service.Deploying {
		return t.hold(ReasonDeploying), true
	}
	if left := t.calmLeft(); left > 0 {
		t.terms.Wait = left
		return t.hold(ReasonCooldown), !t.empty()
	}
	size := t.service.Desired
	servo := servo{t.config.Kp, t.config.Ki, t.config.StepDown}
	e := 1 - t.strongest()
	step, sum, u := servo.step(size, e, max(0, -t.state.Integral))
	t.state.Integral = -sum
	t.terms.Error, t.terms.Output, t.terms.Step = e, u, step
	return verdict{t.shrinkTo(size-step, least), ReasonShrink}, true
}

func (t *tick) shrinkTo(target, least int) int {
	if target < least {
		target = least
		t.limit("needed")
	}
	return target
}

// needed is the least number of tasks that the load allows: slots for what is
// in flight, now and in the mean, the share of what is visible, and every busy
// task. Where workers do not report, each message in flight may be another task's.
func (t *tick) needed() int {
	inFlight := t.queue.InFlight
	load := max(float64(inFlight), t.state.MeanInFlight)/t.slots() + float64(t.queue.Visible)/t.perTask()
	busy := t.seen.Busy.Or(min(inFlight, t.service.Desired))
	t.terms.Needed = max(busy, ceilWithin(load, 0, maxCount))
	return t.terms.Needed
}
