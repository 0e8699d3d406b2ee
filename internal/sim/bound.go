package sim

import "time"

// Bound is what even a clairvoyant controller cannot go below without a miss:
// it knows every arrival and every service time, and its tasks start at once.
type Bound struct {
	// Work is Σ service time ÷ slots: every slot of every task always busy.
	Work time.Duration
	// Starts is the number of messages so far apart that no two can share what a
	// task is billed for at least; each of them costs that minimum.
	Starts  int
	minimum time.Duration
}

// TaskHours is the greater of what the work and what the starts are billed for.
func (b Bound) TaskHours() float64 {
	return max(b.Work, time.Duration(b.Starts)*b.minimum).Hours()
}

// LowerBound computes the bound of a setup in one pass over its arrivals.
//
// A message may start up to the SLO after it was sent. Take messages whose
// distance is at least the SLO and two billing minima. If one task serves k of
// them it stands for (k−1) × 2 minima at least, which is no less than k minima
// from k = 2 on; if each has its own task, each is billed one minimum.
func LowerBound(s Setup) (Bound, error) {
	if err := s.Validate(); err != nil {
		return Bound{}, err
	}
	f := newFeed(s.Arrivals, s.Seed)
	defer f.stop()
	b := Bound{minimum: s.Prices.TaskMinimum}
	apart := s.SLO + 2*s.Prices.TaskMinimum
	var last moment
	for n := uint32(1); f.more; n++ {
		b.Work += s.Service.Quantile(f.chance.uniform(drawService, attemptNumber(message{id: n, attempt: 1}))) / time.Duration(s.Slots)
		if !last.within(apart, f.at) {
			last.set(f.at)
			b.Starts++
		}
		f.advance()
	}
	return b, f.err
}
