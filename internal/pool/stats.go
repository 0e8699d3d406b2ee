package pool

// Stats is a reading of a pool's gauges and counters. The pool moves on while it
// is read: a Dispatch that is under way may already be counted although it will
// be refused. When none is, the figures are exact.
type Stats struct {
	// Size is the number of goroutines, Capacity how many tasks may be queued.
	Size, Capacity int
	// Queued is how many tasks wait, Running how many goroutines have one.
	Queued, Running int
	// Dispatched and Refused count the calls of Dispatch by their answer.
	Dispatched, Refused uint64
	// Completed counts the tasks that are over, however they ended, Panicked
	// the panics among them, and Reclaimed the tasks that were taken back unrun.
	Completed, Panicked, Reclaimed uint64
}

// Stats reads the pool. It costs some loads and a lock that no dispatch takes.
func (p *Pool[T]) Stats() Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	// Between two counts of its way a task looks completed. It is there for
	// nanoseconds only, so of two readings the lower is right.
	s, again := p.read(), p.read()
	s.Completed = min(s.Completed, again.Completed)
	return s
}

// read derives Completed from the other figures: a goroutine in a burst has not
// settled yet what it has run. The total is read first, so that a task which
// comes later makes the result too low rather than too high.
func (p *Pool[T]) read() Stats {
	dispatched := p.admitted.Load() - p.bounced.Load()
	queued, running := len(p.queue), int(p.busy.Load())
	return Stats{
		Size:       p.size,
		Capacity:   cap(p.queue),
		Queued:     queued,
		Running:    running,
		Dispatched: uint64(max(dispatched, 0)),
		Refused:    uint64(p.refused.Load()),
		Completed:  uint64(max(dispatched-p.reclaimed-int64(queued+running), 0)),
		Panicked:   uint64(p.panicked.Load()),
		Reclaimed:  uint64(p.reclaimed),
	}
}
