package workload

import (
	"time"

	"github.com/rousehq/rouse/internal/policy"
)

// Override is the operator's record; the policy obeys it until it expires.
type Override = policy.Override

// Heartbeat is what one worker task says of itself every few seconds. Instants
// are Unix milliseconds.
type Heartbeat struct {
	// Task is the task's id, the last element of its ARN.
	Task string `json:"task"`
	// StartedAt is when the worker started, BeatAt when it wrote this.
	StartedAt policy.Instant `json:"started_at"`
	BeatAt    policy.Instant `json:"beat_at"`
	// IntervalSeconds is how often the worker means to write.
	IntervalSeconds int `json:"interval_seconds"`
	// Ready is true once the readiness check passes, and while it does.
	Ready bool `json:"ready"`
	// Quiescing is true while the worker claims nothing new although it is ready.
	Quiescing bool `json:"quiescing,omitempty"`
	// Busy is how many messages it holds, Slots how many it can hold.
	Busy  int `json:"busy"`
	Slots int `json:"slots"`
	// Completed and Failed count the jobs since the worker started.
	Completed int64 `json:"completed"`
	Failed    int64 `json:"failed"`
	// ServiceSeconds is the moving average of a handler's time; 0 is unknown.
	ServiceSeconds float64 `json:"service_seconds,omitempty"`
	// WaitSeconds is the longest that a message received since the previous
	// heartbeat had waited since it was sent or became due; unknown if none was received.
	WaitSeconds policy.Signal[float64] `json:"wait_seconds,omitzero"`
	// Groups are how many FIFO message groups it holds messages of; 0 on a standard queue.
	Groups int `json:"groups,omitempty"`
}

// Fresh reports whether the heartbeat still speaks for its task at now: it
// is younger than three of its intervals.
func (h Heartbeat) Fresh(now time.Time) bool {
	age := policy.At(now) - h.BeatAt
	return age < policy.Instant(3*1000*max(1, h.IntervalSeconds))
}

// Outcome is how a job ended.
type Outcome string

const (
	// OutcomeSucceeded means that the handler returned no error.
	OutcomeSucceeded Outcome = "succeeded"
	// OutcomeFailed means that the job was moved to the dead-letter queue as permanently failed.
	OutcomeFailed Outcome = "failed"
)

// Result is the record of a finished job.
type Result struct {
	Job     string  `json:"job"`
	Outcome Outcome `json:"outcome"`
	// Reason says why the job failed.
	Reason string `json:"reason,omitempty"`
	// Task ran it, on the receive of this count.
	Task         string `json:"task"`
	ReceiveCount int    `json:"receive_count"`
	// FinishedAt is when, in Unix milliseconds, and Seconds how long the handler took.
	FinishedAt policy.Instant `json:"finished_at"`
	Seconds    float64        `json:"seconds"`
}
