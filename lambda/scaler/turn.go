package scaler

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/rousehq/rouse/internal/policy"
	"github.com/rousehq/rouse/internal/workload"
)

// turn is one workload's part of one tick. At any moment one goroutine has it,
// except while observing, when one reads the queue and another the service.
type turn struct {
	name     string
	gone     bool // the workload was deleted
	document workload.Document
	policy   policy.Policy
	override policy.Signal[policy.Override]
	lease    lease
	memory   memory
	fleet    fleet

	queue      queueView
	queueErr   error
	service    serviceView
	serviceErr error

	observation policy.Observation
	decision    policy.Decision
	outcome     policy.Outcome

	held     *leaseError // somebody else acts for the workload
	problems []error     // what makes this a failed tick
	notes    []error     // what was survived
	took     time.Duration
}

// fail takes an error of one of the turn's steps; nil is none.
func (t *turn) fail(err error) {
	var held leaseError
	switch {
	case err == nil:
	case errors.As(err, &held):
		t.held = &held
	default:
		t.problems = append(t.problems, err)
	}
}

// note takes an error that the turn survives; nil is none.
func (t *turn) note(err error) {
	if err != nil {
		t.notes = append(t.notes, err)
	}
}

func noteAll(turns []*turn, err error) {
	for _, t := range turns {
		t.note(err)
	}
}

// open reports whether the turn goes on after loading.
func (t *turn) open() bool { return !t.gone && t.held == nil && len(t.problems) == 0 }

// parse reads the records of the workload.
func (t *turn) parse(r records, now time.Time) (err error) {
	if t.document, t.policy, err = parseSpec(t.name, r.spec); err != nil {
		return err
	}
	if t.override, err = parseOverride(r.override); err != nil {
		return err
	}
	t.lease = r.lease
	t.memory, err = recall(r.state)
	t.note(err)
	t.fleet, err = survey(r.heartbeats, t.memory.Completed, now)
	t.note(err)
	return nil
}

func parseSpec(name, body string) (workload.Document, policy.Policy, error) {
	if body == "" {
		return workload.Document{}, policy.Policy{}, fmt.Errorf("read spec: the record has no text in attribute %s", workload.AttributeDocument)
	}
	d, err := workload.Parse([]byte(body))
	if err != nil {
		return d, policy.Policy{}, fmt.Errorf("read spec: %w", err)
	}
	if d.Name != name {
		return d, policy.Policy{}, fmt.Errorf("read spec: name: is %q, must be %q like the record's key", d.Name, name)
	}
	p, err := policy.New(d.Policy)
	return d, p, err
}

// parseOverride reads the operator's order strictly: an order that is not
// understood holds the workload, with an error, rather than being passed over.
func parseOverride(body string) (policy.Signal[policy.Override], error) {
	var none policy.Signal[policy.Override]
	if body == "" {
		return none, nil
	}
	var o policy.Override
	decoder := json.NewDecoder(bytes.NewReader([]byte(body)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&o); err != nil {
		return none, fmt.Errorf("read override: %w", err)
	}
	if o.Mode != policy.OverridePause && o.Mode != policy.OverrideCount {
		return none, fmt.Errorf("read override: mode: is %q, must be %q or %q", o.Mode, policy.OverridePause, policy.OverrideCount)
	}
	if o.Count < 0 || o.Until < 0 {
		return none, fmt.Errorf("read override: count and until: are %d and %d, must be 0 or more", o.Count, o.Until)
	}
	return policy.Known(o), nil
}

// look makes the observation of what was read, and brings the memory up to
// it. A tick that is blind leaves the counters where they are, so that the
// next one that sees takes in what happened meanwhile.
func (t *turn) look(now policy.Instant) {
	queue, queueKnown := t.queue.depth.Get()
	service, serviceKnown := t.service.counts.Get()
	o := policy.Observation{Queue: t.queue.depth, Service: t.service.counts, QueueDelay: t.queue.delay, Override: t.override}
	if t.document.SlotsPerTask > 0 {
		o.SlotsPerTask = policy.Known(t.document.SlotsPerTask)
	}
	t.fleet.describe(&o, service.Running, isFIFO(t.document.QueueURL))
	if queueKnown && serviceKnown {
		t.count(&o, queue, service, now)
	} else {
		t.memory.BlindTicks++
	}
	o.OldestAge = oldestAge(t.memory.Metric.fresh(now), t.fleet.waited, t.memory.NoneVisibleAt, now)
	t.observation = o
}

// count fills in what happened since the last tick that saw everything.
func (t *turn) count(o *policy.Observation, queue policy.Queue, service policy.Service, now policy.Instant) {
	m := &t.memory
	starts, newest := countStarts(t.service.events, m.EventAt)
	if m.SightedAt > 0 {
		o.Starts = starts
		if t.fleet.reporting > 0 {
			o.Completed = policy.Known(t.fleet.completed)
		}
	}
	if queue.Visible == 0 {
		m.NoneVisibleAt = now
	}
	m.BlindTicks = 0
	m.SightedAt = now
	m.EventAt = newest
	m.Completed = t.fleet.counters
	m.Writes = m.Writes.seen(service.Desired, now)
}

// conditions are the policy's and the scaler's own.
func (t *turn) conditions() []policy.Condition {
	conditions := t.decision.Conditions
	if t.memory.Writes.foreign() {
		conditions = append(conditions[:len(conditions):len(conditions)], conditionForeignWriter)
	}
	return conditions
}
