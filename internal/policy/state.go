package policy

import "math"

// StateVersion is the version of State's JSON form. State of another version
// is treated as a first run.
const StateVersion = 1

// State is what the policy remembers between ticks. Its zero value is a first
// run. It travels as JSON; any content is survived, because Decide mends what
// cannot be true (NaN, negative counts, instants in the future).
type State struct {
	Version int `json:"version"`

	// Desired is the count last seen, for the blind ticks' report.
	Desired int `json:"desired,omitempty"`
	// Age is the moving average of the oldest message's age in seconds; AgeKnown says whether there is one.
	Age      float64 `json:"age,omitempty"`
	AgeKnown bool    `json:"age_known,omitempty"`
	// ServiceTime is the last known mean service time in seconds; 0 is unknown.
	ServiceTime float64 `json:"service_time,omitempty"`
	// Work is the total of messages last seen, and WorkFell whether it had fallen then:
	// the sign of progress where workers do not report what they completed.
	Work     int  `json:"work,omitempty"`
	WorkFell bool `json:"work_fell,omitempty"`
	// MeanInFlight is the moving average of the messages in flight: the measured load.
	MeanInFlight float64 `json:"mean_in_flight,omitempty"`
	// Integral is the servo's Σe: above zero while growing, below while shrinking.
	Integral float64 `json:"integral,omitempty"`

	// LastUp and LastDown are when the count was last raised and lowered.
	LastUp   Instant `json:"last_up,omitempty"`
	LastDown Instant `json:"last_down,omitempty"`
	// Multiplier is the back-off's factor on the cool-downs; 0 counts as 1.
	Multiplier float64 `json:"multiplier,omitempty"`

	// WakeReads counts consecutive reads at zero that saw enough messages;
	// WaitingSince is when a message was first seen waiting at zero.
	WakeReads    int     `json:"wake_reads,omitempty"`
	WaitingSince Instant `json:"waiting_since,omitempty"`
	// IdleSince and IdleReads measure the idle window.
	IdleSince Instant `json:"idle_since,omitempty"`
	IdleReads int     `json:"idle_reads,omitempty"`
	// CalmSince is since when the pressure has been low enough to shrink.
	CalmSince Instant `json:"calm_since,omitempty"`
	// DelayedSince is since when there have been delayed messages.
	DelayedSince Instant `json:"delayed_since,omitempty"`
	// StartingSince is since when tasks have been starting without one more running; Running is the count last seen.
	StartingSince Instant `json:"starting_since,omitempty"`
	Running       int     `json:"running,omitempty"`

	Brake    BrakeState    `json:"brake,omitzero"`
	Progress ProgressState `json:"progress,omitzero"`
}

// BrakeState is the brake's memory.
type BrakeState struct {
	// Starts counts the tasks started since the last sign of progress, Bought the most tasks desired since then.
	Starts int `json:"starts,omitempty"`
	Bought int `json:"bought,omitempty"`
	// On is true while braked; Retries counts the failed canaries; Until is when the next may start.
	On      bool    `json:"on,omitempty"`
	Retries int     `json:"retries,omitempty"`
	Until   Instant `json:"until,omitempty"`
	// Revision is the task definition that Starts were counted for.
	Revision string `json:"revision,omitempty"`
}

// ProgressState is the memory of the throughput measurement.
type ProgressState struct {
	// CompletedAt is when a job was last known to be completed, or when there was last nothing to complete.
	CompletedAt Instant `json:"completed_at,omitempty"`
	// Since, Tasks and Completed are the window being measured.
	Since     Instant `json:"since,omitempty"`
	Tasks     int     `json:"tasks,omitempty"`
	Completed int     `json:"completed,omitempty"`
	// Latest is the newest finished window, Base the one before the last growth.
	Latest Throughput `json:"latest,omitzero"`
	Base   Throughput `json:"base,omitzero"`
	// Unmeasured counts the growths since the last measurement.
	Unmeasured int `json:"unmeasured,omitempty"`
	// SaturatedSince is since when growth has been held for want of more throughput.
	SaturatedSince Instant `json:"saturated_since,omitempty"`
}

// Throughput is what a fleet of Tasks tasks that had enough to do was measured
// to complete: Jobs jobs, at Rate a second. The zero value is unknown.
type Throughput struct {
	Tasks int     `json:"tasks,omitempty"`
	Jobs  int     `json:"jobs,omitempty"`
	Rate  float64 `json:"rate,omitempty"`
}

// mend returns the state with everything that cannot be true replaced by what
// is safe, so that Decide is total.
func (s State) mend(now Instant) State {
	if s.Version != StateVersion {
		return State{Version: StateVersion}
	}
	for _, f := range []*float64{
		&s.Age, &s.ServiceTime, &s.Multiplier, &s.MeanInFlight,
		&s.Progress.Latest.Rate, &s.Progress.Base.Rate,
	} {
		*f = finite(*f)
	}
	s.Integral = math.Copysign(finite(math.Abs(s.Integral)), s.Integral)
	for _, n := range []*int{
		&s.Desired, &s.Running, &s.Work, &s.WakeReads, &s.IdleReads,
		&s.Brake.Starts, &s.Brake.Bought, &s.Brake.Retries,
		&s.Progress.Tasks, &s.Progress.Completed, &s.Progress.Latest.Tasks, &s.Progress.Latest.Jobs,
		&s.Progress.Base.Tasks, &s.Progress.Base.Jobs, &s.Progress.Unmeasured,
	} {
		*n = min(max(0, *n), maxCount)
	}
	for _, i := range []*Instant{
		&s.LastUp, &s.LastDown, &s.WaitingSince, &s.IdleSince, &s.CalmSince, &s.DelayedSince,
		&s.StartingSince, &s.Progress.CompletedAt, &s.Progress.Since, &s.Progress.SaturatedSince,
	} {
		*i = min(max(0, *i), now)
	}
	s.Brake.Until = max(0, s.Brake.Until)
	return s
}

// maxCount keeps sums of stored counts far from overflow.
const maxCount = 1 << 40

// finite returns f if it is a finite number of zero or more, else 0.
func finite(f float64) float64 {
	if math.IsNaN(f) || math.IsInf(f, 0) || f < 0 {
		return 0
	}
	return min(f, maxCount)
}
