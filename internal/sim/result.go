package sim

import "time"

// Result is what came of a run.
type Result struct {
	// Messages is how many were sent: Completed + Dead + Left.
	Messages, Completed, Dead int
	// Left were still in the queue or in flight when the books closed.
	Left int
	// Receives counts all attempts.
	Receives int

	// The waits, from sending to the first receive; quantiles are within 0.4%.
	P50, P95, P99, Max time.Duration
	// Misses waited longer than the SLO.
	Misses int

	// Elapsed is how long the books were open.
	Elapsed time.Duration
	// TaskHours are billed.
	TaskHours float64
	// Monthly is what a month of this would cost.
	Monthly Cost

	// ColdStarts is how many tasks were launched, MaxTasks the most at any time.
	ColdStarts, MaxTasks int
	// Actions is how often the desired count was changed, Reversals how often
	// upwards after downwards or the other way round.
	Actions, Reversals int
}

// Cost is in dollars.
type Cost struct{ Tasks, Queue, Scaler float64 }

// Total adds up.
func (c Cost) Total() float64 { return c.Tasks + c.Queue + c.Scaler }

// MissShare is the share of the messages that waited longer than the SLO.
func (r Result) MissShare() float64 {
	if r.Messages == 0 {
		return 0
	}
	return float64(r.Misses) / float64(r.Messages)
}

// monthly scales what was used in the time elapsed to a month.
func (r Result) monthly(s Setup, o Overhead) Cost {
	if r.Elapsed == 0 {
		return Cost{}
	}
	months := r.Elapsed.Hours() / monthHours
	hours := r.TaskHours / months
	return Cost{
		Tasks:  hours * s.Prices.taskHour(s.Size),
		Queue:  s.Prices.queueing(r.Receives, r.TaskHours) / months,
		Scaler: o.PerMonth + hours*o.PerTaskHour,
	}
}
