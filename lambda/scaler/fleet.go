package scaler

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/rousehq/rouse/internal/policy"
	"github.com/rousehq/rouse/internal/workload"
)

// maxClockLead is how far a worker's clock may be ahead of the scaler's.
const maxClockLead = time.Minute

// fleet is what the tasks of a workload say of themselves. The counts are of
// those whose heartbeat is fresh; tasks that report nothing are not in them.
type fleet struct {
	reporting, ready, busy, slots, groups int

	// waited is the longest wait measured at receive, serviceTime the mean
	// handler time, each task weighted by the jobs it completed since the previous tick.
	waited, serviceTime policy.Signal[float64]
	// completed counts the jobs completed since the previous tick, counters the
	// jobs of each task since its start.
	completed int
	counters  map[string]int64
}

// survey reads the heartbeats of a workload; counters are those of the previous
// tick. A heartbeat that cannot be true is left out and counted in the error.
func survey(bodies []string, counters map[string]int64, now time.Time) (fleet, error) {
	f := fleet{counters: map[string]int64{}}
	var mean weighted
	malformed := 0
	for _, body := range bodies {
		h, ok := parseHeartbeat(body, now)
		if !ok {
			malformed++
			continue
		}
		jobs := f.count(h, counters)
		if h.Fresh(now) {
			f.include(h)
			mean.add(h.ServiceSeconds, float64(jobs+1))
		}
	}
	f.serviceTime = mean.value()
	if malformed > 0 {
		return f, fmt.Errorf("read heartbeats: %d of %d are malformed", malformed, len(bodies))
	}
	return f, nil
}

// count adds the jobs that a task completed since the previous tick. A task
// that was not there counts from 0, and so does one that started again.
func (f *fleet) count(h workload.Heartbeat, counters map[string]int64) int64 {
	jobs := h.Completed - counters[h.Task]
	if jobs < 0 {
		jobs = h.Completed
	}
	f.counters[h.Task] = h.Completed
	f.completed += int(jobs)
	return jobs
}

// include adds a task that is alive.
func (f *fleet) include(h workload.Heartbeat) {
	f.reporting++
	f.slots += h.Slots
	f.groups += h.Groups
	if h.Ready {
		f.ready++
	}
	if h.Busy > 0 {
		f.busy++
	}
	if waited, known := h.WaitSeconds.Get(); known {
		f.waited = policy.Known(max(waited, f.waited.Or(0)))
	}
}

// describe fills in the signals that the fleet gives. While nobody reports
// they are unknown. Of a fleet that reports in part, ready and busy are the
// least there can be, which is how the policy uses them; groups would be taken
// for the most there can be and are known only if every task reports.
func (f fleet) describe(o *policy.Observation, running int, fifo bool) {
	if f.reporting == 0 {
		return
	}
	o.Ready = policy.Known(f.ready)
	o.Busy = policy.Known(f.busy)
	o.ServiceTime = f.serviceTime
	if slots := f.slots / f.reporting; slots > 0 {
		o.SlotsPerTask = policy.Known(slots)
	}
	if fifo && f.reporting >= running {
		o.Groups = policy.Known(f.groups)
	}
}

// parseHeartbeat reads a heartbeat. A newer worker may say more than is known here.
func parseHeartbeat(body string, now time.Time) (workload.Heartbeat, bool) {
	var h workload.Heartbeat
	if err := json.Unmarshal([]byte(body), &h); err != nil {
		return h, false
	}
	sane := h.Task != "" && h.Busy >= 0 && h.Slots >= 0 && h.Completed >= 0 && h.Groups >= 0 &&
		h.ServiceSeconds >= 0 && h.WaitSeconds.Or(0) >= 0 && h.BeatAt <= policy.At(now.Add(maxClockLead))
	return h, sane
}

// isFIFO reports whether the queue keeps message groups in order.
func isFIFO(queueURL string) bool { return strings.HasSuffix(queueURL, ".fifo") }

// weighted is a weighted mean of positive values.
type weighted struct{ sum, weight float64 }

func (w *weighted) add(value, weight float64) {
	if value > 0 {
		w.sum += value * weight
		w.weight += weight
	}
}

func (w weighted) value() policy.Signal[float64] {
	if w.weight == 0 {
		return policy.Signal[float64]{}
	}
	return policy.Known(w.sum / w.weight)
}
