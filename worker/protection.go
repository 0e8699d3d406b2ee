package worker

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"
)

const (
	// protectionLinger is how long the worker must be idle before its protection
	// is dropped, so that a gap between two jobs costs no calls.
	protectionLinger = time.Second
	protectionIdle   = time.Minute // between looks when there is nothing to do
)

// protection keeps the ECS task protected from scale-in while it holds messages.
//
//	unprotected ──ensure──▶ protected ──idle for a second──▶ unprotected
//	     │                     │ renewed at half of its life
//	     └──── refused ◀───────┘
//	             │  the gate is shut (quiescing); asked again with back-off,
//	             └─ and opened when the agent agrees
//
// The agent is called on these edges only, never once per message. Without an
// agent (no ECS_AGENT_URI) there is nothing to be protected from.
type protection struct {
	agent   agent
	gate    *gate
	metrics *metrics
	log     *slog.Logger

	edges     chan struct{} // a nudge to look again
	busy      atomic.Bool
	idleSince atomic.Int64 // Unix nanoseconds

	turn     chan struct{} // held across calls; guards what follows
	until    time.Time     // protected until then; zero if not protected
	refusals int           // in a row
	retryAt  time.Time     // when to ask again after a refusal
}

var refusalBackoff = backoff{base: time.Second, max: time.Minute}

func newProtection(a agent, g *gate, m *metrics, log *slog.Logger) *protection {
	return &protection{agent: a, gate: g, metrics: m, log: log, edges: make(chan struct{}, 1), turn: make(chan struct{}, 1)}
}

// edge is told when the worker becomes busy or idle. It does not block.
func (p *protection) edge(busy bool) {
	p.idleSince.Store(time.Now().UnixNano())
	p.busy.Store(busy)
	if !busy {
		p.nudge()
	}
}

func (p *protection) nudge() {
	select {
	case p.edges <- struct{}{}:
	default:
	}
}

// ensure returns nil once the task is protected. The caller counts as busy
// already, so that the protection is not dropped beneath it.
func (p *protection) ensure(ctx context.Context) error {
	if p.agent.uri == "" {
		return nil
	}
	select {
	case p.turn <- struct{}{}:
		defer func() { <-p.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if time.Until(p.until) > protectionLife/4 {
		return nil
	}
	return p.ask(ctx)
}

// ask has the turn, and asks the agent for protection.
func (p *protection) ask(ctx context.Context) error {
	asked := time.Now()
	if err := p.agent.protect(ctx, true); err != nil {
		if ctx.Err() == nil {
			p.refused(err)
		}
		return err
	}
	p.until = asked.Add(protectionLife)
	p.refusals = 0
	p.metrics.protected.Set(1)
	if p.gate.clear(quiescing) {
		p.log.Info("task protection granted")
	}
	p.nudge()
	return nil
}

// refused shuts the gate until the agent agrees.
func (p *protection) refused(err error) {
	p.refusals++
	p.retryAt = time.Now().Add(refusalBackoff.delay(p.refusals))
	p.metrics.refusals.Inc()
	if p.gate.close(quiescing, err.Error()) {
		p.log.Warn("quiescing", "error", err)
	}
	p.nudge()
}

// run renews and drops the protection and asks again after refusals, until ctx is done.
func (p *protection) run(ctx context.Context) {
	if p.agent.uri == "" {
		return
	}
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-timer.C:
		case <-p.edges:
		case <-ctx.Done():
			return
		}
		timer.Reset(p.tend(ctx))
	}
}

// tend does what is due and returns how long to wait for what is due next.
func (p *protection) tend(ctx context.Context) time.Duration {
	p.turn <- struct{}{}
	defer func() { <-p.turn }()
	now := time.Now()
	switch {
	case p.refusals > 0:
		return p.askAgain(ctx, now)
	case p.until.IsZero():
		return protectionIdle
	case !p.busy.Load():
		return p.dropIdle(ctx, now)
	case p.until.Sub(now) > protectionLife/2:
		return p.until.Sub(now) - protectionLife/2
	default:
		_ = p.ask(ctx) // a refusal is noted by ask
		return protectionIdle
	}
}

func (p *protection) askAgain(ctx context.Context, now time.Time) time.Duration {
	if wait := p.retryAt.Sub(now); wait > 0 {
		return wait
	}
	_ = p.ask(ctx) // a further refusal is noted by ask
	return max(0, time.Until(p.retryAt))
}

func (p *protection) dropIdle(ctx context.Context, now time.Time) time.Duration {
	idle := now.Sub(time.Unix(0, p.idleSince.Load()))
	if idle < protectionLinger {
		return protectionLinger - idle
	}
	if err := p.release(ctx); err != nil {
		p.log.Warn("task protection not dropped", "error", err)
		return protectionLife / 60
	}
	return protectionIdle
}

// release has the turn, and drops the protection if there is one.
func (p *protection) release(ctx context.Context) error {
	if p.until.IsZero() {
		return nil
	}
	if err := p.agent.protect(ctx, false); err != nil {
		return err
	}
	p.until = time.Time{}
	p.metrics.protected.Set(0)
	return nil
}

// drop ends the protection for good. It is called when run has returned and no job is left.
func (p *protection) drop(ctx context.Context) error {
	select {
	case p.turn <- struct{}{}:
		defer func() { <-p.turn }()
		return p.release(ctx)
	case <-ctx.Done():
		return ctx.Err()
	}
}
