package policy

// measure brings the state up to date with what is seen, before any rule is
// asked, so that the rules only read.
func (t *tick) measure() {
	progressed := t.progressed()
	t.trackAge()
	t.trackServiceTime()
	t.trackPressure()
	t.trackWaiting()
	t.trackIdle()
	t.trackDelayed()
	t.trackStarting()
	t.trackStarts(progressed)
	t.trackProgress(progressed)
	t.trackBackoff()
	t.trackWork()
}

// progressed reports whether jobs were completed since the previous tick.
// Where workers do not report, the sign is that work had fallen by then: the
// current depth is not asked, so that a deeper queue never means fewer tasks.
func (t *tick) progressed() bool {
	completed, known := t.seen.Completed.Get()
	if known {
		return completed > 0
	}
	return t.state.WorkFell
}

// meanWeight is the weight of the newest tick in the mean of the messages in
// flight. A single sample says little: a fleet that follows each one cycles.
const meanWeight = 0.2

func (t *tick) trackWork() {
	t.state.MeanInFlight += meanWeight * (float64(t.queue.InFlight) - t.state.MeanInFlight)
	work := t.queue.Visible + t.queue.InFlight + t.queue.Delayed
	t.state.WorkFell = work < t.state.Work
	t.state.Work = work
}

// trackAge keeps the moving average of the age. With nothing visible nothing
// waits, whatever the age of a message in flight. An unknown age ends the
// average: the next known one starts it afresh.
func (t *tick) trackAge() {
	s := &t.state
	age, known := t.seen.OldestAge.Get()
	if t.queue.Visible == 0 {
		age, known = 0, true
	}
	switch {
	case !known:
		s.Age = 0
	case s.AgeKnown:
		s.Age += t.config.EWMAAlpha * (age - s.Age)
	default:
		s.Age = age
	}
	s.AgeKnown = known
	if known {
		t.terms.SmoothedAge = Known(s.Age)
	}
}

func (t *tick) trackServiceTime() {
	if seconds, known := t.seen.ServiceTime.Get(); known && seconds > 0 {
		t.state.ServiceTime = seconds
	}
}

// trackWaiting counts for the wake-up how long, and over how many consecutive
// reads, messages have waited at zero.
func (t *tick) trackWaiting() {
	s := &t.state
	if t.service.Desired > 0 || t.queue.Visible == 0 {
		s.WaitingSince, s.WakeReads = 0, 0
		return
	}
	if s.WaitingSince == 0 {
		s.WaitingSince = t.now
	}
	if !t.enoughToWake() {
		s.WakeReads = 0
		return
	}
	s.WakeReads++
}

func (t *tick) trackIdle() {
	s := &t.state
	if !t.empty() {
		s.IdleSince, s.IdleReads = 0, 0
		return
	}
	if s.IdleSince == 0 {
		s.IdleSince = t.now
	}
	s.IdleReads++
}

func (t *tick) trackDelayed() {
	if t.queue.Delayed == 0 {
		t.state.DelayedSince = 0
	} else if t.state.DelayedSince == 0 {
		t.state.DelayedSince = t.now
	}
}

// trackStarting notes since when the service has been short of tasks without
// one more of them running.
func (t *tick) trackStarting() {
	s := &t.state
	short := t.service.Pending > 0 || t.service.Running < t.service.Desired
	if !short {
		s.StartingSince = 0
	} else if s.StartingSince == 0 || t.service.Running > s.Running {
		s.StartingSince = t.now
	}
	s.Running = t.service.Running
}
