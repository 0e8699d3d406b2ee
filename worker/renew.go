package worker

import (
	"context"
	"time"
)

// renewTimeout bounds one call to renew leases.
const renewTimeout = 10 * time.Second

// extension returns the visibility to ask for at now: the whole length, or what
// SQS's twelve hours leave of it. It is 0 when asking would win no time.
func (l *leases) extension(d *delivery, now time.Time) time.Duration {
	left := maxVisibility - now.Sub(d.received)
	ask := min(l.length, left).Truncate(time.Second)
	if !now.Add(ask).After(d.lease.expires) {
		return 0
	}
	return ask
}

// renew asks SQS for more time for at most ten leases and records each answer.
func (l *leases) renew(ctx context.Context, due []change) {
	asked := time.Now()
	ctx, cancel := context.WithTimeout(ctx, min(renewTimeout, l.length/3))
	defer cancel()
	answers, err := l.queue.change(ctx, due)
	if err != nil {
		answers = refused(len(due), err)
	}
	l.report(answers)
	l.record(due, answers, asked)
	l.nudge()
}

// refused answers each of n entries with the error of their call.
func refused(n int, err error) []answer {
	all := make([]answer, n)
	for i := range all {
		all[i] = answer{failed: true, code: "call", text: err.Error()}
	}
	return all
}

// report counts the failures and keeps them to one log line per episode.
func (l *leases) report(answers []answer) {
	var failure error
	for _, a := range answers {
		if a.failed && !a.gone {
			l.metrics.renewalFailures.Inc()
			failure = a.err("renew lease")
		}
	}
	if failure != nil {
		l.trouble.failed(failure)
		return
	}
	l.trouble.succeeded()
}

// record notes what became of each renewal.
func (l *leases) record(due []change, answers []answer, asked time.Time) {
	var gone []*delivery
	l.mu.Lock()
	for i, c := range due {
		switch {
		case answers[i].gone:
			gone = append(gone, c.delivery)
		case answers[i].failed:
			c.lease.renewAt = time.Now().Add(l.again())
		default:
			c.lease.expires = asked.Add(c.delay)
			c.lease.renewAt = asked.Add(l.length / 3)
		}
		close(c.lease.renewing)
		c.lease.renewing = nil
	}
	l.mu.Unlock()
	for _, d := range gone {
		l.lose(d, "gone")
	}
}
