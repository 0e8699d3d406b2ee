package sim

import (
	"fmt"
	"math"
	"time"

	"github.com/rousehq/rouse/internal/policy"
)

const (
	// workerWeight is the weight of a worker's newest job in its mean service time.
	workerWeight = 0.1
	// rouseMetrics is how many metrics the scaler publishes for a workload.
	rouseMetrics = 10
	// heartbeatsPerHour are the writes of a worker's record.
	heartbeatsPerHour = 360
)

// Rouse runs internal/policy as the scaler does: it observes, decides, acts and
// records. It sees what the scaler would see:
//
//   - the depth of the queue and the counts of the service as they are;
//   - tasks that are ready and busy, jobs completed and the service time, as long
//     as some task is there to report them;
//   - the age as the lesser of what workers measured at receive and what
//     CloudWatch tells, cut down by the time since the queue last had nothing visible.
type Rouse struct {
	// Blind, if set, makes the ticks for which it is true see nothing.
	Blind func(now time.Duration) bool
	// Explain, if set, is called with each decision.
	Explain func(now time.Duration, o policy.Observation, d policy.Decision)

	policy policy.Policy
	tick   time.Duration
	state  policy.State

	sighted       bool
	startsTold    bool
	missed        Sight // what happened during blind ticks
	service       float64
	metric        ageMetric
	noneVisibleAt policy.Instant
}

// NewRouse returns a controller that runs a policy every tick, as the scaler
// does by ROUSE_TICK_SECONDS: from 1 s to 60 s.
func NewRouse(config policy.Config, tick time.Duration) (*Rouse, error) {
	if tick < time.Second || tick > time.Minute {
		return nil, fmt.Errorf("rouse: tick: is %v, must be from 1s to 1m", tick)
	}
	p, err := policy.New(config)
	if err != nil {
		return nil, err
	}
	return &Rouse{policy: p, tick: tick}, nil
}

// Period is the tick.
func (r *Rouse) Period() time.Duration { return r.tick }

// Decide takes one tick of the scaler.
func (r *Rouse) Decide(seen Sight) int {
	o := r.observe(r.accumulate(seen))
	var d policy.Decision
	r.state, d = r.policy.Decide(r.state, o, seen.Clock)
	if r.Explain != nil {
		r.Explain(seen.Now, o, d)
	}
	outcome := policy.OutcomeNoop
	switch {
	case d.Change && d.Target > seen.Desired:
		outcome = policy.OutcomeAdded
	case d.Change && d.Target < seen.Desired:
		outcome = policy.OutcomeRemoved
	}
	r.state = r.policy.Record(r.state, d, outcome, seen.Clock)
	if d.Change {
		return d.Target
	}
	return seen.Desired
}

// accumulate adds what happened while the scaler was blind, for the counters of
// workers and service events wait until they are read.
func (r *Rouse) accumulate(seen Sight) Sight {
	seen.Completed += r.missed.Completed
	seen.Starts += r.missed.Starts
	if r.Blind != nil && r.Blind(seen.Now) {
		r.missed.Completed, r.missed.Starts = seen.Completed, seen.Starts
	} else {
		r.missed = Sight{}
	}
	return seen
}

// observe makes the observation that the scaler would make.
func (r *Rouse) observe(seen Sight) policy.Observation {
	now := policy.At(seen.Clock)
	if r.Blind != nil && r.Blind(seen.Now) {
		return policy.Observation{}
	}
	o := policy.Observation{
		Queue:        policy.Known(policy.Queue{Visible: seen.Visible, InFlight: seen.InFlight}),
		Service:      policy.Known(policy.Service{Desired: seen.Desired, Running: seen.Running, Pending: seen.Pending, Revision: "1"}),
		SlotsPerTask: policy.Known(seen.Slots),
		QueueDelay:   policy.Known(0.0),
	}
	if seen.Visible == 0 {
		r.noneVisibleAt = now
	}
	r.startsTold = r.startsTold || seen.Starts > 0
	if r.startsTold && r.sighted {
		o.Starts = policy.Known(seen.Starts)
	}
	r.hearWorkers(&o, seen)
	o.OldestAge = r.oldestAge(seen, now)
	r.sighted = true
	return o
}

// hearWorkers fills in what the heartbeats say, if any task is there to write them.
func (r *Rouse) hearWorkers(o *policy.Observation, seen Sight) {
	reporting := seen.Running + seen.Draining
	if reporting == 0 {
		return
	}
	o.Ready = policy.Known(reporting)
	o.Busy = policy.Known(seen.Busy)
	if r.sighted {
		o.Completed = policy.Known(seen.Completed)
	}
	if r.learn(seen, reporting); r.service > 0 {
		o.ServiceTime = policy.Known(r.service)
	}
}

// learn moves the mean service time. Each worker keeps an average that forgets
// a tenth with each of its jobs; the mean over all of them forgets as much with
// one job each.
func (r *Rouse) learn(seen Sight, reporting int) {
	if seen.Done == 0 {
		return
	}
	mean := seen.ServiceTime.Seconds() / float64(seen.Done)
	if r.service == 0 {
		r.service = mean
		return
	}
	kept := math.Pow(1-workerWeight, float64(seen.Done)/float64(reporting))
	r.service = kept*r.service + (1-kept)*mean
}

// oldestAge is the lesser of what CloudWatch and the workers say, cut down by
// the time since nothing was visible; unknown if neither says anything.
func (r *Rouse) oldestAge(seen Sight, now policy.Instant) policy.Signal[float64] {
	age := r.metric.read(seen)
	if seen.Received > 0 {
		age = policy.Known(min(seen.Waited.Seconds(), age.Or(math.Inf(1))))
	}
	seconds, known := age.Get()
	if !known {
		return age
	}
	if r.noneVisibleAt > 0 {
		seconds = min(seconds, float64(now-r.noneVisibleAt)/1000)
	}
	return policy.Known(seconds)
}

// Overhead is the scaler's Lambda function, which runs until its last tick of
// the minute, its reads and writes in the table, its metrics, and the workers' heartbeats.
func (r *Rouse) Overhead(p Prices) Overhead {
	const minutes = monthHours * 60
	ticks := minutes * math.Ceil(60/r.tick.Seconds())
	table := 2*ticks*p.TableReads + (ticks+2*minutes)*p.TableWrites
	return Overhead{
		PerMonth: p.loop(60-r.tick.Seconds()+1, r.tick) + rouseMetrics*p.Metric +
			(table+minutes*p.MetricReads)/million,
		PerTaskHour: heartbeatsPerHour * p.TableWrites / million,
	}
}
