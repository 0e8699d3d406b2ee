package sim

import (
	"time"

	"github.com/rousehq/rouse/internal/policy"
)

const (
	// metricLag is how long after the end of its minute a metric of SQS can be
	// read. Documents and users tell one to two minutes; one is what favours
	// those that depend on it.
	metricLag = time.Minute
	// metricFresh is how long after the end of its minute the scaler still believes an age.
	metricFresh = 3 * time.Minute
)

// ageMetric is ApproximateAgeOfOldestMessage as the scaler reads it: a value a
// minute, published late, asked for once a minute and only where somebody works
// and messages wait.
type ageMetric struct {
	next    time.Duration // end of the minute to be measured next
	pending []datapoint   // measured, not read yet
	askedAt time.Duration
	asked   bool
	newest  datapoint
}

// datapoint is what a metric said of the minute that ended at a moment.
type datapoint struct {
	at    time.Duration
	value float64
}

// read returns the age, unknown if none is fresh.
func (m *ageMetric) read(seen Sight) policy.Signal[float64] {
	m.measure(seen)
	wanted := seen.Visible > 0 && seen.Desired > 0
	if wanted && (!m.asked || seen.Now-m.askedAt >= time.Minute) {
		m.asked, m.askedAt = true, seen.Now
		m.take(seen.Now)
	}
	if m.newest.at == 0 || seen.Now-m.newest.at >= metricFresh {
		return policy.Signal[float64]{}
	}
	return policy.Known(m.newest.value)
}

// measure takes down the value of a minute that is over.
func (m *ageMetric) measure(seen Sight) {
	if seen.Now < m.next {
		return
	}
	m.next = seen.Now - seen.Now%time.Minute + time.Minute
	m.pending = append(m.pending, datapoint{seen.Now, seen.OldestAge().Seconds()})
	const kept = 8 // older ones would not be fresh
	if len(m.pending) > kept {
		m.pending = append(m.pending[:0], m.pending[len(m.pending)-kept:]...)
	}
}

// take reads what is published.
func (m *ageMetric) take(now time.Duration) {
	for _, d := range m.pending {
		if now-d.at >= metricLag {
			m.newest = d
		}
	}
}
