package policy

import (
	"math"
	"time"
)

// Decide takes one tick's decision from what was remembered and what is seen.
// It is pure, deterministic and total: equal inputs give equal outputs, any
// state and observation are survived, and time may stand still or go backwards.
// The returned state is to be passed through Record with the outcome of acting
// and then kept for the next tick.
func (p Policy) Decide(s State, o Observation, now time.Time) (State, Decision) {
	t := p.newTick(s, o, now)
	if !t.sighted {
		return t.blind()
	}
	t.measure()
	for _, rule := range rules {
		if v, ok := rule(t); ok {
			return t.conclude(v)
		}
	}
	return t.conclude(t.hold(ReasonSteady))
}

// rules are asked in this order; the first that answers decides.
var rules = []func(*tick) (verdict, bool){
	(*tick).obeyOperator,
	(*tick).enforceBounds,
	(*tick).brake,
	(*tick).wake,
	(*tick).prewake,
	(*tick).wakeWait,
	(*tick).idle,
	(*tick).fitGroups,
	(*tick).grow,
	(*tick).shrink,
	(*tick).idleWait,
}

// verdict is what a rule wants.
type verdict struct {
	target int
	reason Reason
}

// tick is one decision in the making.
type tick struct {
	policy  Policy
	config  Config
	now     Instant
	sighted bool
	state   State
	queue   Queue
	service Service
	seen    Observation
	terms   Terms

	queueRatio float64
	ageRatio   Signal[float64]
}

func (p Policy) newTick(s State, o Observation, now time.Time) *tick {
	at := max(1, At(now))
	t := &tick{policy: p, config: p.config, now: at, state: s.mend(at), seen: o.sane()}
	queue, queueKnown := o.Queue.Get()
	service, serviceKnown := o.Service.Get()
	t.queue, t.service = queue, service
	t.sighted = queueKnown && serviceKnown && queue.usable() && service.usable()
	if serviceKnown && service.usable() {
		t.state.Desired = service.Desired
	}
	t.terms.Floor, t.terms.Ceiling = p.bounds(now)
	return t
}

// blind holds everything. The only thing it forgets is that earlier reads
// agreed the queue was empty: the idle window wants consecutive reads.
func (t *tick) blind() (State, Decision) {
	t.state.IdleReads = 0
	return t.state, Decision{
		Target:     t.state.Desired,
		Reason:     ReasonBlind,
		Conditions: t.conditions(ReasonBlind),
		Terms:      t.terms,
	}
}

func (t *tick) hold(reason Reason) verdict { return verdict{t.service.Desired, reason} }

// conclude turns a verdict into the decision and closes the state.
func (t *tick) conclude(v verdict) (State, Decision) {
	change := v.target != t.service.Desired
	t.state.Integral = t.integralAfter(v.reason, change)
	t.terms.Integral = t.state.Integral
	t.terms.Multiplier = t.multiplier()
	return t.state, Decision{
		Target:     v.target,
		Change:     change,
		Reason:     v.reason,
		Conditions: t.conditions(v.reason),
		Terms:      t.terms,
	}
}

// integralAfter is the anti-windup: the integral survives a tick that moved by
// the servo, is frozen by one that could not act for want of sight or of
// effect, and is dropped by every other.
func (t *tick) integralAfter(reason Reason, change bool) float64 {
	switch reason {
	case ReasonWarming, ReasonSaturated:
		return t.state.Integral
	case ReasonLatency, ReasonQueue, ReasonLatencyQueue, ReasonShrink:
		if change {
			return t.state.Integral
		}
	}
	return 0
}

func (t *tick) conditions(reason Reason) []Condition {
	var c []Condition
	if reason == ReasonBlind {
		c = append(c, ConditionBlind)
	}
	if t.state.Brake.On {
		c = append(c, ConditionBraked)
	}
	if t.sighted && t.stalled() {
		c = append(c, ConditionStalled)
	}
	if reason == ReasonSaturated {
		c = append(c, ConditionSaturated)
	}
	if reason == ReasonAtMax {
		c = append(c, ConditionAtMax)
	}
	return c
}

// limit notes what cut a step, for the explanation.
func (t *tick) limit(name string) { t.terms.Limits = append(t.terms.Limits, name) }

// slots is how many messages a task works on at once, at least 1.
func (t *tick) slots() float64 { return float64(max(1, t.seen.SlotsPerTask.Or(1))) }

// work is the number of messages that are not done, delayed ones as the policy counts them.
func (t *tick) work() int {
	if t.config.Delayed == DelayedIgnore {
		return t.queue.Visible + t.queue.InFlight
	}
	return t.queue.Visible + t.queue.InFlight + t.queue.Delayed
}

// empty reports whether there is no work and no task says that it is busy.
func (t *tick) empty() bool { return t.work() == 0 && t.seen.Busy.Or(0) == 0 }

// ceilWithin rounds x up to a whole number within [low, high], whatever x is.
func ceilWithin(x float64, low, high int) int {
	if math.IsNaN(x) || x <= float64(low) {
		return low
	}
	if x >= float64(high) {
		return high
	}
	return int(math.Ceil(x))
}
