package sim

import (
	"iter"
	"math"
	"time"
)

// Shapes are arrivals of a known form: Poisson, with a rate that changes with
// the time. They are as random as their seed, and the same for equal seeds.

// Steady sends at a constant rate, in messages a second.
func Steady(rate float64, duration time.Duration) Arrivals {
	return shape("steady", duration, func(float64) float64 { return rate })
}

// Diurnal follows the day: least at midnight, most at noon, mean in between.
func Diurnal(mean float64, duration time.Duration) Arrivals {
	const swing = 0.9
	return shape("diurnal", duration, func(t float64) float64 {
		return mean * (1 - swing*math.Cos(2*math.Pi*t/day))
	})
}

// Burst is quiet but for the second tenth of its duration, when it sends at peak.
func Burst(peak float64, duration time.Duration) Arrivals {
	tenth := duration.Seconds() / 10
	return shape("burst", duration, func(t float64) float64 {
		if t >= tenth && t < 2*tenth {
			return peak
		}
		return 0
	})
}

// Batch sends size messages within one second at the start of each period.
func Batch(size float64, period, duration time.Duration) Arrivals {
	return shape("batch", duration, func(t float64) float64 {
		if math.Mod(t, period.Seconds()) < 1 {
			return size
		}
		return 0
	})
}

// Sparse sends single messages, with the given mean gap between them.
func Sparse(gap, duration time.Duration) Arrivals {
	return shape("sparse", duration, func(float64) float64 { return 1 / gap.Seconds() })
}

// OnOff sends at rate for on, then nothing for off, and so on.
func OnOff(rate float64, on, off, duration time.Duration) Arrivals {
	return shape("on-off", duration, func(t float64) float64 {
		if math.Mod(t, (on+off).Seconds()) < on.Seconds() {
			return rate
		}
		return 0
	})
}

// Flash is a flash crowd: at a third of the duration the rate jumps from base
// to peak, and falls back with a half-life of a twentieth of the duration.
func Flash(base, peak float64, duration time.Duration) Arrivals {
	start, half := duration.Seconds()/3, duration.Seconds()/20
	return shape("flash", duration, func(t float64) float64 {
		if t < start {
			return base
		}
		return base + (peak-base)*math.Exp2(-(t-start)/half)
	})
}

const day = 86400.0

// shape makes arrivals of a rate, in messages a second, that depends on the
// second since the start.
func shape(name string, duration time.Duration, rate func(second float64) float64) Arrivals {
	return Arrivals{Name: name, Duration: duration, Buckets: func(seed uint64) iter.Seq2[Bucket, error] {
		return func(yield func(Bucket, error) bool) {
			p := poisson{chance: chance(seed)}
			for at := time.Duration(0); at < duration; at += time.Second {
				width := min(time.Second, duration-at)
				n := p.draw(max(0, rate(at.Seconds())) * width.Seconds())
				if n > 0 && !yield(Bucket{Start: at, Width: width, Count: n}, nil) {
					return
				}
			}
		}
	}}
}

// poisson draws Poisson numbers.
type poisson struct {
	chance chance
	drawn  uint64
}

// draw returns a Poisson number. A sum of Poisson numbers is one, so that a
// great mean is drawn in parts whose exponential does not vanish.
func (p *poisson) draw(mean float64) int {
	const part = 32
	n := 0
	for ; mean > part; mean -= part {
		n += p.small(part)
	}
	return n + p.small(mean)
}

// small counts the uniform factors whose product stays above e^-mean (Knuth).
func (p *poisson) small(mean float64) int {
	limit, product := math.Exp(-mean), 1.0
	for n := 0; ; n++ {
		p.drawn++
		product *= p.chance.uniform(drawShape, p.drawn)
		if product <= limit {
			return n
		}
	}
}
