package policy_test

import (
	"encoding/binary"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rousehq/rouse/internal/policy"
)

// FuzzDecide checks the invariants of the package comment on what the fuzzer draws.
func FuzzDecide(f *testing.F) {
	f.Add([]byte("first"), []byte(`{"version":1,"age":1e300,"brake":{"on":true,"until":9223372036854775807}}`))
	f.Add([]byte{0, 1, 0, 2}, []byte(`{"version":1,"integral":-5,"idle_since":-9}`))
	f.Fuzz(checkInvariants)
}

// TestInvariants checks them on 20,000 draws in every run of the tests.
func TestInvariants(t *testing.T) {
	for seed := range uint64(20000) {
		checkInvariants(t, binary.LittleEndian.AppendUint64(nil, seed*0x9e3779b97f4a7c15), nil)
		if t.Failed() {
			t.Fatalf("at seed %d", seed)
		}
	}
}

type scene struct {
	config policy.Config
	policy policy.Policy
	state  policy.State
	seen   policy.Observation
	now    time.Time
}

func checkInvariants(t *testing.T, data, stored []byte) {
	d := newDraw(data)
	now := start.Add(time.Duration(d.below(14*24*60)) * time.Minute)
	config := d.config()
	p, err := policy.New(config)
	if err != nil {
		t.Fatalf("drew an illegal configuration: %v", err)
	}
	s := scene{config, p, d.state(now), d.observation(), now}
	if len(stored) > 0 {
		s.state = garbage(stored)
	}
	s.checkBounds(t)
	s.checkNeverZeroWithWork(t)
	s.checkMonotone(t, d.between(1, 60000))
	s.checkBlind(t)
	s.checkDeterminism(t)
	s.checkWake(t)
}

func (s scene) decide() (policy.State, policy.Decision) {
	return s.policy.Decide(s.state, s.seen, s.now)
}

func (s scene) service() policy.Service { return s.seen.Service.Or(policy.Service{}) }

func (s scene) queue() policy.Queue { return s.seen.Queue.Or(policy.Queue{}) }

func (s scene) checkBounds(t *testing.T) {
	_, d := s.decide()
	if d.Change == (d.Target == s.service().Desired) {
		t.Errorf("change is %t from %d to %d", d.Change, s.service().Desired, d.Target)
	}
	if d.Reason == policy.ReasonPaused {
		return
	}
	floor := d.Terms.Floor
	if d.Reason == policy.ReasonOverride {
		floor = 0
	}
	if d.Target < floor || d.Target > s.config.MaxTasks {
		t.Errorf("target %d (%s) is outside [%d, %d]", d.Target, d.Reason, floor, s.config.MaxTasks)
	}
}

func (s scene) checkNeverZeroWithWork(t *testing.T) {
	_, d := s.decide()
	q := s.queue()
	work := q.Visible + q.InFlight
	if s.config.Delayed != policy.DelayedIgnore {
		work += q.Delayed
	}
	lowered := d.Change && d.Target == 0
	if lowered && work > 0 && d.Reason != policy.ReasonOverride && d.Reason != policy.ReasonBrake {
		t.Errorf("goes to zero (%s) with %+v", d.Reason, q)
	}
}

// checkMonotone: more visible messages never mean fewer tasks.
func (s scene) checkMonotone(t *testing.T, more int) {
	_, before := s.decide()
	q := s.queue()
	q.Visible += more
	deeper := s
	deeper.seen.Queue = policy.Known(q)
	_, after := deeper.decide()
	if after.Target < before.Target {
		t.Errorf("%d more messages: %d (%s) became %d (%s)\nconfig %+v\nstate %+v\nseen %+v", more, before.Target, before.Reason, after.Target, after.Reason, s.config, s.state, s.seen)
	}
}

// checkBlind: a blind tick changes nothing, and another one changes nothing more.
func (s scene) checkBlind(t *testing.T) {
	blind := s
	blind.seen.Queue = policy.Signal[policy.Queue]{}
	state, d := blind.decide()
	if d.Change || d.Reason != policy.ReasonBlind || d.Target != s.service().Desired {
		t.Errorf("a blind tick decided %+v", d)
	}
	blind.state = state
	again, _ := blind.decide()
	if diff := cmp.Diff(state, again); diff != "" {
		t.Errorf("holding is not idempotent: %s", diff)
	}
}

// checkDeterminism: equal inputs, equal outputs, also through JSON.
func (s scene) checkDeterminism(t *testing.T) {
	state, d := s.decide()
	again, d2 := s.decide()
	compare(t, "decided twice", d, d2)
	compare(t, "state of deciding twice", state, again)
	compare(t, "state through JSON", state, roundTrip(t, state))
	compare(t, "decision through JSON", d, roundTrip(t, d))
	compare(t, "observation through JSON", sighted(s.seen), roundTrip(t, sighted(s.seen)))
	recorded := s.policy.Record(state, d, policy.OutcomeAdded, s.now.Add(-time.Hour))
	compare(t, "recorded state through JSON", recorded, roundTrip(t, recorded))
}

// sighted leaves out what JSON cannot hold.
func sighted(o policy.Observation) policy.Observation {
	o.OldestAge, o.ServiceTime, o.QueueDelay = policy.Known(1.5), policy.Signal[float64]{}, policy.Signal[float64]{}
	return o
}

func compare[T any](t *testing.T, what string, a, b T) {
	if diff := cmp.Diff(a, b, cmp.AllowUnexported(policy.Signal[int]{}, policy.Signal[float64]{},
		policy.Signal[policy.Queue]{}, policy.Signal[policy.Service]{}, policy.Signal[policy.Override]{})); diff != "" {
		t.Errorf("%s: %s", what, diff)
	}
}

func roundTrip[T any](t *testing.T, v T) T {
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatalf("write %+v: %v", v, err)
	}
	var back T
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatalf("read %s: %v", text, err)
	}
	return back
}

// checkWake is C07 over the whole configuration space: a message at zero wakes
// the service within wake_confirmations ticks if the activation backlog is
// there, and else once it has waited for the target age, whatever is remembered
// but for a brake.
func (s scene) checkWake(t *testing.T) {
	if s.config.Paused {
		return
	}
	s.state.Brake = policy.BrakeState{Revision: s.service().Revision}
	s.seen.Override = policy.Signal[policy.Override]{}
	s.seen.Starts = policy.Signal[int]{}
	s.seen.Service = policy.Known(policy.Service{Revision: s.service().Revision})
	q := s.queue()
	q.Visible = 1
	s.seen.Queue = policy.Known(q)
	ticks := s.config.WakeConfirmations
	if s.config.ActivationBacklog > 1 {
		s.tickOnce()
		s.now = s.now.Add(time.Duration(s.config.TargetAgeSeconds) * time.Second)
	}
	var d policy.Decision
	for range ticks {
		if d = s.tickOnce(); d.Target > 0 {
			return
		}
	}
	t.Errorf("one message at zero still waits after %d ticks: %+v\nconfig %+v", ticks, d, s.config)
}

func (s *scene) tickOnce() policy.Decision {
	state, d := s.decide()
	s.state = state
	s.now = s.now.Add(time.Second)
	return d
}
