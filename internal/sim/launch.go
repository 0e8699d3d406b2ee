package sim

import "time"

// LaunchLimit is how fast tasks may be launched: a token bucket.
type LaunchLimit struct {
	// Burst is how many tasks may be launched at once.
	Burst int
	// PerSecond is the rate after that.
	PerSecond float64
}

// launchTokens is the state of a LaunchLimit.
type launchTokens struct {
	limit  LaunchLimit
	tokens float64
	at     time.Duration
}

func newLaunchTokens(limit LaunchLimit) launchTokens {
	return launchTokens{limit: limit, tokens: float64(limit.Burst)}
}

// slack makes up for what is lost in rounding to nanoseconds.
const slack = 1e-6

// take returns how many of n tasks may be launched now.
func (l *launchTokens) take(n int, now time.Duration) int {
	l.tokens = min(float64(l.limit.Burst), l.tokens+(now-l.at).Seconds()*l.limit.PerSecond)
	l.at = now
	n = min(n, int(l.tokens+slack))
	l.tokens -= float64(n)
	return n
}

// wait returns how long it takes until the next task may be launched.
func (l *launchTokens) wait() time.Duration {
	return time.Duration(max(0, 1-l.tokens) / l.limit.PerSecond * float64(time.Second))
}
