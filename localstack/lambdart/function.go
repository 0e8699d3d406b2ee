package lambdart

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
)

// function is what the Runner knows of one function: its unpacked deployment and its instances.
type function struct {
	name string

	mu       sync.Mutex
	current  *deployment // unpacked
	idle     []*instance
	busy     map[*instance]bool
	reserved int
	slots    chan struct{} // bounds concurrent invocations; nil for no bound
	closed   bool
}

func newFunction(name string) *function {
	return &function{name: name, busy: make(map[*instance]bool)}
}

// acquire waits for one of the function's reserved instances, as Lambda keeps asynchronous invocations waiting.
func (f *function) acquire(ctx context.Context, reserved int) (release func(), err error) {
	f.mu.Lock()
	if f.reserved != reserved {
		f.reserved, f.slots = reserved, nil
		if reserved > 0 {
			f.slots = make(chan struct{}, reserved)
		}
	}
	slots := f.slots
	f.mu.Unlock()
	if slots == nil {
		return func() {}, nil
	}
	select {
	case slots <- struct{}{}:
		return func() { <-slots }, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("wait for one of %d concurrent invocations of %s: %w", reserved, f.name, ctx.Err())
	}
}

// take returns a warm instance of the deployment, or a new one, and the deployment with its code unpacked.
func (f *function) take(ctx context.Context, d *deployment, r *Runner) (*instance, *deployment, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return nil, nil, fmt.Errorf("invoke %s: %w", f.name, ErrClosed)
	}
	if f.current == nil || f.current.version != d.version {
		if err := d.fetch(ctx, r.options.Dir); err != nil {
			return nil, nil, err
		}
		closeAll(f.idle)
		f.current.remove()
		f.current, f.idle = d, nil
	}
	chosen, err := f.warmOrNew(r)
	if err != nil {
		return nil, nil, err
	}
	f.busy[chosen] = true
	return chosen, f.current, nil
}

func (f *function) warmOrNew(r *Runner) (*instance, error) {
	for n := len(f.idle); n > 0; n = len(f.idle) {
		warm := f.idle[n-1]
		f.idle = f.idle[:n-1]
		select {
		case <-warm.group.Done(): // it ended while idle
			warm.close()
		default:
			return warm, nil
		}
	}
	log, err := r.openOutput(f.name)
	if err != nil {
		return nil, err
	}
	return startInstance(f.current, environment(r.options.Environment, f.current, r.options.Region), log)
}

// giveBack keeps an instance warm if it can be used again.
func (f *function) giveBack(used *instance, d *deployment, end fate) {
	f.mu.Lock()
	delete(f.busy, used)
	keep := end == reusable && !f.closed && d == f.current
	if keep {
		used.warm = true
		f.idle = append(f.idle, used)
	}
	f.mu.Unlock()
	if !keep {
		used.close()
	}
}

func (f *function) close() {
	f.mu.Lock()
	f.closed = true
	idle := f.idle
	f.idle = nil
	busy := slices.Collect(maps.Keys(f.busy))
	f.mu.Unlock()
	closeAll(idle)
	for _, used := range busy {
		_ = used.group.Kill() // its invoke then ends and closes it
		<-used.group.Done()
	}
	f.current.remove()
}

func closeAll(instances []*instance) {
	var wg sync.WaitGroup
	for _, i := range instances {
		wg.Go(i.close)
	}
	wg.Wait()
}

func (r *Runner) openOutput(name string) (io.WriteCloser, error) {
	if r.options.Output == nil {
		return discard{}, nil
	}
	output, err := r.options.Output(name)
	if err != nil {
		return nil, fmt.Errorf("open output of function %s: %w", name, err)
	}
	return output, nil
}

// discard drops an instance's output.
type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
func (discard) Close() error                { return nil }
