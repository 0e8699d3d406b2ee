package policy

import "time"

// Record feeds back what became of a decision. The cool-downs and their
// back-off advance only when the desired count was really changed; a step that
// was not carried out leaves no trace in the servo.
func (p Policy) Record(s State, d Decision, outcome Outcome, now time.Time) State {
	at := max(1, At(now))
	s = s.mend(at)
	switch outcome {
	case OutcomeAdded:
		s.LastUp = at
		s.Progress.grown()
	case OutcomeRemoved:
		s.LastDown = at
		s.Progress.forgetBase()
	default:
		if d.Change {
			s.Integral = 0
		}
		return s
	}
	s.Desired = d.Target
	s.Multiplier = min(max(1, s.Multiplier)*p.config.BackoffFactor, p.config.BackoffMaxMultiplier)
	return s
}

// trackBackoff lets the multiplier fall back to 1 after a quiet time.
func (t *tick) trackBackoff() {
	if t.lastChange().since(t.now) >= t.backoffReset() {
		t.state.Multiplier = 1
	}
}

func (t *tick) backoffReset() float64 {
	if t.config.BackoffResetSeconds > 0 {
		return float64(t.config.BackoffResetSeconds)
	}
	return 4 * float64(max(t.config.CooldownUpSeconds, t.config.CooldownDownSeconds))
}

func (t *tick) multiplier() float64 {
	return min(max(1, t.state.Multiplier), t.config.BackoffMaxMultiplier)
}

func (t *tick) lastChange() Instant { return max(t.state.LastUp, t.state.LastDown) }

// cooldownLeft is how many seconds must pass before tasks may be added again.
func (t *tick) cooldownLeft() float64 {
	return left(t.state.LastUp, t.now, float64(t.config.CooldownUpSeconds)*t.multiplier())
}

// calmLeft is how many seconds of low pressure without a change are still
// wanted before tasks may be removed.
func (t *tick) calmLeft() float64 {
	wait := float64(t.config.CooldownDownSeconds) * t.multiplier()
	return max(left(t.state.CalmSince, t.now, wait), left(t.lastChange(), t.now, wait))
}

// left is how much of wait is left since start; nothing if it never started.
func left(start, now Instant, wait float64) float64 {
	if start == 0 {
		return 0
	}
	return max(0, wait-start.since(now))
}
