package scaler

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/rousehq/rouse/internal/policy"
)

// The share of a tick's time by which each step must be over.
const (
	loadShare    = 0.40
	observeShare = 0.65
	measureShare = 0.75
	actShare     = 0.90
	callShare    = 0.20 // of one call; the rest of a step is for those that wait for a place
)

// tick gives every workload its turn.
func (v *invocation) tick(ctx context.Context, now time.Time) {
	ctx, cancel := context.WithDeadline(ctx, now.Add(v.config.budget()))
	defer cancel()
	v.now = now
	v.summary.Ticks++
	turns := v.begin(ctx)
	v.load(ctx, turns)
	turns = slices.DeleteFunc(turns, func(t *turn) bool { return t.gone })
	open := slices.DeleteFunc(slices.Clone(turns), func(t *turn) bool { return !t.open() })
	v.observe(ctx, open)
	v.measure(ctx, open)
	v.settle(ctx, open)
	for _, t := range turns {
		v.keep(t)
		v.report(ctx, t)
	}
}

// begin lists the workloads. If the list cannot be read the last one serves.
func (v *invocation) begin(ctx context.Context) []*turn {
	names, err := v.list(ctx)
	if err != nil {
		v.listErr = err
	}
	if err != nil && len(names) == 0 {
		names = v.names
	}
	slices.Sort(names)
	v.names = slices.Compact(names)
	turns := make([]*turn, len(v.names))
	for i, name := range v.names {
		turns[i] = &turn{name: name}
	}
	return turns
}

// load reads each workload's records and takes its lease.
func (v *invocation) load(ctx context.Context, turns []*turn) {
	ctx, cancel := stage(ctx, v.now, loadShare)
	defer cancel()
	v.each(turns, func(t *turn) { t.fail(v.open(ctx, t)) })
}

func (v *invocation) open(ctx context.Context, t *turn) error {
	r, err := v.read(ctx, t.name)
	if err != nil {
		return err
	}
	if t.gone = !r.specFound; t.gone {
		return nil
	}
	if err := t.parse(r, v.now); err != nil {
		return err
	}
	return v.claim(ctx, t)
}

// observe reads queues and services at the same time.
func (v *invocation) observe(ctx context.Context, turns []*turn) {
	ctx, cancel := stage(ctx, v.now, observeShare)
	defer cancel()
	var tasks []func()
	for _, batch := range serviceBatches(turns) {
		tasks = append(tasks, func() { v.readServices(ctx, batch) })
	}
	for _, t := range turns {
		tasks = append(tasks, func() { t.queue, t.queueErr = v.readQueue(ctx, t.document.QueueURL) })
	}
	v.together(tasks)
	for _, t := range turns {
		t.fail(t.queueErr)
		t.fail(t.serviceErr)
	}
}

// measure asks CloudWatch for ages where they could matter and a new one may be there.
func (v *invocation) measure(ctx context.Context, turns []*turn) {
	ctx, cancel := stage(ctx, v.now, measureShare)
	defer cancel()
	now := policy.At(v.now)
	wanting := slices.DeleteFunc(slices.Clone(turns), func(t *turn) bool { return !t.wantsMetric(now) })
	var tasks []func()
	for batch := range slices.Chunk(wanting, metricsPerCall) {
		tasks = append(tasks, func() { v.readAges(ctx, batch) })
	}
	v.together(tasks)
}

// settle decides for each workload, acts and remembers.
func (v *invocation) settle(ctx context.Context, turns []*turn) {
	acting, cancel := stage(ctx, v.now, actShare)
	defer cancel()
	v.each(turns, func(t *turn) {
		t.look(policy.At(v.now))
		var err error
		t.memory.Policy, t.decision = t.policy.Decide(t.memory.Policy, t.observation, v.now)
		t.outcome, err = v.act(acting, t)
		t.fail(err)
		t.fail(v.remember(ctx, t))
	})
}

// remember saves what the next tick must know of this one.
func (v *invocation) remember(ctx context.Context, t *turn) error {
	m := t.memory
	m.Policy = t.policy.Record(m.Policy, t.decision, t.outcome, v.now)
	m.Writes = m.Writes.wrote(t.outcome, t.decision.Target)
	m.Conditions = t.conditions()
	document, err := m.encode()
	if err != nil {
		return err
	}
	return v.save(ctx, t, &document)
}

// keep enters the turn into the invocation's books.
func (v *invocation) keep(t *turn) {
	if t.lease.owner == v.owner {
		v.leases[t.name] = t.lease
	}
	if t.outcome == policy.OutcomeAdded || t.outcome == policy.OutcomeRemoved {
		v.summary.Changes++
	}
	if len(t.problems) > 0 {
		v.failed[t.name] = true
	}
}

// each runs a step for every turn, some at the same time. A panic is that turn's failure alone.
func (v *invocation) each(turns []*turn, step func(*turn)) {
	var tasks []func()
	for _, t := range turns {
		tasks = append(tasks, func() {
			defer func() {
				if p := recover(); p != nil {
					t.fail(fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
				}
				t.took = time.Since(v.now)
			}()
			step(t)
		})
	}
	v.together(tasks)
}

// together runs tasks, as many at the same time as the settings allow.
func (v *invocation) together(tasks []func()) {
	var group errgroup.Group
	group.SetLimit(v.config.Concurrency)
	for _, task := range tasks {
		group.Go(func() error { task(); return nil })
	}
	_ = group.Wait() // tasks keep their errors
}

// call bounds one call, so that those behind it get their turn.
func (v *invocation) call(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, time.Duration(callShare*float64(v.config.budget())))
}
