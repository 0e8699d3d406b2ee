package scaler

import (
	"encoding/json"
	"fmt"

	"github.com/rousehq/rouse/internal/policy"
)

// memory is what the next tick of a workload must know: the body of the state
// record. Its zero value is a first run.
type memory struct {
	// Policy is the control law's own state.
	Policy policy.State `json:"policy"`
	// SightedAt is when the queue and the service were last both read; zero on a
	// first run, on which nothing can be counted since the previous tick.
	SightedAt policy.Instant `json:"sighted_at,omitempty"`
	// NoneVisibleAt is when the queue was last seen without visible messages.
	NoneVisibleAt policy.Instant `json:"none_visible_at,omitempty"`
	// BlindTicks counts the ticks in a row that could not read the queue or the service.
	BlindTicks int `json:"blind_ticks,omitempty"`
	// Completed holds, for each task, the jobs it had reported as completed.
	Completed map[string]int64 `json:"completed,omitempty"`
	// EventAt is the time of the newest service event whose starts were counted.
	EventAt policy.Instant `json:"event_at,omitempty"`
	// Metric is the newest age that CloudWatch told.
	Metric metricAge `json:"metric,omitzero"`
	// Writes is the memory of who writes the desired count.
	Writes writes `json:"writes,omitzero"`
	// Conditions are those of the last tick, so that the tick which no longer has one can say so.
	Conditions []policy.Condition `json:"conditions,omitempty"`
}

// recall reads the body of a state record. A body that cannot be read is
// answered with a first run and the reason: a broken memory must not keep
// messages from waking tasks.
func recall(document string) (memory, error) {
	if document == "" {
		return memory{}, nil
	}
	var m memory
	if err := json.Unmarshal([]byte(document), &m); err != nil {
		return memory{}, fmt.Errorf("read state, which starts anew: %w", err)
	}
	return m, nil
}

// encode writes the body of a state record.
func (m memory) encode() (string, error) {
	body, err := json.Marshal(m)
	if err != nil {
		return "", fmt.Errorf("encode state: %w", err)
	}
	return string(body), nil
}
