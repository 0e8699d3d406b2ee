package sim

import (
	"math"
	"time"
)

const (
	stepPeriod   = time.Minute
	stepCooldown = 300 * time.Second
)

// Step adjusts the count by Change once the metric is at From or above, and
// below the From of the next step.
type Step struct {
	From   float64
	Change int
}

// StepScaling is Application Auto Scaling's step scaling on visible messages:
// one datapoint of a minute, published late. During the cool-down of a
// scale-out a larger step adds the difference, and scale-in is blocked.
type StepScaling struct {
	// Steps are in ascending order.
	Steps []Step
	// Min and Max bound the count.
	Min, Max int
	// Cooldown is how long after an action the next may follow.
	Cooldown time.Duration

	line    delayLine
	out, in moment
	added   int // by the scale-out that is cooling down
}

// CDKSteps are the defaults of the CDK's QueueProcessingFargateService: one
// task more from 100 messages, five from 500, one less at none.
func CDKSteps() []Step {
	return []Step{{0, -1}, {1, 0}, {100, +1}, {500, +5}}
}

// Period is that of the metric.
func (s *StepScaling) Period() time.Duration { return stepPeriod }

// Decide takes in the datapoint that is published now.
func (s *StepScaling) Decide(seen Sight) int {
	visible, ok := s.line.pass(seen.Now, float64(seen.Visible))
	if !ok {
		return s.bound(seen.Desired)
	}
	switch change := s.change(visible); {
	case change > 0:
		return s.grow(change, seen)
	case change < 0 && !s.out.within(s.Cooldown, seen.Now) && !s.in.within(s.Cooldown, seen.Now):
		return s.shrink(change, seen)
	}
	return s.bound(seen.Desired)
}

func (s *StepScaling) change(metric float64) int {
	change, from := 0, math.Inf(-1)
	for _, step := range s.Steps {
		if metric >= step.From && step.From > from {
			change, from = step.Change, step.From
		}
	}
	return change
}

func (s *StepScaling) grow(change int, seen Sight) int {
	if s.out.within(s.Cooldown, seen.Now) {
		change -= s.added
	} else {
		s.added = 0
	}
	n := s.bound(seen.Desired + max(0, change))
	if n > seen.Desired {
		s.added += n - seen.Desired
		s.out.set(seen.Now)
	}
	return n
}

func (s *StepScaling) shrink(change int, seen Sight) int {
	n := s.bound(seen.Desired + change)
	if n < seen.Desired {
		s.in.set(seen.Now)
	}
	return n
}

func (s *StepScaling) bound(n int) int { return min(max(n, s.Min), s.Max) }

// Overhead is two alarms on a metric that SQS publishes for nothing.
func (s *StepScaling) Overhead(p Prices) Overhead { return Overhead{PerMonth: 2 * p.Alarm} }
