package scaler

import (
	"github.com/rousehq/rouse/internal/policy"
)

const (
	// conditionForeignWriter is set while somebody else keeps writing the desired count.
	conditionForeignWriter policy.Condition = "foreign-writer"
	// foreignChanges within foreignWindow are no longer an operator's one-off.
	foreignChanges = 3
	foreignWindow  = policy.Instant(30 * 60 * 1000)
)

// writes tells the scaler's own changes of the desired count from those of
// others. A change by others is never undone: the count that stands is where
// the next decision starts from.
type writes struct {
	// Expected is the count as the last tick left it.
	Expected policy.Signal[int] `json:"expected,omitzero"`
	// Attempted is what a call asked for that failed. It may have been carried out all the same.
	Attempted policy.Signal[int] `json:"attempted,omitzero"`
	// Foreign are the newest changes that were not the scaler's.
	Foreign []policy.Instant `json:"foreign,omitempty"`
}

// seen takes the desired count that a tick found.
func (w writes) seen(desired int, now policy.Instant) writes {
	next := writes{Expected: policy.Known(desired)}
	for _, at := range w.Foreign {
		if now-at < foreignWindow && at <= now {
			next.Foreign = append(next.Foreign, at)
		}
	}
	if w.Expected.Or(desired) != desired && w.Attempted.Or(-1) != desired {
		next.Foreign = append(next.Foreign, now)
	}
	next.Foreign = next.Foreign[max(0, len(next.Foreign)-foreignChanges):]
	return next
}

// wrote takes what became of an attempt to set the desired count to target.
func (w writes) wrote(outcome policy.Outcome, target int) writes {
	switch outcome {
	case policy.OutcomeAdded, policy.OutcomeRemoved:
		w.Expected = policy.Known(target)
	case policy.OutcomeFailed:
		w.Attempted = policy.Known(target)
	case policy.OutcomeBlocked, policy.OutcomeNoop:
	}
	return w
}

// foreign reports whether somebody else keeps writing the desired count.
func (w writes) foreign() bool { return len(w.Foreign) >= foreignChanges }
