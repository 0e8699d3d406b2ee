package scaler

import (
	"slices"
	"strings"
	"time"

	"github.com/rousehq/rouse/internal/policy"
)

// dimension is the one dimension of every metric.
const dimension = "Workload"

// metric is one value of CloudWatch's embedded metric format.
type metric struct {
	name  string
	unit  string
	value float64
}

// metrics are the turn's. What is unknown is left out, for a metric has no way
// to say so. CloudWatch bills a metric for each hour in which it is told, so a
// condition is told as 1 while it stands and once as 0 when it is over, and
// costs nothing in all the hours when nothing is wrong.
func (t *turn) metrics() []metric {
	list := []metric{{"TickFailed", "Count", boolean(len(t.problems) > 0)}}
	if t.decision.Reason == "" {
		return list
	}
	o := t.observation
	if queue, known := o.Queue.Get(); known {
		list = append(list, count("Visible", queue.Visible), count("InFlight", queue.InFlight), count("Delayed", queue.Delayed))
	}
	if service, known := o.Service.Get(); known {
		list = append(list, count("Desired", service.Desired), count("Running", service.Running))
	}
	list = append(list, count("Target", t.decision.Target))
	list = append(list, optional("Ready", "Count", o.Ready)...)
	list = append(list, optional("Busy", "Count", o.Busy)...)
	list = append(list, optional("OldestAge", "Seconds", o.OldestAge)...)
	return append(list, t.conditionMetrics()...)
}

// conditionMetrics are those of the conditions that stand or are just over.
func (t *turn) conditionMetrics() []metric {
	var list []metric
	stand := t.conditions()
	for _, c := range stand {
		list = append(list, metric{metricName(c), "Count", 1})
	}
	for _, c := range t.memory.Conditions {
		if !slices.Contains(stand, c) {
			list = append(list, metric{metricName(c), "Count", 0})
		}
	}
	blindBefore := slices.Contains(t.memory.Conditions, policy.ConditionBlind)
	if t.memory.BlindTicks > 0 || blindBefore {
		list = append(list, count("BlindTicks", t.memory.BlindTicks))
	}
	return list
}

// embed makes the document that CloudWatch Logs turns into metrics.
func embed(namespace, name string, now time.Time, list []metric) map[string]any {
	definitions := make([]map[string]string, len(list))
	document := map[string]any{dimension: name}
	for i, m := range list {
		definitions[i] = map[string]string{"Name": m.name, "Unit": m.unit}
		document[m.name] = m.value
	}
	document["_aws"] = map[string]any{
		"Timestamp": now.UnixMilli(),
		"CloudWatchMetrics": []map[string]any{{
			"Namespace":  namespace,
			"Dimensions": [][]string{{dimension}},
			"Metrics":    definitions,
		}},
	}
	return document
}

// metricName turns a condition's word into a metric's name: at-max is AtMax.
func metricName(c policy.Condition) string {
	var name strings.Builder
	for word := range strings.SplitSeq(string(c), "-") {
		if word != "" {
			name.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return name.String()
}

func count(name string, value int) metric { return metric{name, "Count", float64(value)} }

func optional[T int | float64](name, unit string, s policy.Signal[T]) []metric {
	value, known := s.Get()
	if !known {
		return nil
	}
	return []metric{{name, unit, float64(value)}}
}

func boolean(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
