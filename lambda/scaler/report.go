package scaler

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"

	"github.com/rousehq/rouse/internal/policy"
)

// What the log says in the place of the policy's reason when it was not asked.
const (
	reasonLeaseHeld = "lease-held" // another invocation acts for the workload
	reasonUnread    = "unread"     // the workload's records could not be read
)

// report writes the turn's line of the log and, if it was ours, its metrics.
// They are two lines, so that a log level above info keeps the metrics.
func (v *invocation) report(ctx context.Context, t *turn) {
	v.log.LogAttrs(ctx, t.level(), "tick", t.attributes()...)
	if t.held != nil {
		return
	}
	line, err := json.Marshal(embed(v.config.MetricNamespace, t.name, v.now, t.metrics()))
	if err == nil {
		_, err = v.metrics.Write(append(line, '\n'))
	}
	if err != nil {
		v.log.LogAttrs(ctx, slog.LevelError, "metrics", slog.String("workload", t.name), slog.String("error", err.Error()))
	}
}

func (t *turn) level() slog.Level {
	switch {
	case len(t.problems) > 0:
		return slog.LevelError
	case len(t.notes) > 0:
		return slog.LevelWarn
	default:
		return slog.LevelInfo
	}
}

// attributes are the keys of the log line. What is unknown is null.
func (t *turn) attributes() []slog.Attr {
	reason, outcome := t.verdict()
	attributes := []slog.Attr{
		slog.String("workload", t.name),
		slog.String("reason", reason),
		slog.String("outcome", string(outcome)),
	}
	if t.decision.Reason != "" {
		attributes = append(attributes, t.seen()...)
	}
	attributes = append(attributes, slog.Float64("duration_ms", float64(t.took.Microseconds())/1000))
	if t.held != nil {
		attributes = append(attributes, slog.String("lease", t.held.Error()))
	}
	if err := errors.Join(t.problems...); err != nil {
		attributes = append(attributes, slog.String("error", err.Error()))
	}
	if err := errors.Join(t.notes...); err != nil {
		attributes = append(attributes, slog.String("note", err.Error()))
	}
	return attributes
}

// verdict returns the reason and the outcome of the turn.
func (t *turn) verdict() (string, policy.Outcome) {
	switch {
	case t.decision.Reason != "":
		return string(t.decision.Reason), t.outcome
	case t.held != nil:
		return reasonLeaseHeld, policy.OutcomeBlocked
	default:
		return reasonUnread, policy.OutcomeFailed
	}
}

// seen are what the turn saw and decided.
func (t *turn) seen() []slog.Attr {
	o, queue, service := t.observation, t.observation.Queue, t.observation.Service
	return []slog.Attr{
		slog.Any("visible", pick(queue, func(q policy.Queue) int { return q.Visible })),
		slog.Any("in_flight", pick(queue, func(q policy.Queue) int { return q.InFlight })),
		slog.Any("delayed", pick(queue, func(q policy.Queue) int { return q.Delayed })),
		slog.Any("desired", pick(service, func(s policy.Service) int { return s.Desired })),
		slog.Any("running", pick(service, func(s policy.Service) int { return s.Running })),
		slog.Any("pending", pick(service, func(s policy.Service) int { return s.Pending })),
		slog.Any("ready", o.Ready),
		slog.Any("busy", o.Busy),
		slog.Any("age_seconds", o.OldestAge),
		slog.Any("completed", o.Completed),
		slog.Any("starts", o.Starts),
		slog.Int("target", t.decision.Target),
		slog.String("conditions", join(t.conditions())),
		slog.Any("terms", t.decision.Terms),
	}
}

// pick returns a field of a signal's value, unknown if the signal is.
func pick[T any](s policy.Signal[T], field func(T) int) policy.Signal[int] {
	value, known := s.Get()
	if !known {
		return policy.Signal[int]{}
	}
	return policy.Known(field(value))
}

func join(conditions []policy.Condition) string {
	words := make([]string, len(conditions))
	for i, c := range conditions {
		words[i] = string(c)
	}
	return strings.Join(words, ",")
}
