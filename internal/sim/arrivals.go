package sim

import (
	"fmt"
	"iter"
	"math"
	"time"
)

// Arrivals are when messages are sent: a trace, or a shape.
type Arrivals struct {
	// Name is how tables call them.
	Name string
	// Duration is how long they go on; the time after the last message counts.
	Duration time.Duration
	// Buckets yields the arrivals in order, afresh on each call, by way of the
	// seed if they are random. The first error ends them.
	Buckets func(seed uint64) iter.Seq2[Bucket, error]
}

// Bucket is a number of messages sent at random moments of an interval. Buckets
// do not overlap; in one without width all messages are sent at its start.
type Bucket struct {
	Start, Width time.Duration
	Count        int
}

// Moments are arrivals at the given moments, which must be in order.
func Moments(name string, duration time.Duration, at ...time.Duration) Arrivals {
	return Arrivals{Name: name, Duration: duration, Buckets: func(uint64) iter.Seq2[Bucket, error] {
		return func(yield func(Bucket, error) bool) {
			for _, t := range at {
				if !yield(Bucket{Start: t, Count: 1}, nil) {
					return
				}
			}
		}
	}}
}

// PeakRate returns the greatest number of messages a second, as a mean over a
// window that slides by whole windows.
func (a Arrivals) PeakRate(seed uint64, window time.Duration) (float64, error) {
	most, current, since := 0.0, 0.0, time.Duration(0)
	for b, err := range a.Buckets(seed) {
		if err != nil {
			return 0, err
		}
		if b.Start-since >= window {
			current, since = 0, b.Start-b.Start%window
		}
		current += float64(b.Count)
		most = max(most, current/max(window, b.Width).Seconds())
	}
	return most, nil
}

// Count returns how many messages there are in all.
func (a Arrivals) Count(seed uint64) (int, error) {
	n := 0
	for b, err := range a.Buckets(seed) {
		if err != nil {
			return n, err
		}
		n += b.Count
	}
	return n, nil
}

// feed turns buckets into single messages, one ahead of the clock.
type feed struct {
	pull   func() (Bucket, error, bool)
	stop   func()
	chance chance

	bucket Bucket
	left   int     // messages of the bucket that are still to come
	share  float64 // how much of the bucket's width has passed
	drawn  uint64

	// at is when the next message is sent, if more is true.
	at   time.Duration
	more bool
	err  error
}

func newFeed(a Arrivals, seed uint64) *feed {
	pull, stop := iter.Pull2(a.Buckets(seed))
	f := &feed{pull: pull, stop: stop, chance: chance(seed)}
	f.advance()
	return f
}

// advance goes on to the next message.
func (f *feed) advance() {
	for f.left == 0 {
		if !f.open() {
			f.more = false
			return
		}
	}
	f.place()
	f.left--
	f.more = true
}

// open takes the next bucket; false is the end, or an error.
func (f *feed) open() bool {
	b, err, ok := f.pull()
	if !ok || err != nil {
		f.err = err
		return false
	}
	if b.Count < 0 || b.Width < 0 || b.Start < f.bucket.Start+f.bucket.Width {
		f.err = fmt.Errorf("arrivals at %v: must follow the bucket that starts at %v and lasts %v", b.Start, f.bucket.Start, f.bucket.Width)
		return false
	}
	f.bucket, f.left, f.share = b, b.Count, 0
	return true
}

// place draws the next of the left moments of the bucket in ascending order:
// the least of k uniform draws has the distribution function 1 − (1−x)ᵏ.
func (f *feed) place() {
	f.at = f.bucket.Start
	if f.bucket.Width == 0 {
		return
	}
	f.drawn++
	u := f.chance.uniform(drawPlace, f.drawn)
	f.share += (1 - f.share) * -math.Expm1(math.Log1p(-u)/float64(f.left))
	f.at += time.Duration(f.share * float64(f.bucket.Width))
}
