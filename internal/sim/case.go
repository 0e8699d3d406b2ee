package sim

import (
	"fmt"
	"math"
	"time"

	"github.com/rousehq/rouse/internal/policy"
)

// Workload is what messages need and how long they may wait.
type Workload struct {
	Name    string
	Service Distribution
	Slots   int
	SLO     time.Duration
}

// Workloads are those that policies are compared by: short, middling and long jobs.
func Workloads() []Workload {
	return []Workload{
		{"0.2s×10 slo 30s", Exponential(200 * time.Millisecond), 10, 30 * time.Second},
		{"5s×4 slo 60s", Exponential(5 * time.Second), 4, 60 * time.Second},
		{"30s×2 slo 300s", Exponential(30 * time.Second), 2, 300 * time.Second},
	}
}

// Case is a workload with arrivals, and what is derived from both so that all
// contenders are set up alike.
type Case struct {
	Name  string
	Setup Setup
	// MeanTasks and PeakTasks are what the mean and the busiest minute need with all slots busy.
	MeanTasks, PeakTasks float64
	// MaxTasks is the ceiling for every contender: half as much again as the peak needs.
	MaxTasks int
}

const (
	leastMaxTasks = 10
	mostMaxTasks  = 5000
)

// NewCase derives a case from a setup that has everything but the workload.
func NewCase(setup Setup, w Workload) (Case, error) {
	setup.Service, setup.Slots, setup.SLO = w.Service, w.Slots, w.SLO
	if err := setup.Validate(); err != nil {
		return Case{}, err
	}
	peak, err := setup.Arrivals.PeakRate(setup.Seed, time.Minute)
	if err != nil {
		return Case{}, err
	}
	count, err := setup.Arrivals.Count(setup.Seed)
	if err != nil {
		return Case{}, err
	}
	perTask := float64(w.Slots) / w.Service.Mean().Seconds() // messages a second
	c := Case{
		Name:      setup.Arrivals.Name + " " + w.Name,
		Setup:     setup,
		MeanTasks: float64(count) / setup.Arrivals.Duration.Seconds() / perTask,
		PeakTasks: peak / perTask,
	}
	c.MaxTasks = min(max(leastMaxTasks, int(math.Ceil(1.5*c.PeakTasks))), mostMaxTasks)
	return c, nil
}

// WithColdStart returns the case with another median cold start, as skewed as
// Fargate's, for a table of sensitivity.
func (c Case) WithColdStart(median time.Duration) Case {
	const skew = 45.0 / 25
	c.Name = fmt.Sprintf("%s cold start %v", c.Name, median)
	c.Setup.ColdStart = LogNormal{Median: median, P95: time.Duration(skew * float64(median))}
	return c
}

// backlogPerTask is what a task finishes within the SLO: AWS's own formula for
// an acceptable backlog.
func (c Case) backlogPerTask() float64 {
	s := c.Setup
	return max(1, s.SLO.Seconds()*float64(s.Slots)/s.Service.Mean().Seconds())
}

// Contender is a controller that can be set up for any case.
type Contender struct {
	Name string
	// Rouse is true for Rouse's own law, whose points are held against all others.
	Rouse bool
	// New returns a controller for one run of the case.
	New func(Case) (Controller, error)
}

// RouseContender is Rouse with a configuration: of it max_tasks and
// target_age_seconds are the case's, and it may scale to zero.
func RouseContender(name string, config policy.Config, tick time.Duration) Contender {
	return Contender{Name: name, Rouse: true, New: func(c Case) (Controller, error) {
		config.ScaleToZero = true
		config.MaxTasks = c.MaxTasks
		config.TargetAgeSeconds = int(math.Ceil(c.Setup.SLO.Seconds()))
		r, err := NewRouse(config, tick)
		if err != nil {
			return nil, fmt.Errorf("contender %s: %w", name, err)
		}
		return r, nil
	}}
}

// Peers are the other autoscalers, each as its users set it up. Those that can
// scale to zero may; step scaling keeps one task, as the CDK's default does.
func Peers() []Contender {
	return []Contender{
		peer("keda", func(c Case) Controller { return &KEDA{QueueLength: kedaQueueLength, Max: c.MaxTasks} }),
		peer("keda tuned", func(c Case) Controller { return &KEDA{QueueLength: c.backlogPerTask(), Max: c.MaxTasks} }),
		peer("target tracking", func(c Case) Controller {
			return &TargetTracking{Target: c.backlogPerTask(), Max: c.MaxTasks, CooldownOut: trackingCooldown, CooldownIn: trackingCooldown}
		}),
		peer("step scaling", func(c Case) Controller {
			return &StepScaling{Steps: CDKSteps(), Min: 1, Max: c.MaxTasks, Cooldown: stepCooldown}
		}),
		peer("copilot", func(c Case) Controller {
			return NewCopilot(c.Setup.SLO, c.Setup.Service.Mean(), 0, c.MaxTasks)
		}),
		peer("buildkite template", func(c Case) Controller {
			return &Buildkite{PerTask: float64(c.Setup.Slots), Max: c.MaxTasks, CooldownOut: buildkiteCooldownOut, CooldownIn: buildkiteCooldownIn}
		}),
		peer("buildkite code", func(c Case) Controller {
			return &Buildkite{PerTask: float64(c.Setup.Slots), Max: c.MaxTasks}
		}),
		peer("knative", func(c Case) Controller { return NewKnative(c.Setup.Slots, 0, c.MaxTasks) }),
		peer("fixed mean", func(c Case) Controller { return Fixed(math.Ceil(1.25 * c.MeanTasks)) }),
		peer("fixed peak", func(c Case) Controller { return Fixed(min(mostMaxTasks, math.Ceil(c.PeakTasks))) }),
	}
}

func peer(name string, build func(Case) Controller) Contender {
	return Contender{Name: name, New: func(c Case) (Controller, error) { return build(c), nil }}
}
