package sim

import (
	"math"
	"time"
)

// The cool-downs of AWS Copilot's worker services (aws/copilot-cli, commit
// 4c858e71).
const (
	copilotCooldownOut = 60 * time.Second
	copilotCooldownIn  = 120 * time.Second
)

// NewCopilot returns the target tracking that AWS Copilot sets up: its metric is
// the backlog per task, rounded up, and its target the messages that a task may
// have before the last of them waits too long. With a target of 1 a single
// message at zero tasks never wakes it.
func NewCopilot(latency, processing time.Duration, lowest, highest int) *TargetTracking {
	return &TargetTracking{
		Target: max(1, math.Ceil(latency.Seconds()/processing.Seconds())),
		Min:    lowest, Max: highest,
		CooldownOut: copilotCooldownOut, CooldownIn: copilotCooldownIn,
		WholeBacklog: true,
	}
}
