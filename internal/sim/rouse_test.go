package sim_test

import (
	"slices"
	"testing"
	"time"

	"github.com/rousehq/rouse/internal/policy"
	"github.com/rousehq/rouse/internal/sim"
)

// rouse returns a controller with the defaults, changed as told, that may scale to zero.
func rouse(t *testing.T, change func(*policy.Config)) *sim.Rouse {
	t.Helper()
	config := policy.Default()
	config.ScaleToZero = true
	change(&config)
	r, err := sim.NewRouse(config, 10*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// journal keeps what a run decided.
type journal struct {
	at           []time.Duration
	observations []policy.Observation
	decisions    []policy.Decision
}

func (j *journal) keep(now time.Duration, o policy.Observation, d policy.Decision) {
	j.at = append(j.at, now)
	j.observations = append(j.observations, o)
	j.decisions = append(j.decisions, d)
}

// first returns when a reason was first given.
func (j *journal) first(reason policy.Reason) (time.Duration, policy.Decision, bool) {
	i := slices.IndexFunc(j.decisions, func(d policy.Decision) bool { return d.Reason == reason })
	if i < 0 {
		return 0, policy.Decision{}, false
	}
	return j.at[i], j.decisions[i], true
}

// One message at 5 s: seen at 10 s, started at 30 s after a wait of 25 s, done
// at 40 s. The idle window begins at 40 s and is over at 100 s.
func TestRouseWakesAndGoesBackToZeroByHand(t *testing.T) {
	s := plain(5*time.Minute, seconds(5)...)
	desired := map[time.Duration]int{}
	r := replay(t, s, rouse(t, func(*policy.Config) {}), func(p sim.Sample) { desired[p.At] = p.Desired })
	if r.Max != 25*time.Second || r.Completed != 1 || r.ColdStarts != 1 || r.Actions != 2 {
		t.Errorf("got %+v", r)
	}
	for at, want := range map[time.Duration]int{0: 0, 10 * time.Second: 1, 90 * time.Second: 1, 100 * time.Second: 0} {
		if desired[at] != want {
			t.Errorf("desired %d at %v, want %d", desired[at], at, want)
		}
	}
	near(t, "task-hours", r.TaskHours, 90.0/3600, 1e-12)
}

// What the policy is told is what the scaler would have read: no task, no
// reports; no events yet, no count of starts; an age only once it was measured.
func TestRouseObservesAsTheScalerDoes(t *testing.T) {
	s := plain(3*time.Minute, seconds(5, 5, 5, 5, 5, 5)...)
	controller, j := rouse(t, func(*policy.Config) {}), journal{}
	controller.Explain = j.keep
	replay(t, s, controller, nil)

	asleep, woken, working := j.observations[0], j.observations[1], j.observations[3]
	if asleep.Ready.IsKnown() || asleep.Completed.IsKnown() || asleep.Starts.IsKnown() || asleep.OldestAge.IsKnown() {
		t.Errorf("at zero: %+v", asleep)
	}
	if q, _ := woken.Queue.Get(); q != (policy.Queue{Visible: 6}) {
		t.Errorf("at 10 s: %+v", woken)
	}
	if v, known := j.observations[2].Starts.Get(); !known || v != 1 {
		t.Errorf("at 20 s: starts %v, want 1", j.observations[2].Starts)
	}
	age, _ := working.OldestAge.Get()
	busy, _ := working.Busy.Get()
	if age != 25 || busy != 1 { // received at 30 s, sent at 5 s
		t.Errorf("at 30 s: age %v, busy %v, want 25 and 1", age, busy)
	}
	if took, _ := j.observations[4].ServiceTime.Get(); took != 10 {
		t.Errorf("at 40 s: service time %v, want 10", took)
	}
}

func TestC22TheFirstWriteAsksForAllThatIsNeeded(t *testing.T) {
	s := plain(5*time.Minute, make([]time.Duration, 1000)...)
	controller, j := rouse(t, func(c *policy.Config) { c.MaxTasks = 50; c.BacklogPerTask = 10 }), journal{}
	controller.Explain = j.keep
	replay(t, s, controller, nil)
	if d := j.decisions[0]; d.Target != 50 || d.Reason != policy.ReasonWake {
		t.Errorf("got %d for %s, want 50 for wake", d.Target, d.Reason)
	}
}

// C46: all tasks together finish ten jobs a second, whatever their number.
func TestC46GrowthStopsWhereThroughputDoes(t *testing.T) {
	s := plain(20*time.Minute, make([]time.Duration, 20000)...)
	s.Service = sim.Constant(time.Second)
	s.Bottleneck = 10
	s.Slots = 2
	change := func(c *policy.Config) { c.MaxTasks = 200; c.WakeLimit = 2; c.StepUp = 4 }
	controller, j := rouse(t, change), journal{}
	controller.Explain = j.keep
	most := 0
	replay(t, s, controller, func(p sim.Sample) {
		if p.At <= 15*time.Minute {
			most = max(most, p.Desired)
		}
	})
	at, d, ok := j.first(policy.ReasonSaturated)
	if !ok || !slices.Contains(d.Conditions, policy.ConditionSaturated) || at > 5*time.Minute {
		t.Errorf("saturated: %v at %v: %+v", ok, at, d)
	}
	if most > 45 { // five are enough; without the rule it is 122
		t.Errorf("%d tasks in 15 minutes", most)
	}
}

// C48: the age of the oldest message is a setpoint, and each workload has its own.
func TestC48EachWorkloadKeepsItsOwnTargetAge(t *testing.T) {
	s := plain(2 * time.Hour)
	s.Arrivals = sim.Steady(2, 2*time.Hour)
	s.Service = sim.Exponential(5 * time.Second)
	var results []sim.Result
	for _, target := range []int{30, 300} {
		results = append(results, replay(t, s, rouse(t, func(c *policy.Config) {
			c.MaxTasks, c.TargetAgeSeconds, c.BacklogPerTask = 50, target, policy.Auto
		}), nil))
	}
	strict, lax := results[0], results[1]
	if strict.P95 > 45*time.Second || lax.P95 < 100*time.Second || lax.P95 > 375*time.Second {
		t.Errorf("p95 %v for a target of 30s, %v for one of 300s", strict.P95, lax.P95)
	}
	if lax.TaskHours >= strict.TaskHours {
		t.Errorf("a target of 300s costs %.2f task-hours, one of 30s %.2f", lax.TaskHours, strict.TaskHours)
	}
}

func TestRouseRefusesAnImpossibleTick(t *testing.T) {
	for _, tick := range []time.Duration{0, time.Millisecond, 2 * time.Minute} {
		if _, err := sim.NewRouse(policy.Default(), tick); err == nil {
			t.Errorf("a tick of %v is taken", tick)
		}
	}
	if _, err := sim.NewRouse(policy.Config{}, time.Second); err == nil {
		t.Error("a configuration of zeros is taken")
	}
}
