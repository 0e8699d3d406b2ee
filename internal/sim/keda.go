package sim

import (
	"math"
	"time"
)

// The constants of KEDA v2.21.0 (pkg/scalers/aws_sqs_queue_scaler.go,
// pkg/scaling/executor/scale_scaledobjects.go, the ScaledObject's defaults) and
// of Kubernetes' horizontal pod autoscaler (pkg/controller/podautoscaler and the
// controller manager's flags).
const (
	kedaQueueLength     = 5
	kedaPollingInterval = 30 * time.Second
	kedaCooldown        = 300 * time.Second

	hpaPeriod        = 15 * time.Second
	hpaTolerance     = 0.1
	hpaStabilization = 300 * time.Second
	hpaScaleUpFactor = 2
	hpaScaleUpLeast  = 4
)

// KEDA is KEDA's SQS scaler over Kubernetes' autoscaler. KEDA moves between zero
// and one, the autoscaler from one upwards. The metric is the messages that are
// visible or in flight, read live.
type KEDA struct {
	// QueueLength is how many messages a pod stands for.
	QueueLength float64
	// Min and Max bound the count.
	Min, Max int

	lastActive time.Duration
	advice     []recommendation
}

// recommendation is what the autoscaler wanted at a moment.
type recommendation struct {
	at    time.Duration
	count int
}

// Period is that of the autoscaler; KEDA's is every second of these.
func (k *KEDA) Period() time.Duration { return hpaPeriod }

// Decide lets KEDA decide, then the autoscaler.
func (k *KEDA) Decide(seen Sight) int {
	messages := float64(seen.Visible + seen.InFlight)
	n := seen.Desired
	if seen.Now%kedaPollingInterval == 0 {
		n = k.activate(n, messages > 0, seen.Now)
	}
	if n == 0 || seen.Desired == 0 {
		k.advice = k.advice[:0]
		return n
	}
	return k.scale(n, messages, seen.Now)
}

// activate is KEDA's loop.
func (k *KEDA) activate(n int, active bool, now time.Duration) int {
	switch {
	case active:
		k.lastActive = now
		if n == 0 {
			return max(1, k.Min)
		}
	case n > 0 && k.Min == 0 && k.lastActive+kedaCooldown < now:
		return 0
	}
	return n
}

// scale is the autoscaler's loop.
func (k *KEDA) scale(n int, messages float64, now time.Duration) int {
	wanted := HPAReplicas(n, messages, k.QueueLength)
	wanted = k.stabilize(now, wanted)
	wanted = min(wanted, max(hpaScaleUpFactor*n, hpaScaleUpLeast))
	return min(max(wanted, 1, k.Min), k.Max)
}

// HPAReplicas is Kubernetes' replica calculation for an external metric with a
// target per pod (GetExternalPerPodMetricReplicas).
func HPAReplicas(current int, usage, target float64) int {
	if math.Abs(1-usage/(target*float64(current))) <= hpaTolerance {
		return current
	}
	return int(math.Ceil(usage / target))
}

// stabilize returns the greatest recommendation of the stabilization window.
func (k *KEDA) stabilize(now time.Duration, wanted int) int {
	kept := k.advice[:0]
	most := wanted
	for _, r := range k.advice {
		if now-r.at < hpaStabilization {
			kept = append(kept, r)
			most = max(most, r.count)
		}
	}
	k.advice = append(kept, recommendation{now, wanted})
	return most
}

// Overhead is the queue's attributes, read by both loops; the cluster that runs
// KEDA is taken for paid.
func (k *KEDA) Overhead(p Prices) Overhead {
	return Overhead{PerMonth: p.polls(kedaPollingInterval) + p.polls(hpaPeriod)}
}
