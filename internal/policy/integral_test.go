package policy_test

import (
	"testing"
	"time"

	"github.com/rousehq/rouse/internal/policy"
)

// servoPolicy grows by the integral, on every tick that may act.
func servoPolicy(t *testing.T) policy.Policy {
	t.Helper()
	c := policy.Default()
	c.MaxTasks, c.StepUp, c.CooldownUpSeconds, c.TargetAgeSeconds = 1000, 100, 0, 30
	p, err := policy.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// wound is a state whose integral has been wound up.
func wound(integral float64) policy.State {
	return policy.State{Version: policy.StateVersion, Integral: integral, Age: 100, AgeKnown: true}
}

func seen(visible int, service policy.Service) policy.Observation {
	return policy.Observation{Queue: policy.Known(policy.Queue{Visible: visible}), Service: policy.Known(service), OldestAge: policy.Known(100.0)}
}

func TestC24_AntiWindup(t *testing.T) {
	tests := []struct {
		name string
		seen policy.Observation
		// outcome of acting; what the decision asks for, if empty
		outcome policy.Outcome
		reason  policy.Reason
		want    float64
	}{
		{"frozen while tasks are pending", seen(100, policy.Service{Desired: 10, Pending: 10}), "", policy.ReasonWarming, 3},
		{"frozen while blind", policy.Observation{}, "", policy.ReasonBlind, 3},
		{"dropped by a tick that does nothing", policy.Observation{
			Queue: policy.Known(policy.Queue{Visible: 100}), Service: policy.Known(policy.Service{Desired: 10, Running: 10}),
		}, "", policy.ReasonSteady, 0},
		{"dropped at the ceiling", seen(100000, policy.Service{Desired: 1000, Running: 1000}), "", policy.ReasonAtMax, 0},
		{"kept by a step that was taken", seen(200, policy.Service{Desired: 10, Running: 10}), policy.OutcomeAdded, policy.ReasonLatencyQueue, 3 + 100.0/30 - 1},
		{"dropped when the call failed", seen(200, policy.Service{Desired: 10, Running: 10}), policy.OutcomeFailed, policy.ReasonLatencyQueue, 0},
		{"dropped when acting was refused", seen(200, policy.Service{Desired: 10, Running: 10}), policy.OutcomeBlocked, policy.ReasonLatencyQueue, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := servoPolicy(t)
			state, d := p.Decide(wound(3), tt.seen, start)
			if d.Reason != tt.reason {
				t.Fatalf("reason is %s, want %s", d.Reason, tt.reason)
			}
			outcome := tt.outcome
			if outcome == "" {
				outcome = policy.OutcomeNoop
			}
			if got := p.Record(state, d, outcome, start).Integral; got-tt.want > 1e-9 || tt.want-got > 1e-9 {
				t.Errorf("integral is %g, want %g", got, tt.want)
			}
		})
	}
}

// A shrink never spends what a growth wound up, nor the other way round.
func TestC24_IntegralDoesNotCrossZero(t *testing.T) {
	c := policy.Default()
	c.Kp, c.Ki, c.StepDown, c.CooldownDownSeconds, c.MaxTasks = 0, 1, 100, 0, 100
	p, err := policy.New(c)
	if err != nil {
		t.Fatal(err)
	}
	state, d := p.Decide(wound(50), policy.Observation{
		Queue:   policy.Known(policy.Queue{Visible: 50}),
		Service: policy.Known(policy.Service{Desired: 10, Running: 10}),
	}, start)
	if d.Reason != policy.ReasonShrink || d.Target != 5 || state.Integral != -0.5 {
		t.Errorf("decided %d (%s) with integral %g, want 5 (shrink) with -0.5", d.Target, d.Reason, state.Integral)
	}
}

// C24, C28: a constant overload at the ceiling, seen for hours, does not make
// the first shrink late: what was not acted on is not remembered.
func TestC24_NoWindupOverHours(t *testing.T) {
	c := policy.Default()
	c.MaxTasks, c.CooldownDownSeconds = 20, 30
	p, err := policy.New(c)
	if err != nil {
		t.Fatal(err)
	}
	var s policy.State
	now := start
	tick := func(visible int) policy.Decision {
		state, d := p.Decide(s, seen(visible, policy.Service{Desired: 20, Running: 20}), now)
		s = p.Record(state, d, policy.OutcomeNoop, now)
		now = now.Add(10 * time.Second)
		return d
	}
	for range 1000 {
		tick(100000)
	}
	for range 3 {
		tick(0)
	}
	if d := tick(0); d.Reason != policy.ReasonShrink && d.Reason != policy.ReasonIdle {
		t.Errorf("30 s after the load is gone: %s", d.Reason)
	}
}
