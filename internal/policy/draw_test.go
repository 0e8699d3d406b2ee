package policy_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"time"

	"github.com/rousehq/rouse/internal/policy"
)

// draw makes policies, states and observations out of bytes, so that the
// fuzzer steers what is drawn; where the bytes end, a generator goes on.
type draw struct {
	data []byte
	rest *rand.Rand
}

func newDraw(data []byte) *draw {
	var seed uint64
	for _, b := range data {
		seed = seed*131 + uint64(b)
	}
	return &draw{data: data, rest: rand.New(rand.NewPCG(seed, 1))}
}

// below returns a number from 0 to n-1.
func (d *draw) below(n int) int {
	if len(d.data) < 2 {
		return d.rest.IntN(n)
	}
	v := int(d.data[0])<<8 | int(d.data[1])
	d.data = d.data[2:]
	return v % n
}

func (d *draw) flip() bool { return d.below(2) == 1 }

// between favours the ends of a range, where faults live.
func (d *draw) between(low, high int) int {
	switch d.below(6) {
	case 0:
		return low
	case 1:
		return high
	case 2:
		return low + d.below(min(high-low+1, 5))
	}
	return low + d.below(high-low+1)
}

// config returns a legal configuration from the whole space.
func (d *draw) config() policy.Config {
	maxTasks := d.between(1, 5000)
	c := policy.Config{
		ScaleToZero: d.flip(), MinTasks: d.between(0, maxTasks), MaxTasks: maxTasks,
		TargetAgeSeconds:  d.between(1, 86400),
		BacklogPerTask:    policy.Backlog(d.between(0, 3000)) / 3,
		ActivationBacklog: d.between(1, 1000000), WakeLimit: d.between(0, maxTasks), WakeConfirmations: d.between(1, 10),
		EWMAAlpha: float64(d.between(1, 1000)) / 1000, Hysteresis: float64(d.between(0, 999)) / 1000,
		StepUp: d.between(1, 5000), StepDown: d.between(1, 5000),
		Kp: float64(d.between(0, 100)), Ki: float64(d.between(0, 100)),
		CooldownUpSeconds: d.between(0, 86400), CooldownDownSeconds: d.between(0, 86400),
		BackoffFactor: float64(d.between(1, 10)), BackoffMaxMultiplier: float64(d.between(1, 100)),
		BackoffResetSeconds: d.between(0, 86400),
		IdleWindowSeconds:   d.between(0, 86400), IdleConfirmations: d.between(1, 10),
		WarmupSeconds:      d.between(0, 3600),
		Delayed:            []policy.DelayedPolicy{policy.DelayedHold, policy.DelayedPrewake, policy.DelayedIgnore}[d.below(3)],
		PrewakeLeadSeconds: d.between(0, 900), BrakeAfterStarts: d.between(1, 100),
		BrakeRetrySeconds: d.between(1, 3600), BrakeRetryMaxSeconds: d.between(3600, 86400),
		StalledAfterSeconds: d.between(60, 86400), Paused: d.below(20) == 0,
	}
	for range d.below(3) {
		c.Schedules = append(c.Schedules, d.schedule(maxTasks))
	}
	return c
}

func (d *draw) schedule(maxTasks int) policy.Schedule {
	clock := func() string { return time.Date(2026, 1, 1, d.below(24), d.below(60), 0, 0, time.UTC).Format("15:04") }
	ceiling := d.between(0, maxTasks)
	floor := d.between(0, maxTasks)
	if ceiling > 0 {
		floor = min(floor, ceiling)
	}
	return policy.Schedule{Start: clock(), End: clock(), Timezone: "Europe/Berlin", Floor: floor, Ceiling: ceiling}
}

// state returns a state: a first run, one that can be, or garbage.
func (d *draw) state(now time.Time) policy.State {
	if d.below(4) == 0 {
		return policy.State{}
	}
	back := func() policy.Instant {
		if d.below(3) == 0 {
			return 0
		}
		return policy.At(now.Add(-time.Duration(d.between(-100, 100000)) * time.Second))
	}
	s := policy.State{
		Version: policy.StateVersion, Desired: d.between(-3, 5000), Age: d.float(), AgeKnown: d.flip(), ServiceTime: d.float(),
		MeanInFlight: d.float(), Work: d.between(-3, 5000), WorkFell: d.flip(), Integral: d.float(), LastUp: back(), LastDown: back(), Multiplier: d.float(),
		WakeReads: d.between(-3, 20), WaitingSince: back(), IdleSince: back(), IdleReads: d.between(-3, 20), CalmSince: back(),
		DelayedSince: back(), StartingSince: back(), Running: d.between(-3, 5000),
	}
	if d.flip() {
		s.Brake = policy.BrakeState{Starts: d.between(-3, 300), Bought: d.between(-3, 5000), On: d.flip(), Retries: d.between(-3, 100), Until: back(), Revision: d.revision()}
	}
	if d.flip() {
		s.Progress = policy.ProgressState{CompletedAt: back(), Since: back(), Tasks: d.between(-3, 5000), Completed: d.between(-3, 5000), Unmeasured: d.between(-3, 9), Latest: d.throughput(), Base: d.throughput(), SaturatedSince: back()}
	}
	return s
}

func (d *draw) throughput() policy.Throughput {
	return policy.Throughput{Tasks: d.between(-3, 50), Jobs: d.between(-3, 5000), Rate: d.float()}
}

func (d *draw) revision() string { return []string{"", "app:1", "app:2"}[d.below(3)] }

func (d *draw) float() float64 {
	switch d.below(10) {
	case 0:
		return math.NaN()
	case 1:
		return math.Inf(1 - 2*d.below(2))
	case 2:
		return -float64(d.below(1000))
	case 3:
		return math.MaxFloat64
	}
	return float64(d.below(100000)) / 100
}

func (d *draw) observation() policy.Observation {
	desired := d.between(0, 5000)
	if d.below(3) == 0 {
		desired = 0
	}
	o := policy.Observation{
		Queue: policy.Known(policy.Queue{Visible: d.between(0, 60000), InFlight: d.between(0, 5000), Delayed: d.between(0, 5000)}),
		Service: policy.Known(policy.Service{
			Desired: desired, Running: d.between(0, 5000), Pending: d.between(0, 5000), Deploying: d.flip(), Revision: d.revision(),
		}),
		OldestAge: drawn(d, d.float()), Ready: drawn(d, d.between(-2, 5000)), Busy: drawn(d, d.between(-2, 5000)),
		SlotsPerTask: drawn(d, d.between(-2, 1000)), ServiceTime: drawn(d, d.float()), Completed: drawn(d, d.between(-2, 5000)),
		Starts: drawn(d, d.between(-2, 200)), Groups: drawn(d, d.between(-2, 200)), QueueDelay: drawn(d, d.float()),
	}
	if d.below(10) == 0 {
		o.Override = policy.Known(policy.Override{Mode: []policy.OverrideMode{policy.OverrideCount, policy.OverridePause, "?"}[d.below(3)], Count: d.between(-5, 6000)})
	}
	return o
}

func drawn[T any](d *draw, v T) policy.Signal[T] {
	if d.below(3) == 0 {
		return policy.Signal[T]{}
	}
	return policy.Known(v)
}

// garbage reads the bytes as stored state, whatever they are.
func garbage(data []byte) policy.State {
	var s policy.State
	if json.Unmarshal(data, &s) != nil {
		return policy.State{Version: policy.StateVersion}
	}
	return s
}
