package sim

import (
	"fmt"
	"math"
	"time"
)

// Distribution is a distribution of durations, given by its quantile function,
// so that one uniform draw makes one duration. Its String is how it is written
// in tables.
type Distribution interface {
	fmt.Stringer
	// Quantile returns the duration that a share u of all draws stays below; 0 < u < 1.
	Quantile(u float64) time.Duration
	// Mean is the mean of all draws.
	Mean() time.Duration
}

// Constant is always the same.
type Constant time.Duration

// Quantile returns the constant.
func (c Constant) Quantile(float64) time.Duration { return time.Duration(c) }

// Mean returns the constant.
func (c Constant) Mean() time.Duration { return time.Duration(c) }

func (c Constant) String() string { return time.Duration(c).String() }

// Exponential is without memory; its value is its mean.
type Exponential time.Duration

// Quantile inverts the distribution function.
func (e Exponential) Quantile(u float64) time.Duration {
	return time.Duration(-math.Log1p(-u) * float64(e))
}

// Mean returns the mean.
func (e Exponential) Mean() time.Duration { return time.Duration(e) }

func (e Exponential) String() string { return "exponential " + time.Duration(e).String() }

// LogNormal is skewed to the right, as start-up times are. It is given by two
// quantiles that can be read off a measurement.
type LogNormal struct{ Median, P95 time.Duration }

// normal95 is the 95th percentile of the standard normal distribution.
const normal95 = 1.6448536269514722

// LogNormalAround returns the log-normal distribution of a mean and a standard
// deviation sigma of the logarithm.
func LogNormalAround(mean time.Duration, sigma float64) LogNormal {
	median := float64(mean) * math.Exp(-sigma*sigma/2)
	return LogNormal{time.Duration(median), time.Duration(median * math.Exp(sigma*normal95))}
}

func (l LogNormal) sigma() float64 { return math.Log(float64(l.P95)/float64(l.Median)) / normal95 }

// Quantile inverts the distribution function.
func (l LogNormal) Quantile(u float64) time.Duration {
	z := math.Sqrt2 * math.Erfinv(2*u-1)
	return time.Duration(float64(l.Median) * math.Exp(l.sigma()*z))
}

// Mean returns the mean, which is above the median.
func (l LogNormal) Mean() time.Duration {
	return time.Duration(float64(l.Median) * math.Exp(l.sigma()*l.sigma()/2))
}

func (l LogNormal) String() string {
	return fmt.Sprintf("log-normal median %v p95 %v", l.Median, l.P95)
}

// Pareto has a heavy tail: the lower Alpha, the heavier. At 2 and below its
// variance is infinite. Alpha must be above 1, or there is no mean.
type Pareto struct {
	Average time.Duration
	Alpha   float64
}

// Quantile inverts the distribution function.
func (p Pareto) Quantile(u float64) time.Duration {
	least := float64(p.Average) * (p.Alpha - 1) / p.Alpha
	return time.Duration(least * math.Pow(1-u, -1/p.Alpha))
}

// Mean returns the mean.
func (p Pareto) Mean() time.Duration { return p.Average }

func (p Pareto) String() string { return fmt.Sprintf("Pareto %v alpha %g", p.Average, p.Alpha) }
