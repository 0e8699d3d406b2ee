package sim

import (
	"math"
	"math/bits"
	"time"
)

const (
	// Each power of two is divided into 2⁷ equal parts.
	histogramBits = 7
	histogramPart = 1 << histogramBits
)

// Histogram counts durations in buckets whose width grows with the value, as
// HDR histograms do. A quantile is off by at most 1/256 of itself: half a
// bucket, which is at most 1/128 of what it holds. Its size is constant. The
// zero value is empty.
type Histogram struct {
	counts [(64 - histogramBits) * histogramPart]int
	total  int
	most   time.Duration
}

// Add counts a duration; a negative one counts as zero.
func (h *Histogram) Add(d time.Duration) {
	d = max(0, d)
	h.counts[histogramIndex(int(d))]++
	h.total++
	h.most = max(h.most, d)
}

// Count returns how many durations were added.
func (h *Histogram) Count() int { return h.total }

// Max returns the greatest duration, exactly.
func (h *Histogram) Max() time.Duration { return h.most }

// Quantile returns the least duration that a share q of all durations does not
// exceed; 0 if there are none.
func (h *Histogram) Quantile(q float64) time.Duration {
	rank := max(1, int(math.Ceil(q*float64(h.total))))
	seen := 0
	for i, n := range h.counts {
		seen += n
		if seen >= rank {
			return min(h.most, histogramValue(i))
		}
	}
	return h.most
}

// histogramIndex returns the bucket of v: the position of its highest bit, and
// the bits that follow.
func histogramIndex(v int) int {
	shift := max(0, bits.Len(uint(v))-histogramBits-1) // #nosec G115 -- v is not negative
	return shift<<histogramBits + v>>shift
}

// histogramValue returns the middle of a bucket.
func histogramValue(i int) time.Duration {
	shift := max(0, i>>histogramBits-1)
	low := (i - shift<<histogramBits) << shift
	return time.Duration(low + 1<<shift/2)
}
