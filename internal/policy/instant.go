package policy

import "time"

// Instant is a moment in Unix milliseconds; zero means never. State keeps
// instants rather than time.Time so that any stored value, even garbage, can be
// read, compared and written again.
type Instant int64

// At converts a time to an Instant.
func At(t time.Time) Instant { return Instant(t.UnixMilli()) }

// Time converts the instant to a time in UTC; never becomes the zero time.
func (i Instant) Time() time.Time {
	if i == 0 {
		return time.Time{}
	}
	return time.UnixMilli(int64(i)).UTC()
}

// since returns the seconds from i to now. It is never negative, and 0 if i is never.
func (i Instant) since(now Instant) float64 {
	if i == 0 || i >= now {
		return 0
	}
	return float64(now-i) / 1000
}

// add returns the instant seconds after i.
func (i Instant) add(seconds float64) Instant { return i + Instant(seconds*1000) }

// until returns the seconds from i to later. It is never negative.
func (i Instant) until(later Instant) float64 { return i.since(later) }
