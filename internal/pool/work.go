package pool

import "runtime/debug"

// work is one goroutine of the pool.
func (p *Pool[T]) work() {
	finished := false
	defer func() { p.leave(finished) }()
	for task := range p.queue {
		p.busy.Add(1)
		p.burst(task)
	}
	finished = true
}

// leave replaces a goroutine that a task has ended with runtime.Goexit, and
// lets Drain return after the last one that has finished.
func (p *Pool[T]) leave(finished bool) {
	if !finished {
		go p.work()
		return
	}
	if p.alive.Add(-1) == 0 {
		close(p.done)
	}
}

// burst runs task and then all that can be had without waiting, and settles them
// together: an atomic operation for each would be a tenth of the cost of a
// dispatch. A panic ends the burst, not the goroutine.
func (p *Pool[T]) burst(task T) {
	var begun int64
	defer func() {
		p.busy.Add(-1)
		p.settle(begun)
	}()
	defer func() {
		if value := recover(); value != nil {
			p.report(value)
		}
	}()
	run := p.run
	for ok := true; ok; {
		begun++
		run(task)
		select {
		case task, ok = <-p.queue:
		default:
			ok = false
		}
	}
}

// report counts a panic and tells OnPanic of it, whose own panic ends here.
func (p *Pool[T]) report(value any) {
	p.panicked.Add(1)
	if p.onPanic == nil {
		return
	}
	defer func() {
		if recover() != nil {
			p.panicked.Add(1)
		}
	}()
	p.onPanic(value, debug.Stack())
}
