package policy

// ratioLimit keeps ratios finite, so that they can be written as JSON.
const ratioLimit = 1e9

// perTask is how many visible messages one task is meant to stand for. For
// "auto" it is what a task can finish within the target age, by the service
// time last measured, and never less than it takes at once; until a service
// time is known the default stands in.
func (t *tick) perTask() float64 {
	per := float64(t.config.BacklogPerTask)
	if t.config.BacklogPerTask == Auto {
		per = max(t.slots(), t.autoPerTask())
	}
	t.terms.PerTask = per
	return per
}

func (t *tick) autoPerTask() float64 {
	if t.state.ServiceTime == 0 {
		return float64(Default().BacklogPerTask)
	}
	return min(float64(t.config.TargetAgeSeconds)*t.slots()/t.state.ServiceTime, ratioLimit)
}

// trackPressure computes the two ratios, and since when they have been low.
// At zero there is no pressure: waking is a rule of its own.
func (t *tick) trackPressure() {
	if t.service.Desired == 0 {
		t.state.CalmSince = 0
		return
	}
	t.queueRatio = min(float64(t.queue.Visible)/(float64(t.service.Desired)*t.perTask()), ratioLimit)
	t.terms.QueueRatio = Known(t.queueRatio)
	if t.state.AgeKnown {
		t.ageRatio = Known(min(t.state.Age/float64(t.config.TargetAgeSeconds), ratioLimit))
		t.terms.AgeRatio = t.ageRatio
	}
	if !t.calm() {
		t.state.CalmSince = 0
	} else if t.state.CalmSince == 0 {
		t.state.CalmSince = t.now
	}
}

func (t *tick) queueAsks() bool { return t.queueRatio >= 1+t.config.Hysteresis }

// ageAsks reports whether the age asks for more. An unknown age asks for nothing.
func (t *tick) ageAsks() bool {
	return t.queue.Visible > 0 && t.ageRatio.Or(0) >= 1+t.config.Hysteresis
}

// calm reports whether both ratios are low enough to shrink. An age that is
// unknown does not stand in the way: the depth is known on every tick.
func (t *tick) calm() bool {
	low := 1 - t.config.Hysteresis
	return t.queueRatio < low && (t.queue.Visible == 0 || t.ageRatio.Or(0) < low)
}

// strongest is the greater of the two ratios.
func (t *tick) strongest() float64 {
	if t.queue.Visible == 0 {
		return t.queueRatio
	}
	return max(t.queueRatio, t.ageRatio.Or(0))
}
