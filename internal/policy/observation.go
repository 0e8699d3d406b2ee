package policy

// Observation is what one tick sees of a workload. Queue and Service are read
// afresh on every tick; if either is unknown the tick is blind and changes
// nothing. All other signals are optional and sharpen the decision when they
// are known.
type Observation struct {
	Queue   Signal[Queue]   `json:"queue"`
	Service Signal[Service] `json:"service"`

	// OldestAge is how long, in seconds, the oldest waiting message has waited.
	OldestAge Signal[float64] `json:"oldest_age_seconds,omitzero"`
	// Ready is the number of tasks whose worker passed its readiness check.
	Ready Signal[int] `json:"ready_tasks,omitzero"`
	// Busy is the number of tasks that hold at least one message.
	Busy Signal[int] `json:"busy_tasks,omitzero"`
	// SlotsPerTask is how many messages one task works on at the same time.
	SlotsPerTask Signal[int] `json:"slots_per_task,omitzero"`
	// ServiceTime is the mean time, in seconds, that a handler takes for a message.
	ServiceTime Signal[float64] `json:"service_time_seconds,omitzero"`
	// Completed is the number of jobs completed since the previous tick.
	Completed Signal[int] `json:"completed,omitzero"`
	// Starts is the number of tasks that the service started since the previous tick.
	Starts Signal[int] `json:"task_starts,omitzero"`
	// Groups is the number of FIFO message groups with a message in flight.
	Groups Signal[int] `json:"groups_in_flight,omitzero"`
	// QueueDelay is the queue's default delivery delay in seconds.
	QueueDelay Signal[float64] `json:"queue_delay_seconds,omitzero"`
	// Override is what an operator asked for, if anything.
	Override Signal[Override] `json:"override,omitzero"`
}

// Queue is the depth of the queue, as GetQueueAttributes counts it.
type Queue struct {
	// Visible messages wait and can be received now.
	Visible int `json:"visible"`
	// InFlight messages were received and neither deleted nor made visible again.
	InFlight int `json:"in_flight"`
	// Delayed messages cannot be received before their delay is over.
	Delayed int `json:"delayed"`
}

// Service is the ECS service, as DescribeServices counts it.
type Service struct {
	Desired int `json:"desired"`
	Running int `json:"running"`
	Pending int `json:"pending"`
	// Deploying is true while a deployment is in progress.
	Deploying bool `json:"deploying,omitempty"`
	// Revision names the task definition being run; a new one releases the brake.
	Revision string `json:"revision,omitempty"`
}

// OverrideMode says what an operator's override does.
type OverrideMode string

const (
	// OverridePause holds the desired count where it is.
	OverridePause OverrideMode = "pause"
	// OverrideCount sets the desired count to Override.Count.
	OverrideCount OverrideMode = "count"
)

// Override is an operator's order. It wins over every rule until it expires.
type Override struct {
	Mode OverrideMode `json:"mode"`
	// Count is the desired count of mode "count"; it is kept within 0 and max_tasks.
	Count int `json:"count,omitempty"`
	// Until is when the order expires; zero means that it stands until removed.
	Until Instant `json:"until,omitempty"`
}

// active reports whether the override is in force at now.
func (o Override) active(now Instant) bool { return o.Until == 0 || now < o.Until }

// usable reports whether every count can be true. An absurd or negative
// answer is no answer.
func (q Queue) usable() bool { return plausible(q.Visible, q.InFlight, q.Delayed) }

// usable reports whether every count can be true.
func (s Service) usable() bool { return plausible(s.Desired, s.Running, s.Pending) }

func plausible(counts ...int) bool {
	for _, n := range counts {
		if n < 0 || n > maxCount {
			return false
		}
	}
	return true
}

// sane returns the signal, or unknown if its value cannot be true.
func sane[T int | float64](s Signal[T]) Signal[T] {
	if v, ok := s.Get(); ok && v >= 0 && float64(v) <= maxCount {
		return s
	}
	return Signal[T]{}
}

// sane returns the observation with every optional value that cannot be true made unknown.
func (o Observation) sane() Observation {
	o.OldestAge = sane(o.OldestAge)
	o.Ready = sane(o.Ready)
	o.Busy = sane(o.Busy)
	o.SlotsPerTask = sane(o.SlotsPerTask)
	o.ServiceTime = sane(o.ServiceTime)
	o.Completed = sane(o.Completed)
	o.Starts = sane(o.Starts)
	o.Groups = sane(o.Groups)
	o.QueueDelay = sane(o.QueueDelay)
	return o
}
