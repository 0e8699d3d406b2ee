package sim

import (
	"context"
	"time"
)

// Run replays a setup under a controller. The sampler, if there is one, is
// called after every tick. The context is asked now and then; its end is an error.
func Run(ctx context.Context, setup Setup, c Controller, sampler func(Sample)) (Result, error) {
	if err := setup.Validate(); err != nil {
		return Result{}, err
	}
	r := newRun(setup, c, sampler)
	defer r.feed.stop()
	for n := 0; r.step(); n++ {
		if n%(1<<16) == 0 && ctx.Err() != nil {
			return Result{}, ctx.Err()
		}
	}
	if r.feed.err != nil {
		return Result{}, r.feed.err
	}
	return r.close(), nil
}

// run is one run in the making.
type run struct {
	setup      Setup
	controller Controller
	sampler    func(Sample)
	chance     chance

	now     time.Duration
	tickAt  time.Duration
	feed    *feed
	agenda  agenda
	backlog backlog
	fleet   fleet
	tokens  launchTokens
	gate    time.Duration // when the bottleneck lets the next job end
	waiting bool          // for the launch limit

	desired  int
	inFlight int
	lastMove int // 1 up, -1 down
	since    Sight
	waits    Histogram
	result   Result
}

func newRun(setup Setup, c Controller, sampler func(Sample)) *run {
	return &run{
		setup:      setup,
		controller: c,
		sampler:    sampler,
		chance:     chance(setup.Seed),
		feed:       newFeed(setup.Arrivals, setup.Seed),
		fleet:      fleet{slots: int32(setup.Slots), minimum: setup.Prices.TaskMinimum}, // #nosec G115 -- validated
		tokens:     newLaunchTokens(setup.Launch),
	}
}

// step lets the next thing happen; false is the end. What is planned comes
// before a message that is sent at the same moment, and a tick after both.
func (r *run) step() bool {
	at, happen := r.tickAt, (*run).tick
	if r.feed.more && r.feed.at <= at {
		at, happen = r.feed.at, (*run).arrive
	}
	if events := r.agenda.events; len(events) > 0 && events[0].at <= at {
		at, happen = events[0].at, (*run).handle
	}
	if r.over(at) {
		return false
	}
	r.now = at
	happen(r)
	return true
}

// over reports whether the books close before what would be next, at the time next.
func (r *run) over(next time.Duration) bool {
	end := r.setup.Arrivals.Duration + r.setup.Tail
	limit := end + r.setup.Overtime
	switch {
	case r.feed.err != nil:
		return true
	case !r.feed.more && r.backlog.len()+r.inFlight == 0 && next > end:
		r.now = max(r.now, end)
		return true
	case next > limit:
		r.now = limit
		return true
	}
	return false
}

// arrive takes a message that is sent.
func (r *run) arrive() {
	r.result.Messages++
	r.backlog.fresh.push(message{sent: r.now, id: uint32(r.result.Messages)}) // #nosec G115 -- may wrap around
	r.feed.advance()
	r.serve()
}

// handle takes the next event.
func (r *run) handle() {
	switch e := r.agenda.events.pop(); e.kind {
	case eventDone:
		r.finish(e)
	case eventReturn:
		r.inFlight--
		r.backlog.returned.push(e.message)
		r.serve()
	case eventReady:
		if r.fleet.ready(e.task) {
			r.serve()
		}
	case eventLaunch:
		r.waiting = false
		r.settle()
	}
}

// serve hands out messages while there are some and tasks can take them.
func (r *run) serve() {
	for r.backlog.len() > 0 && len(r.fleet.open) > 0 {
		r.receive(r.backlog.take())
	}
}

// receive gives a message to one of the tasks that have a free slot.
func (r *run) receive(m message) {
	i := r.fleet.open[r.pick()]
	if m.attempt == 0 {
		r.waited(m)
	}
	r.since.Waited = max(r.since.Waited, r.now-m.sent)
	r.since.Received++
	r.result.Receives++
	m.attempt++
	r.inFlight++
	r.fleet.hold(i)
	took := r.setup.Service.Quantile(r.chance.uniform(drawService, attemptNumber(m)))
	r.agenda.plan(event{at: r.through(r.now + took), began: r.now, kind: eventDone, task: i, message: m})
}

func (r *run) pick() int {
	n := len(r.fleet.open)
	if n == 1 {
		return 0
	}
	return r.chance.below(n, drawTask, uint64(r.result.Receives)) // #nosec G115 -- not negative
}

// attemptNumber is different for each attempt of each message.
func attemptNumber(m message) uint64 { return uint64(m.attempt)<<32 | uint64(m.id) }

// through returns when a job that would end at a moment is through the bottleneck.
func (r *run) through(end time.Duration) time.Duration {
	if r.setup.Bottleneck == 0 {
		return end
	}
	r.gate = max(end, r.gate+time.Duration(float64(time.Second)/r.setup.Bottleneck))
	return r.gate
}

func (r *run) waited(m message) {
	wait := r.now - m.sent
	r.waits.Add(wait)
	if wait > r.setup.SLO {
		r.result.Misses++
	}
}

// finish ends an attempt.
func (r *run) finish(e event) {
	m := e.message
	r.since.Done++
	r.since.ServiceTime += r.now - e.began
	switch {
	case r.chance.uniform(drawFailure, attemptNumber(m)) >= r.setup.FailureShare:
		r.result.Completed++
		r.since.Completed++
		r.inFlight--
	case int(m.attempt) >= r.setup.MaxReceives:
		r.result.Dead++
		r.inFlight--
	default:
		r.agenda.plan(event{at: r.now + r.setup.Visibility, kind: eventReturn, message: m})
	}
	r.fleet.release(e.task, r.now)
	r.serve()
}

// tick lets the controller decide.
func (r *run) tick() {
	r.tickAt += r.controller.Period()
	desired := max(0, r.controller.Decide(r.sight()))
	r.since = Sight{}
	if desired != r.desired {
		r.move(desired)
	}
	if r.sampler != nil {
		r.sampler(r.sample())
	}
}

func (r *run) move(desired int) {
	direction := 1
	if desired < r.desired {
		direction = -1
	}
	r.result.Actions++
	if r.lastMove == -direction {
		r.result.Reversals++
	}
	r.lastMove = direction
	r.desired = desired
	r.settle()
}

// settle brings the fleet to the desired count, as fast as launches go.
func (r *run) settle() {
	owed := r.desired - r.fleet.standing()
	if owed < 0 {
		r.fleet.shrink(-owed, r.now)
		return
	}
	granted := r.tokens.take(owed, r.now)
	for range granted {
		r.launch()
	}
	if granted < owed && !r.waiting {
		r.waiting = true
		r.agenda.plan(event{at: r.now + max(1, r.tokens.wait()), kind: eventLaunch})
	}
}

func (r *run) launch() {
	i := r.fleet.launch(r.now)
	r.since.Starts++
	took := r.setup.ColdStart.Quantile(r.chance.uniform(drawColdStart, r.fleet.started))
	r.agenda.plan(event{at: r.now + took, kind: eventReady, task: i})
}

// sight is what there is to see now. Launches that the limit holds back show
// in the desired count alone, as in ECS.
func (r *run) sight() Sight {
	s := r.since
	s.run = r
	s.Now, s.Clock = r.now, r.setup.Start.Add(r.now)
	s.Visible, s.InFlight = r.backlog.len(), r.inFlight
	s.Desired, s.Pending, s.Running = r.desired, r.fleet.counts[taskStarting], r.fleet.counts[taskServing]
	s.Draining, s.Busy, s.Slots = r.fleet.counts[taskDraining], r.fleet.busy, r.setup.Slots
	return s
}

func (r *run) sample() Sample {
	s := Sample{
		At: r.now, Visible: r.backlog.len(), InFlight: r.inFlight, Desired: r.desired,
		Running: r.fleet.counts[taskServing], Starting: r.fleet.counts[taskStarting],
	}
	if sent, ok := r.backlog.oldest(); ok {
		s.OldestWait = r.now - sent
	}
	return s
}

// close closes the books.
func (r *run) close() Result {
	out := &r.result
	out.Left = r.backlog.len() + r.inFlight
	for r.backlog.len() > 0 {
		if m := r.backlog.take(); m.attempt == 0 {
			r.waited(m)
		}
	}
	r.fleet.close(r.now)
	out.P50, out.P95, out.P99 = r.waits.Quantile(0.50), r.waits.Quantile(0.95), r.waits.Quantile(0.99)
	out.Max = r.waits.Max()
	out.Elapsed = r.now
	out.TaskHours = r.fleet.billed.Hours()
	out.ColdStarts, out.MaxTasks = int(r.fleet.started), r.fleet.most // #nosec G115 -- a count of tasks
	out.Monthly = out.monthly(r.setup, r.controller.Overhead(r.setup.Prices))
	return *out
}
