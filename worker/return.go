package worker

import (
	"context"
	"log/slog"
	"time"
)

// Why messages are returned to the queue. Only reasonFailed is a failed attempt;
// the others say nothing against the message. The conditions of the gate serve
// as further reasons.
const (
	reasonFailed      = "failed"
	reasonInterrupted = "interrupted"
	reasonSurplus     = "surplus"
	reasonUnprotected = string(quiescing)
)

// returns puts messages back on the queue, visible after a delay. A message that
// cannot be put back becomes visible by itself when its lease runs out.
type returns struct {
	queue   visibility
	leases  *leases
	metrics *metrics
	log     *slog.Logger
	batches *batcher[change]
}

func newReturns(queue visibility, l *leases, m *metrics, log *slog.Logger) *returns {
	r := &returns{queue: queue, leases: l, metrics: m, log: log}
	r.batches = newBatcher(r.call, r.abandon)
	return r
}

// put gives up the message's lease and makes it visible after delay. A message
// whose lease is lost is not ours to put back.
func (r *returns) put(d *delivery, delay time.Duration, reason string) {
	if !r.leases.end(d) {
		return
	}
	r.metrics.returned.WithLabelValues(reason).Inc()
	r.batches.add(change{d, min(delay, maxVisibility-time.Since(d.received))})
}

func (r *returns) call(ctx context.Context, batch []change) ([]change, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	answers, err := r.queue.change(ctx, batch)
	if err != nil {
		return batch, err
	}
	var retry []change
	for i, a := range answers {
		if a.failed && !a.gone {
			retry = append(retry, batch[i])
			err = a.err("return message")
		}
	}
	return retry, err
}

func (r *returns) abandon(batch []change, err error) {
	r.log.Warn("return failed", "messages", len(batch), "error", err)
}
