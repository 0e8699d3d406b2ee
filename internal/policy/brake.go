package policy

// The brake is for tasks that start, fail and start again for ever, each
// billed for a minute at least. It lets one canary run. When the canary fails
// too, the service goes to the floor and the next canary is tried after
// brake_retry_seconds, doubled each time. A completed job or a new task
// definition releases it.

// trackStarts counts the starts since the last sign of progress. Starts that
// were bought are expected; it is the restarts beyond them that count.
func (t *tick) trackStarts(progressed bool) {
	b := &t.state.Brake
	if t.released(progressed) {
		*b = BrakeState{Revision: t.service.Revision}
	} else {
		b.Starts = min(b.Starts+t.seen.Starts.Or(0), maxCount)
	}
	if !b.On {
		b.Bought = max(b.Bought, t.service.Desired)
	}
	b.Until = min(b.Until, t.now.add(float64(t.config.BrakeRetryMaxSeconds)))
}

// released reports whether what was counted so far no longer matters. While
// the brake is on, a ready task is not enough: it may yet fail at its first job.
func (t *tick) released(progressed bool) bool {
	b := t.state.Brake
	if progressed || b.Revision != t.service.Revision {
		return true
	}
	healthy := t.seen.Ready.Or(0) > 0
	dormant := t.service.Desired == 0 && t.empty()
	return !b.On && (healthy || dormant)
}

func (t *tick) brake() (verdict, bool) {
	b := &t.state.Brake
	if !b.On && b.Starts < b.Bought+t.config.BrakeAfterStarts {
		return verdict{}, false
	}
	if !b.On {
		t.engage()
	}
	return verdict{t.within(t.canary()), ReasonBrake}, true
}

func (t *tick) engage() {
	b := &t.state.Brake
	b.On, b.Retries, b.Until = true, 0, 0
	b.expect(t.service)
}

// expect starts counting for a canary: one start is expected unless a task is there already.
func (b *BrakeState) expect(s Service) {
	b.Starts, b.Bought = 0, 1
	if s.Running+s.Pending > 0 {
		b.Bought = 0
	}
}

// canary returns 1 while a canary may run and 0 between two of them. A canary
// is started only for work, and one that holds a message is left alone.
func (t *tick) canary() int {
	b := &t.state.Brake
	if b.Until > t.now {
		t.terms.Wait = t.now.until(b.Until)
		return 0
	}
	if b.Until != 0 {
		b.Until = 0
		b.expect(t.service)
	}
	if b.Starts > b.Bought && t.seen.Busy.Or(0) == 0 {
		b.Until = t.now.add(t.retryDelay())
		b.Retries++
		t.terms.Wait = t.now.until(b.Until)
		return 0
	}
	if t.service.Desired == 0 && t.queue.Visible == 0 {
		return 0
	}
	return 1
}

// retryDelay is how long the next canary waits, in seconds.
func (t *tick) retryDelay() float64 {
	doublings := min(t.state.Brake.Retries, 30)
	delay := float64(t.config.BrakeRetrySeconds) * float64(int(1)<<doublings)
	return min(delay, float64(t.config.BrakeRetryMaxSeconds))
}
