package worker

import (
	"context"
	"log/slog"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

// claimer runs the claim loop: the one place where the worker takes on work, in
// an order that never changes.
//
//	ready ─▶ a free slot ─▶ receive ─▶ protect ─▶ start
//
// Whatever was received and may not start goes back to the queue at once.
type claimer struct {
	config     Config
	gate       *gate
	slots      *slots
	leases     *leases
	protection *protection
	returns    *returns
	work       context.Context // the parent of all jobs
	start      func(*delivery) bool
	onReceive  func(*delivery) // notes a message's wait
	metrics    *metrics
	log        *slog.Logger
	trouble    *episode
}

var receiveBackoff = backoff{base: time.Second, max: 30 * time.Second}

// run claims until ctx is done. Several may run at once; each has its own pulse.
func (c *claimer) run(ctx context.Context, p *pulse) {
	failures := 0
	for {
		n, err := c.admit(ctx)
		if err != nil {
			return
		}
		p.begin()
		err = c.claim(ctx, n)
		p.end(err)
		if err == nil {
			failures = 0
			continue
		}
		failures++
		if !sleep(ctx, receiveBackoff.delay(failures)) {
			return
		}
	}
}

// admit waits until messages may be claimed and reserves places for them.
func (c *claimer) admit(ctx context.Context) (int, error) {
	for {
		if err := c.gate.wait(ctx); err != nil {
			return 0, err
		}
		n, err := c.slots.reserve(ctx, c.most())
		if err != nil {
			return 0, err
		}
		if c.gate.open() { // it may have shut while we waited for a slot
			return n, nil
		}
		c.slots.fill(n, 0)
	}
}

// most is how many messages one receive may ask for. On a FIFO queue it is one,
// so that the messages of a group are never on their way together.
func (c *claimer) most() int {
	if c.config.fifo() {
		return 1
	}
	return batchSize
}

// claim fills n reserved places as far as there are messages, and starts those.
func (c *claimer) claim(ctx context.Context, n int) error {
	messages, err := c.receive(ctx, n)
	received := time.Now()
	held := c.hold(messages, received)
	c.slots.fill(n, len(held))
	if err != nil {
		return c.note(ctx, err)
	}
	c.trouble.succeeded()
	if len(held) > n { // never seen of SQS; held to what was asked for all the same
		c.giveBack(held[n:], reasonSurplus)
		held = held[:n]
	}
	if reason := c.refusal(ctx, len(held)); reason != "" {
		c.giveBack(held, reason)
		return nil
	}
	c.startAll(held)
	return nil
}

// note counts and logs a failed receive, unless the worker is only stopping.
func (c *claimer) note(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	c.metrics.receiveErrors.Inc()
	c.trouble.failed(err)
	return err
}

// hold takes on the leases of what was received.
func (c *claimer) hold(messages []types.Message, received time.Time) []*delivery {
	held := make([]*delivery, len(messages))
	for i, m := range messages {
		held[i] = newDelivery(c.work, m, received)
		c.onReceive(held[i])
	}
	c.leases.track(held)
	c.metrics.received.Add(float64(len(held)))
	return held
}

// refusal returns why received messages may not start, or "". The worker may have
// been told to stop, or have become unready, while it was receiving them; and it must be protected.
func (c *claimer) refusal(ctx context.Context, received int) string {
	if received == 0 {
		return ""
	}
	if reason := c.shut(ctx); reason != "" {
		return reason
	}
	if err := c.protection.ensure(ctx); err != nil && ctx.Err() == nil {
		return reasonUnprotected
	}
	return c.shut(ctx)
}

func (c *claimer) shut(ctx context.Context) string {
	if ctx.Err() != nil {
		return string(draining)
	}
	condition, _ := c.gate.state()
	return string(condition)
}

func (c *claimer) startAll(held []*delivery) {
	for i, d := range held {
		if !c.start(d) { // the pool is closed: the worker stops
			c.giveBack(held[i:], string(draining))
			return
		}
	}
}

func (c *claimer) giveBack(unstarted []*delivery, reason string) {
	for _, d := range unstarted {
		c.returns.put(d, 0, reason)
	}
	c.slots.giveBack(len(unstarted))
}
