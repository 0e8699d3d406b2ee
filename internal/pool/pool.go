package pool

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
)

// apart keeps words that different goroutines write out of one cache line. It is
// two lines of most processors, because they fetch lines in pairs.
type apart [128]byte

// Pool runs tasks of type T. Make one with New or NewLimited; the zero value is
// not usable. All methods may be called by any number of goroutines. A pool that
// is no longer needed must be closed, or its goroutines stay.
type Pool[T any] struct {
	// Read by everybody, hardly ever written.
	queue   chan T
	run     func(T)
	limit   Limit
	onPanic func(any, []byte)
	size    int
	closed  atomic.Bool

	_        apart
	admitted atomic.Int64 // tasks that Dispatch tried to queue

	_       apart
	settled atomic.Int64 // admitted tasks that are over, or were not queued after all
	busy    atomic.Int64 // goroutines in a burst

	_        apart
	refused  atomic.Int64 // Dispatch said false
	bounced  atomic.Int64 // refused after having been admitted
	panicked atomic.Int64

	alive atomic.Int64  // goroutines that have not left
	shut  sync.Once     // closes queue
	done  chan struct{} // closed when the last goroutine has left

	mu        sync.Mutex // held to move tasks from queue to reclaimed, and to read both
	reclaimed int64
}

// New starts a pool that calls run for each task. It returns an error, and
// starts nothing, if the configuration is not valid.
func New[T any](config Config, run func(T)) (*Pool[T], error) {
	if run == nil {
		return nil, errors.Join(config.Validate(), errors.New("run: is nil, must be a function"))
	}
	return start(config, nil, run)
}

// NewLimited starts a pool whose admission is also subject to limit, which
// learns from what run returns. A nil limit limits nothing.
func NewLimited[T any](config Config, limit Limit, run func(T) Outcome) (*Pool[T], error) {
	switch {
	case run == nil:
		return New[T](config, nil)
	case limit == nil:
		return New(config, func(task T) { run(task) })
	default:
		return start(config, limit, timed(limit, run))
	}
}

func start[T any](config Config, limit Limit, run func(T)) (*Pool[T], error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	p := &Pool[T]{
		queue:   make(chan T, config.BufferSize),
		run:     run,
		limit:   limit,
		onPanic: config.OnPanic,
		size:    config.Size,
		done:    make(chan struct{}),
	}
	p.alive.Store(int64(config.Size))
	for range config.Size {
		go p.work()
	}
	return p, nil
}

// Dispatch queues task and answers true, or answers false at once: the queue is
// full, the limit is reached, or the pool is closed. It allocates nothing. What
// becomes of a refused task is the caller's decision.
func (p *Pool[T]) Dispatch(task T) bool {
	// One function, because another call would show in the benchmark. The order is
	// what makes closing safe: count, then look whether it is closed, then send.
	if p.limit != nil && !p.limit.Acquire() {
		p.refused.Add(1)
		return false
	}
	p.admitted.Add(1)
	if !p.closed.Load() {
		select {
		case p.queue <- task:
			return true
		default:
		}
	}
	return p.refuse()
}

// refuse undoes an admission.
func (p *Pool[T]) refuse() bool {
	if p.limit != nil {
		p.limit.Release(0, Ignored)
	}
	p.bounced.Add(1)
	p.refused.Add(1)
	p.settle(1)
	return false
}

// settle counts n admitted tasks as over. After the last of a closed pool there
// is nobody left who could send, and the channel is closed.
func (p *Pool[T]) settle(n int64) {
	settled := p.settled.Add(n)
	if p.closed.Load() && p.admitted.Load() == settled {
		p.shut.Do(func() { close(p.queue) })
	}
}

// Close makes every later Dispatch answer false and returns at once. Tasks that
// are queued still run, and the goroutines end when they are done. It may be
// called more than once.
func (p *Pool[T]) Close() {
	p.closed.Store(true)
	p.settle(0)
}

// Reclaim closes the pool and takes back what no goroutine has taken yet,
// oldest first: those tasks will not run. A Dispatch that another goroutine
// began before may still queue its task; that one runs.
func (p *Pool[T]) Reclaim() []T {
	p.Close()
	tasks := p.empty()
	if p.limit != nil {
		for range tasks {
			p.limit.Release(0, Ignored)
		}
	}
	p.settle(int64(len(tasks)))
	return tasks
}

// empty receives what is queued. It holds the lock so that Stats never sees a
// task that is in neither the queue nor the count.
func (p *Pool[T]) empty() []T {
	p.mu.Lock()
	defer p.mu.Unlock()
	tasks := make([]T, 0, len(p.queue))
	for {
		task, ok := p.next()
		if !ok {
			return tasks
		}
		p.reclaimed++
		tasks = append(tasks, task)
	}
}

// next receives a task if there is one.
func (p *Pool[T]) next() (task T, ok bool) {
	select {
	case task, ok = <-p.queue:
	default:
	}
	return task, ok
}

// Drain closes the pool and waits until no task is queued or running. If ctx
// ends before that, the error says how many are left and wraps the cause; they
// go on, and Drain may be called again. A task must not call it: it would wait
// for itself.
func (p *Pool[T]) Drain(ctx context.Context) error {
	p.Close()
	select {
	case <-p.done:
		return nil
	default:
	}
	select {
	case <-p.done:
		return nil
	case <-ctx.Done():
		s := p.Stats()
		return fmt.Errorf("drain pool: %d running and %d queued: %w", s.Running, s.Queued, context.Cause(ctx))
	}
}
