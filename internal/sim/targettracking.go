package sim

import (
	"math"
	"time"
)

// The constants of Application Auto Scaling's target tracking, from AWS's
// documentation; the service itself is closed. AWS's own benchmark saw 363 s from
// a step in load to the trigger; with these a step to ten times the target
// triggers after 240 s at most, which favours this peer.
const (
	trackingPeriod    = time.Minute
	trackingHighCount = 3   // datapoints above the target
	trackingLowCount  = 15  // datapoints below the low threshold
	trackingLowShare  = 0.9 // of the target
	trackingCooldown  = 300 * time.Second
)

// TargetTracking is AWS's target tracking on the backlog per task: visible ÷
// running, a datapoint a minute.
type TargetTracking struct {
	// Target is the backlog per task.
	Target float64
	// Min and Max bound the count.
	Min, Max int
	// CooldownOut and CooldownIn are how long after an action the next may follow.
	CooldownOut, CooldownIn time.Duration
	// WholeBacklog rounds the backlog per task up, as Copilot's metric does.
	WholeBacklog bool

	line      delayLine
	high, low int // consecutive datapoints
	out, in   moment
}

// Period is that of the metric.
func (t *TargetTracking) Period() time.Duration { return trackingPeriod }

// Decide takes in the datapoint that is published now, and asks both alarms.
func (t *TargetTracking) Decide(seen Sight) int {
	backlog, ok := t.line.pass(seen.Now, t.perTask(seen))
	if !ok {
		return t.bound(seen.Desired)
	}
	t.count(backlog)
	n := float64(seen.Desired)
	wanted := t.bound(int(math.Ceil(n * backlog / t.Target)))
	switch {
	case t.high >= trackingHighCount && !t.out.within(t.CooldownOut, seen.Now):
		return t.grow(max(wanted, 1), seen)
	case t.low >= trackingLowCount && !t.out.within(t.CooldownIn, seen.Now) && !t.in.within(t.CooldownIn, seen.Now):
		return t.shrink(wanted, seen)
	}
	return t.bound(seen.Desired)
}

func (t *TargetTracking) perTask(seen Sight) float64 {
	b := float64(seen.Visible) / float64(max(1, seen.Running))
	if t.WholeBacklog {
		return math.Ceil(b)
	}
	return b
}

// count keeps the number of consecutive datapoints on either side.
func (t *TargetTracking) count(backlog float64) {
	t.high++
	if backlog <= t.Target {
		t.high = 0
	}
	t.low++
	if backlog >= trackingLowShare*t.Target {
		t.low = 0
	}
}

func (t *TargetTracking) grow(n int, seen Sight) int {
	n = t.bound(n)
	if n <= seen.Desired {
		return seen.Desired
	}
	t.out.set(seen.Now)
	return n
}

func (t *TargetTracking) shrink(n int, seen Sight) int {
	if n >= seen.Desired {
		return seen.Desired
	}
	t.in.set(seen.Now)
	return n
}

func (t *TargetTracking) bound(n int) int { return min(max(n, t.Min), t.Max) }

// Overhead is the metric and the two alarms.
func (t *TargetTracking) Overhead(p Prices) Overhead {
	return Overhead{PerMonth: p.Metric + 2*p.Alarm}
}

// delayLine is a metric that is published late: what goes in comes out
// metricLag later.
type delayLine struct{ points []datapoint }

// pass puts in a datapoint and takes out the one that is published now, if any.
func (l *delayLine) pass(now time.Duration, value float64) (float64, bool) {
	l.points = append(l.points, datapoint{now, value})
	if now-l.points[0].at < metricLag {
		return 0, false
	}
	out := l.points[0].value
	l.points = append(l.points[:0], l.points[1:]...)
	return out, true
}

// moment is a time that may not have come yet.
type moment struct {
	at  time.Duration
	was bool
}

func (m *moment) set(now time.Duration) { m.at, m.was = now, true }

// within reports whether the moment was less than d ago.
func (m moment) within(d, now time.Duration) bool { return m.was && now-m.at < d }
