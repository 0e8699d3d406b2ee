package sim_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/rousehq/rouse/internal/policy"
	"github.com/rousehq/rouse/internal/sim"
)

// The robustness of the law, shown by runs over random workloads and settings.

// anyConfig draws a configuration from the whole legal space. It may scale to
// zero, and nothing pauses it.
func anyConfig(t *testing.T, r *rand.Rand) policy.Config {
	t.Helper()
	settings := map[string]any{"scale_to_zero": true}
	for _, s := range policy.Settings() {
		switch s.Max {
		case 0: // not a number
		case 1:
			settings[s.Name] = 0.01 + 0.98*r.Float64()
		default:
			settings[s.Name] = between(r, int(max(1, s.Min)), int(s.Max))
		}
	}
	settings["min_tasks"] = 0
	settings["wake_limit"] = r.IntN(settings["max_tasks"].(int) + 1)
	settings["brake_retry_seconds"] = min(settings["brake_retry_seconds"].(int), settings["brake_retry_max_seconds"].(int))
	data, err := json.Marshal(settings)
	if err != nil {
		t.Fatal(err)
	}
	var c policy.Config
	if err := json.Unmarshal(data, &c); err != nil {
		t.Fatal(err)
	}
	if r.IntN(3) == 0 {
		c.BacklogPerTask = policy.Auto
	}
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	return c
}

// between favours the ends of a range and its low part, where most users are.
func between(r *rand.Rand, low, high int) int {
	switch r.IntN(4) {
	case 0:
		return low
	case 1:
		return high
	case 2:
		return low + r.IntN(min(high-low+1, 100))
	}
	return low + r.IntN(high-low+1)
}

func anyRouse(t *testing.T, config policy.Config) *sim.Rouse {
	t.Helper()
	c, err := sim.NewRouse(config, 10*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// C07: at every legal setting a single message is served, at the latest once it
// has waited for the target age.
func TestC07ASingleMessageIsServedAtEverySetting(t *testing.T) {
	for seed := range uint64(30) {
		config := anyConfig(t, rand.New(rand.NewPCG(seed, 7)))
		s := plain(time.Minute, seconds(3)...)
		s.Overtime = 48 * time.Hour
		r := replay(t, s, anyRouse(t, config), nil)
		limit := 20 + 10*(config.WakeConfirmations+1)
		if config.ActivationBacklog > 1 {
			limit += config.TargetAgeSeconds
		}
		if r.Left > 0 || r.Max > time.Duration(limit)*time.Second {
			t.Errorf("seed %d: waited %v, want %d s at most: %+v", seed, r.Max, limit, config)
		}
	}
}

// Whatever the settings, a burst is worked off and the fleet goes to zero.
func TestEveryBurstDrainsAndEndsAtZero(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 8))
		config := anyConfig(t, r)
		config.MaxTasks = min(config.MaxTasks, 500)
		config.WakeLimit = min(config.WakeLimit, config.MaxTasks)
		s := plain(time.Minute, make([]time.Duration, 1+r.IntN(2000))...)
		s.Service = sim.Exponential(time.Duration(1+r.IntN(2000)) * time.Millisecond)
		s.Slots = 1 + r.IntN(4)
		s.ColdStart = sim.Default().ColdStart
		idle := max(config.IdleWindowSeconds, 10*config.IdleConfirmations)
		s.Tail = time.Duration(config.TargetAgeSeconds+idle+3*3600) * time.Second
		s.Overtime = 0
		last := -1
		result := replay(t, s, anyRouse(t, config), func(p sim.Sample) { last = p.Desired })
		if result.Left > 0 || last != 0 {
			t.Errorf("seed %d: %d messages left, desired %d: %+v", seed, result.Left, last, config)
		}
	}
}

// A shrink wants a cool-down since the last change, so the direction can change
// twice a cool-down at most; a fleet that has settled does it far less often.
func TestConstantLoadBoundsDirectionChanges(t *testing.T) {
	for seed := range uint64(16) {
		r := rand.New(rand.NewPCG(seed, 9))
		config := anyConfig(t, r)
		config.ActivationBacklog = 1
		config.CooldownDownSeconds = max(30, config.CooldownDownSeconds)
		config.IdleWindowSeconds = 3600
		s := plain(2 * time.Hour)
		s.Arrivals = sim.Steady(1+9*r.Float64(), 2*time.Hour)
		s.Service = sim.Exponential(time.Duration(500+r.IntN(5000)) * time.Millisecond)
		got := replay(t, s, anyRouse(t, config), nil).Reversals
		if most := 2*7200/config.CooldownDownSeconds + 2; got > most {
			t.Errorf("seed %d: %d direction changes, want %d at most: %+v", seed, got, most, config)
		}
	}
}

func TestTheDefaultsHoldStillUnderConstantLoad(t *testing.T) {
	for _, service := range []time.Duration{200 * time.Millisecond, 2 * time.Second, 20 * time.Second} {
		t.Run(service.String(), func(t *testing.T) {
			s := plain(4 * time.Hour)
			s.Arrivals = sim.Steady(5, 4*time.Hour)
			s.Service = sim.Exponential(service)
			s.Slots = 4
			r := replay(t, s, rouse(t, func(c *policy.Config) { c.MaxTasks = 100 }), nil)
			if r.Reversals > 4*5 { // one in twelve minutes
				t.Errorf("%d direction changes in four hours", r.Reversals)
			}
		})
	}
}

// After an hour at the ceiling the fleet goes down as fast as after ten minutes:
// nothing was wound up meanwhile.
func TestNothingWindsUpAtTheCeiling(t *testing.T) {
	var linger []time.Duration
	for _, minutes := range []int{10, 60} {
		duration := time.Duration(minutes) * time.Minute
		s := plain(duration)
		s.Arrivals = sim.Steady(2, duration)
		s.Service = sim.Constant(6 * time.Second)
		s.Tail = 12 * time.Hour
		controller := rouse(t, func(c *policy.Config) { c.MaxTasks = 5; c.Ki = 10 })
		atMax := 0
		controller.Explain = func(_ time.Duration, _ policy.Observation, d policy.Decision) {
			if d.Reason == policy.ReasonAtMax {
				atMax++
				if d.Terms.Integral != 0 {
					t.Fatalf("the integral is %v at the ceiling", d.Terms.Integral)
				}
			}
		}
		linger = append(linger, lingering(t, s, controller))
		if atMax < minutes {
			t.Errorf("%d ticks at the ceiling in %d minutes", atMax, minutes)
		}
	}
	if off := max(linger[0]-linger[1], linger[1]-linger[0]); off > 10*time.Second {
		t.Errorf("to zero %v after a short overload, %v after a long one", linger[0], linger[1])
	}
}

// lingering returns how long it takes from the last message's end to zero tasks.
func lingering(t *testing.T, s sim.Setup, c sim.Controller) time.Duration {
	t.Helper()
	var empty, zero time.Duration
	replay(t, s, c, func(p sim.Sample) {
		if p.Visible+p.InFlight > 0 {
			empty, zero = 0, 0
			return
		}
		if empty == 0 {
			empty = p.At
		}
		if p.Desired == 0 && zero == 0 {
			zero = p.At
		}
	})
	return zero - empty
}

func TestSaturationIsHeldWithoutWindup(t *testing.T) {
	s := plain(15*time.Minute, make([]time.Duration, 20000)...)
	s.Service = sim.Constant(time.Second)
	s.Bottleneck = 10
	controller := rouse(t, func(c *policy.Config) { c.MaxTasks = 200; c.WakeLimit = 2; c.StepUp = 4; c.CooldownUpSeconds = 60 })
	last, held := 0.0, 0
	controller.Explain = func(_ time.Duration, _ policy.Observation, d policy.Decision) {
		if d.Reason == policy.ReasonSaturated {
			if held++; d.Terms.Integral > last {
				t.Fatalf("the integral rose from %v to %v while saturated", last, d.Terms.Integral)
			}
		}
		last = d.Terms.Integral
	}
	replay(t, s, controller, nil)
	if held < 10 {
		t.Errorf("saturated for %d ticks only", held)
	}
}

// Ten blind ticks, at zero and under load: the first that sees again does what
// the load asks for.
func TestRecoversWithinOneTickAfterTenBlindOnes(t *testing.T) {
	for _, before := range []int{0, 40} {
		t.Run(fmt.Sprintf("%d messages before", before), func(t *testing.T) {
			at := make([]time.Duration, before)
			for range 2000 {
				at = append(at, 105*time.Second)
			}
			controller, j := rouse(t, func(c *policy.Config) { c.MaxTasks = 60 }), journal{}
			controller.Explain = j.keep
			controller.Blind = func(now time.Duration) bool { return now >= 100*time.Second && now < 200*time.Second }
			replay(t, plain(5*time.Minute, at...), controller, nil)
			for i := 10; i < 20; i++ {
				if d := j.decisions[i]; d.Change || d.Reason != policy.ReasonBlind {
					t.Errorf("blind at %v: %+v", j.at[i], d)
				}
			}
			if d := j.decisions[20]; !d.Change || d.Target <= j.decisions[19].Target {
				t.Errorf("at %v: %d for %s, was %d", j.at[20], d.Target, d.Reason, j.decisions[19].Target)
			}
		})
	}
}
