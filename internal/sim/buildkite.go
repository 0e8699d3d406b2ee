package sim

import (
	"math"
	"time"
)

// The constants of buildkite/buildkite-agent-scaler, commit 49c4145: its Lambda
// polls every 10 s and ends after 50 s of each minute. The cool-downs are those
// of its CloudFormation template; the code's own are zero.
const (
	buildkitePeriod      = 10 * time.Second
	buildkiteLoop        = 50 * time.Second
	buildkiteCooldownOut = 300 * time.Second
	buildkiteCooldownIn  = 3600 * time.Second
)

// Buildkite is buildkite-agent-scaler with messages for jobs: as many tasks as
// visible messages and those in flight need.
type Buildkite struct {
	// PerTask is how many messages a task stands for.
	PerTask float64
	// Min and Max bound the count.
	Min, Max int
	// CooldownOut and CooldownIn are how long after a change in a direction the
	// next in that direction may follow.
	CooldownOut, CooldownIn time.Duration

	out, in moment
}

// Period is that of the Lambda's loop.
func (b *Buildkite) Period() time.Duration { return buildkitePeriod }

// Decide computes the count, and holds it while the cool-down of its direction runs.
func (b *Buildkite) Decide(seen Sight) int {
	if seen.Now%time.Minute >= buildkiteLoop {
		return seen.Desired
	}
	n := int(math.Ceil(float64(seen.Visible+seen.InFlight) / b.PerTask))
	n = min(max(n, b.Min), b.Max)
	switch {
	case n > seen.Desired && !b.out.within(b.CooldownOut, seen.Now):
		b.out.set(seen.Now)
		return n
	case n < seen.Desired && !b.in.within(b.CooldownIn, seen.Now):
		b.in.set(seen.Now)
		return n
	}
	return seen.Desired
}

// Overhead is the Lambda function that loops for 50 s of each minute.
func (b *Buildkite) Overhead(p Prices) Overhead {
	return Overhead{PerMonth: p.loop(buildkiteLoop.Seconds(), buildkitePeriod)}
}
