package policy

// Reason is the rule that made a decision.
type Reason string

// The reasons, in the order in which their rules are asked.
const (
	// ReasonBlind holds: the queue or the service could not be read.
	ReasonBlind Reason = "blind"
	// ReasonPaused holds: the policy or an operator paused the workload.
	ReasonPaused Reason = "paused"
	// ReasonOverride goes to the count that an operator set.
	ReasonOverride Reason = "override"
	// ReasonBounds moves straight inside [floor, ceiling].
	ReasonBounds Reason = "bounds"
	// ReasonBrake allows one canary: tasks keep starting and none completes a job or becomes ready.
	ReasonBrake Reason = "brake"
	// ReasonWake starts tasks at zero because messages wait.
	ReasonWake Reason = "wake"
	// ReasonWakeWait holds at zero: too few messages for now, or not yet enough reads that agree.
	ReasonWakeWait Reason = "wake-wait"
	// ReasonPrewake starts one task at zero because delayed messages are about to come due.
	ReasonPrewake Reason = "prewake"
	// ReasonIdle goes to (or stays at) the floor: there is no work.
	ReasonIdle Reason = "idle"
	// ReasonIdleWait holds: there is no work, but not yet for the whole idle window.
	ReasonIdleWait Reason = "idle-wait"
	// ReasonLatency grows: the oldest message has waited too long.
	ReasonLatency Reason = "latency"
	// ReasonQueue grows: there are too many messages for the tasks.
	ReasonQueue Reason = "queue"
	// ReasonLatencyQueue grows: both.
	ReasonLatencyQueue Reason = "latency+queue"
	// ReasonWarming holds: tasks that were bought already are still starting.
	ReasonWarming Reason = "warming"
	// ReasonCooldown holds: the last change is too recent.
	ReasonCooldown Reason = "cooldown"
	// ReasonAtMax holds: the ceiling is reached.
	ReasonAtMax Reason = "at-max"
	// ReasonSaturated holds: more tasks no longer raise the throughput.
	ReasonSaturated Reason = "saturated"
	// ReasonCovered holds: there is a slot for every message already.
	ReasonCovered Reason = "covered"
	// ReasonGroups holds: every FIFO message group that could be worked on is.
	ReasonGroups Reason = "fifo-groups"
	// ReasonShrink removes tasks that the load does not need.
	ReasonShrink Reason = "shrink"
	// ReasonDeploying holds a scale-in until the deployment is over.
	ReasonDeploying Reason = "deploying"
	// ReasonSteady holds: the fleet fits the load.
	ReasonSteady Reason = "steady"
)

// Condition is something an operator should be told of, whatever the decision.
type Condition string

const (
	// ConditionBlind is set while the queue or the service cannot be read.
	ConditionBlind Condition = "blind"
	// ConditionBraked is set while the brake is on.
	ConditionBraked Condition = "braked"
	// ConditionStalled is set while messages wait, tasks run, and none was completed for stalled_after_seconds.
	ConditionStalled Condition = "stalled"
	// ConditionSaturated is set while growth is held because throughput no longer rises.
	ConditionSaturated Condition = "saturated"
	// ConditionAtMax is set while growth is held by the ceiling.
	ConditionAtMax Condition = "at-max"
)

// Decision is the outcome of one tick.
type Decision struct {
	// Target is the desired count to set if Change is true. Otherwise it repeats
	// the count that stands, or the last one seen if the tick is blind.
	Target int `json:"target"`
	// Change is true if the service's desired count should be set to Target.
	Change bool `json:"change"`
	// Reason is the rule that decided.
	Reason Reason `json:"reason"`
	// Conditions are what an operator should be told, in a fixed order.
	Conditions []Condition `json:"conditions,omitempty"`
	// Terms are the numbers that led to the decision.
	Terms Terms `json:"terms"`
}

// Terms explain a decision. A term that the rule did not need is zero or unknown.
type Terms struct {
	Floor   int `json:"floor"`
	Ceiling int `json:"ceiling"`
	// PerTask is how many visible messages one task is meant to stand for.
	PerTask float64 `json:"per_task"`
	// QueueRatio is visible ÷ (desired × PerTask); AgeRatio is the smoothed age ÷ target age.
	QueueRatio Signal[float64] `json:"queue_ratio,omitzero"`
	AgeRatio   Signal[float64] `json:"age_ratio,omitzero"`
	// SmoothedAge is the moving average of the oldest message's age in seconds.
	SmoothedAge Signal[float64] `json:"smoothed_age_seconds,omitzero"`
	// Error, Integral and Output are the servo's e, Σe and u.
	Error    float64 `json:"error,omitempty"`
	Integral float64 `json:"integral,omitempty"`
	Output   float64 `json:"output,omitempty"`
	// Step is how many tasks the rule adds (or removes) before bounds.
	Step int `json:"step,omitempty"`
	// Needed is the least number of tasks that the load and the busy tasks allow.
	Needed int `json:"needed,omitempty"`
	// Wait is how many seconds are left of the cool-down, idle window or retry that holds.
	Wait float64 `json:"wait_seconds,omitempty"`
	// Multiplier is the back-off's factor on the cool-downs.
	Multiplier float64 `json:"multiplier,omitempty"`
	// Limits names what cut the step: "step_up", "step_down", "ceiling", "floor", "wake_limit", "covered", "needed".
	Limits []string `json:"limits,omitempty"`
}

// Outcome is what became of a decision.
type Outcome string

const (
	// OutcomeAdded means that the desired count was raised.
	OutcomeAdded Outcome = "added"
	// OutcomeRemoved means that the desired count was lowered.
	OutcomeRemoved Outcome = "removed"
	// OutcomeBlocked means that acting was refused: the tag is missing, or the lease was lost.
	OutcomeBlocked Outcome = "blocked"
	// OutcomeNoop means that there was nothing to do.
	OutcomeNoop Outcome = "no-op"
	// OutcomeFailed means that the call failed.
	OutcomeFailed Outcome = "failed"
)

// Reasons lists every reason, in the order in which their rules are asked.
func Reasons() []Reason {
	return []Reason{
		ReasonBlind, ReasonPaused, ReasonOverride, ReasonBounds, ReasonBrake,
		ReasonWake, ReasonPrewake, ReasonWakeWait, ReasonIdle, ReasonGroups,
		ReasonLatency, ReasonQueue, ReasonLatencyQueue,
		ReasonWarming, ReasonCooldown, ReasonAtMax, ReasonSaturated, ReasonCovered,
		ReasonDeploying, ReasonShrink, ReasonIdleWait, ReasonSteady,
	}
}
