package worker

import (
	"math/rand/v2"
	"time"
)

// backoff is an exponential delay. Its jitter spreads the upper half of the
// delay, so that many workers that fail together do not return together.
type backoff struct{ base, max time.Duration }

// delay returns the delay after the n-th failure in a row, counted from 1.
func (b backoff) delay(n int) time.Duration { return b.at(n, rand.Float64()) }

// at is delay with the random number, from 0 to 1, given.
func (b backoff) at(n int, random float64) time.Duration {
	full := b.base
	for range min(n, 63) - 1 {
		if full >= b.max/2 {
			full = b.max
			break
		}
		full *= 2
	}
	full = min(full, b.max)
	return full - time.Duration(random*float64(full)/2)
}

// seconds rounds d up to whole seconds within what SQS takes as a visibility timeout.
func seconds(d time.Duration) int32 {
	whole := (max(0, d) + time.Second - 1) / time.Second
	return int32(min(whole, maxVisibility/time.Second))
}
