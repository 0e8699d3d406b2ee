package worker

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// maxVisibility is how long SQS lets one receive hold a message in all.
const maxVisibility = 12 * time.Hour

// leaseState is where a lease stands.
type leaseState int

const (
	leaseEnded leaseState = iota // not tracked: not begun, or given up on purpose
	leaseHeld
	leaseLost
)

// lease is what leases know of one delivery.
type lease struct {
	state    leaseState
	expires  time.Time     // when SQS shows the message to others
	renewAt  time.Time     // when to renew next
	renewing chan struct{} // closed when the renewal under way has ended; nil if there is none
}

// leases keeps the visibility timeouts of all messages that the worker holds,
// queued, running or waiting to be deleted, from running out. A lease that does
// run out, or that SQS says is no longer ours, is lost: its job's context is
// cancelled with ErrLeaseLost. All leases share one goroutine and are renewed in tens.
type leases struct {
	queue   visibility
	length  time.Duration
	metrics *metrics
	log     *slog.Logger
	trouble *episode

	mu      sync.Mutex
	held    map[*delivery]struct{}
	changed chan struct{} // a nudge to look at the leases again

	renewals sync.WaitGroup
}

func newLeases(queue visibility, length time.Duration, m *metrics, log *slog.Logger) *leases {
	return &leases{
		queue: queue, length: length, metrics: m, log: log,
		trouble: newEpisode(log, "lease renewal"),
		held:    make(map[*delivery]struct{}),
		changed: make(chan struct{}, 1),
	}
}

// track begins to renew the leases of deliveries that were just received.
func (l *leases) track(deliveries []*delivery) {
	l.mu.Lock()
	for _, d := range deliveries {
		l.held[d] = struct{}{}
		d.lease = lease{state: leaseHeld, expires: d.received.Add(l.length), renewAt: d.received.Add(l.length / 3)}
	}
	first := len(l.held) == len(deliveries)
	l.mu.Unlock()
	if first {
		l.nudge() // otherwise an older lease is due earlier
	}
}

// holds reports whether the message is still leased to this worker.
func (l *leases) holds(d *delivery) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return d.lease.state == leaseHeld && time.Now().Before(d.lease.expires)
}

// forget stops renewing a lease, on purpose, and reports whether it was still held.
func (l *leases) forget(d *delivery) bool {
	l.mu.Lock()
	held := d.lease.state == leaseHeld
	if held {
		d.lease.state = leaseEnded
	}
	delete(l.held, d)
	l.mu.Unlock()
	d.cancel(context.Canceled)
	return held
}

// end is forget that returns only when no renewal of the lease is under way, so
// that a visibility timeout set afterwards is not overwritten by one.
func (l *leases) end(d *delivery) bool {
	held := l.forget(d)
	l.mu.Lock()
	renewing := d.lease.renewing
	l.mu.Unlock()
	if renewing != nil {
		<-renewing
	}
	return held
}

// groups returns how many FIFO message groups the held messages belong to.
func (l *leases) groups() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	groups := make(map[string]struct{})
	for d := range l.held {
		if d.GroupID != "" {
			groups[d.GroupID] = struct{}{}
		}
	}
	return len(groups)
}

// run renews until ctx is done and then waits for the renewals under way.
func (l *leases) run(ctx context.Context) {
	defer l.renewals.Wait()
	timer := time.NewTimer(l.length)
	defer timer.Stop()
	for {
		timer.Reset(l.round(ctx, time.Now()))
		select {
		case <-timer.C:
		case <-l.changed:
		case <-ctx.Done():
			return
		}
	}
}

// round starts the renewals that are due, declares lost what has run out, and
// returns how long nothing will be due.
func (l *leases) round(ctx context.Context, now time.Time) time.Duration {
	due, expired, next := l.sort(now)
	for _, d := range expired {
		l.lose(d, "expired")
	}
	for start := 0; start < len(due); start += batchSize {
		batch := due[start:min(start+batchSize, len(due))]
		l.renewals.Go(func() { l.renew(ctx, batch) })
	}
	return max(0, next.Sub(now))
}

// sort finds the leases that have run out and those to renew now, which it
// marks. Renewals due soon are taken along, to fill the calls.
func (l *leases) sort(now time.Time) (due []change, expired []*delivery, next time.Time) {
	next = now.Add(l.length / 3)
	l.mu.Lock()
	defer l.mu.Unlock()
	for d := range l.held {
		if !d.lease.expires.After(now) {
			expired = append(expired, d)
			continue
		}
		if l.isDue(d, now) {
			if ask := l.extension(d, now); ask > 0 {
				d.lease.renewing = make(chan struct{})
				due = append(due, change{d, ask})
			} else {
				d.lease.renewAt = d.lease.expires // nothing is left of the twelve hours
			}
		}
		next = earlier(next, d.lease.wake())
	}
	return due, expired, next
}

func (l *leases) isDue(d *delivery, now time.Time) bool {
	return d.lease.renewing == nil && !d.lease.renewAt.After(now.Add(l.soon()))
}

// soon is how much too early a renewal may be, to fill a call with it.
func (l *leases) soon() time.Duration { return min(l.length/24, time.Second) }

// again is how long to wait after a renewal that failed. It is more than soon.
func (l *leases) again() time.Duration { return min(l.length/12, 5*time.Second) }

// wake returns when something is to be done about the lease.
func (l lease) wake() time.Time {
	if l.renewing != nil {
		return l.expires
	}
	return earlier(l.renewAt, l.expires)
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// lose ends a lease that is no longer ours and tells its job.
func (l *leases) lose(d *delivery, reason string) {
	l.mu.Lock()
	lost := d.lease.state == leaseHeld
	if lost {
		d.lease.state = leaseLost
		delete(l.held, d)
	}
	l.mu.Unlock()
	if !lost {
		return
	}
	l.metrics.leasesLost.WithLabelValues(reason).Inc()
	l.log.Warn("lease lost", "message_id", d.ID, "receive_count", d.ReceiveCount, "reason", reason)
	d.cancel(ErrLeaseLost)
}

func (l *leases) nudge() {
	select {
	case l.changed <- struct{}{}:
	default:
	}
}
