package policy

import (
	"fmt"
	"time"
)

// Policy is a validated control law. It has no mutable state and may be used
// from any number of goroutines. Build it with New.
type Policy struct {
	config  Config
	windows []window
}

// New builds a policy. The error lists every problem of the configuration at once.
func New(config Config) (Policy, error) {
	if err := config.Validate(); err != nil {
		return Policy{}, err
	}
	p := Policy{config: config}
	for i, s := range config.Schedules {
		w, err := newWindow(s)
		if err != nil {
			return Policy{}, fmt.Errorf("policy.schedules[%d]: %w", i, err)
		}
		p.windows = append(p.windows, w)
	}
	return p, nil
}

// Config returns the settings that the policy was built from.
func (p Policy) Config() Config { return p.config }

// bounds returns the floor and the ceiling in force at now.
func (p Policy) bounds(now time.Time) (floor, ceiling int) {
	floor, ceiling = p.config.MinTasks, p.config.MaxTasks
	if !p.config.ScaleToZero {
		floor = max(1, floor)
	}
	for _, w := range p.windows {
		if !w.contains(now) {
			continue
		}
		floor = max(floor, w.floor)
		if w.ceiling > 0 {
			ceiling = min(ceiling, w.ceiling)
		}
	}
	return min(floor, ceiling), ceiling
}
