package sim

import (
	"errors"
	"fmt"
	"time"
)

// Setup is everything about a run but its controller. Build it from Default.
type Setup struct {
	Arrivals Arrivals
	// Service is how long a message takes, Slots how many of them a task works on at once.
	Service Distribution
	Slots   int
	// SLO is how long a message may wait.
	SLO time.Duration

	// ColdStart is from the launch of a task until it is ready.
	ColdStart Distribution
	Launch    LaunchLimit
	// FailureShare is the share of attempts that fail. The message is in flight until
	// Visibility has passed, and is dead after MaxReceives attempts.
	FailureShare float64
	Visibility   time.Duration
	MaxReceives  int
	// Bottleneck is how many messages a second all tasks together can finish,
	// because they share something; 0 is no limit.
	Bottleneck float64

	// Size is what a task has, Prices what that costs.
	Size   Size
	Prices Prices

	// Tail is how long the run goes on after the arrivals, Overtime how much
	// longer it may take until the last message has left.
	Tail, Overtime time.Duration
	// Start is the wall clock's time at the start, for schedules.
	Start time.Time
	Seed  uint64
}

// Default returns a setup with Fargate's figures: a cold start with a median of
// 25 s and 95% within 45 s, 100 launches at once and then 20 a second. Arrivals,
// Service and SLO are left to the caller.
func Default() Setup {
	return Setup{
		Slots:       1,
		ColdStart:   LogNormal{Median: 25 * time.Second, P95: 45 * time.Second},
		Launch:      LaunchLimit{Burst: 100, PerSecond: 20},
		Visibility:  time.Minute,
		MaxReceives: 5,
		Size:        Size{VCPU: 0.5, MemoryGB: 1, ARM: true},
		Prices:      USEast1(),
		Overtime:    6 * time.Hour,
		Start:       time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC), // a Monday
		Seed:        1,
	}
}

// Validate reports everything that is missing or out of range, all at once.
func (s Setup) Validate() error {
	return errors.Join(
		demand(s.Arrivals.Buckets != nil && s.Arrivals.Duration > 0, "arrivals", s.Arrivals.Name, "a trace or a shape that lasts"),
		demand(s.Service != nil, "service", s.Service, "a distribution"),
		demand(s.ColdStart != nil, "cold start", s.ColdStart, "a distribution"),
		demand(s.Slots >= 1 && s.Slots <= 1000, "slots", s.Slots, "from 1 to 1000"),
		demand(s.SLO > 0, "SLO", s.SLO, "above 0"),
		demand(s.Launch.Burst >= 1 && s.Launch.PerSecond > 0, "launch limit", s.Launch, "a burst of 1 or more and a rate above 0"),
		demand(s.FailureShare >= 0 && s.FailureShare <= 1, "failure share", s.FailureShare, "from 0 to 1"),
		demand(s.MaxReceives >= 1, "max receives", s.MaxReceives, "1 or more"),
		demand(s.Visibility >= 0, "visibility", s.Visibility, "0 or more"),
		demand(s.Bottleneck >= 0, "bottleneck", s.Bottleneck, "0 or more"),
		demand(s.Tail >= 0, "tail", s.Tail, "0 or more"),
		demand(s.Overtime >= 0, "overtime", s.Overtime, "0 or more"),
	)
}

func demand(ok bool, name string, value any, allowed string) error {
	if ok {
		return nil
	}
	return fmt.Errorf("setup: %s: is %v, must be %s", name, value, allowed)
}
