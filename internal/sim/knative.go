package sim

import (
	"math"
	"time"
)

// The defaults of knative/serving v0.50.0 (pkg/autoscaler/config and
// pkg/autoscaler/scaling/autoscaler.go).
const (
	knativePeriod         = 2 * time.Second
	knativeStableWindow   = 60 * time.Second
	knativePanicWindow    = 6 * time.Second // a tenth of the stable window
	knativePanicThreshold = 2.0
	knativeMaxScaleUp     = 1000.0
	knativeMaxScaleDown   = 2.0
	knativeUtilization    = 0.7
	knativeGrace          = 30 * time.Second
)

// Knative is Knative's pod autoscaler on concurrency, which is mapped to the
// messages that are visible or in flight.
type Knative struct {
	// Target is the concurrency wanted of a pod. NewKnative computes it.
	Target float64
	// Min and Max bound the count.
	Min, Max int

	window  [knativeStableWindow / knativePeriod]float64
	samples int
	law     KnativeLaw
	emptyAt moment
}

// NewKnative returns the autoscaler for pods of so many slots, at Knative's
// target utilization.
func NewKnative(slots, lowest, highest int) *Knative {
	target := knativeUtilization * float64(slots)
	return &Knative{Target: target, Min: lowest, Max: highest, law: KnativeLaw{Target: target}}
}

// Period is Knative's tick.
func (k *Knative) Period() time.Duration { return knativePeriod }

// Decide takes a sample and scales by the means of both windows.
func (k *Knative) Decide(seen Sight) int {
	k.window[k.samples%len(k.window)] = float64(seen.Visible + seen.InFlight)
	k.samples++
	n := k.law.Scale(seen.Now, k.mean(knativeStableWindow), k.mean(knativePanicWindow), seen.Running)
	n = min(max(n, k.Min), k.Max)
	if n > 0 {
		k.emptyAt = moment{}
		return n
	}
	return k.toZero(seen)
}

// toZero keeps one pod until the grace period is over.
func (k *Knative) toZero(seen Sight) int {
	if !k.emptyAt.was {
		k.emptyAt.set(seen.Now)
	}
	if seen.Desired == 0 || !k.emptyAt.within(knativeGrace, seen.Now) {
		return 0
	}
	return 1
}

// mean is the mean of the newest samples of a window.
func (k *Knative) mean(window time.Duration) float64 {
	n := min(k.samples, int(window/knativePeriod))
	sum := 0.0
	for i := range n {
		sum += k.window[(k.samples-1-i)%len(k.window)]
	}
	return sum / float64(n)
}

// Overhead is nothing: the cluster that runs the autoscaler is taken for paid.
func (k *Knative) Overhead(Prices) Overhead { return Overhead{} }

// KnativeLaw is the decision itself, with the means given: what Knative's
// autoscaler does in Scale, less its activator.
type KnativeLaw struct {
	// Target is the concurrency wanted of a pod.
	Target float64

	panicAt moment
	most    int // pods while panicking
}

// Scale returns the count for the mean concurrency of the stable and of the
// panic window.
func (l *KnativeLaw) Scale(now time.Duration, stable, panicking float64, ready int) int {
	pods := math.Max(1, float64(ready))
	up, down := math.Ceil(knativeMaxScaleUp*pods), math.Floor(pods/knativeMaxScaleDown)
	wantStable, wantPanic := math.Ceil(stable/l.Target), math.Ceil(panicking/l.Target)
	l.watch(now, wantPanic/pods >= knativePanicThreshold)
	n := int(min(max(wantStable, down), up))
	if !l.panicAt.was {
		return n
	}
	n = max(n, int(min(max(wantPanic, down), up)), l.most)
	l.most = n
	return n
}

// watch keeps the panic mode: on above the threshold, off once it has been
// below for a stable window.
func (l *KnativeLaw) watch(now time.Duration, over bool) {
	switch {
	case over:
		l.panicAt.set(now)
	case l.panicAt.was && l.panicAt.at+knativeStableWindow < now:
		l.panicAt, l.most = moment{}, 0
	}
}
