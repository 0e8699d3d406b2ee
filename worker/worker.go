package worker

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/rousehq/rouse/internal/pool"
)

// maxReceivers is the most claim loops of one worker.
const maxReceivers = 8

// worker holds the parts of one Run and what they have in common.
type worker struct {
	config  Config
	log     *slog.Logger
	metrics *metrics
	gate    *gate
	slots   *slots
	health  *health

	readiness  *readiness
	protection *protection
	leases     *leases
	returns    *returns
	deletes    *deletes
	tally      *tally
	heartbeats *heartbeats // nil without a table
	jobs       *jobs
	pool       *pool.Pool[*delivery]
	claimer    *claimer

	work        context.Context // the parent of all jobs' contexts
	interrupt   context.CancelCauseFunc
	calls       context.Context // bounds the calls of services, to the very end
	cancelCalls context.CancelFunc

	claims, batches, services sync.WaitGroup
	stopServices              context.CancelFunc
}

// newWorker makes the parts and joins them. Nothing runs yet but the pool's
// idle goroutines.
func newWorker(ctx context.Context, config Config, handler Handler) (*worker, error) {
	w := &worker{config: config, log: config.Logger, metrics: newMetrics(), tally: &tally{}}
	if w.log == nil {
		w.log = slog.Default()
	}
	if w.config.Clients.HTTP == nil {
		w.config.Clients.HTTP = http.DefaultClient
	}
	w.work, w.interrupt = context.WithCancelCause(context.WithoutCancel(ctx))
	w.calls, w.cancelCalls = context.WithCancel(context.WithoutCancel(ctx))
	task, err := taskID(ctx, w.config.Clients.HTTP, config.MetadataURI)
	if err != nil {
		w.log.Warn("task id unknown", "task", task, "error", err)
	}
	w.log = w.log.With("task", task)
	w.assembleState(task)
	w.assembleMessages()
	return w, w.assembleJobs(handler, task)
}

// assembleState makes what says how the worker is.
func (w *worker) assembleState(task string) {
	c := w.config
	w.gate = newGate(w.nudge)
	w.slots = newSlots(c.PoolSize, c.BufferSize, w.edge)
	w.metrics.watch(w.slots, w.gate)
	w.protection = newProtection(agent{c.AgentURI, c.Clients.HTTP}, w.gate, w.metrics, w.log)
	w.health = &health{stall: duration(c.StallSeconds), wait: duration(c.WaitSeconds), slots: w.slots, gate: w.gate}
	for range receivers(c) {
		w.health.pulses = append(w.health.pulses, new(pulse))
	}
	if c.Table == "" {
		return
	}
	w.heartbeats = &heartbeats{
		api: c.Clients.DynamoDB, table: c.Table, workload: c.Workload, task: task,
		interval: duration(c.HeartbeatSeconds), started: time.Now(), slots: w.slots, gate: w.gate, tally: w.tally,
		trouble: newEpisode(w.log, "heartbeat"), edge: make(chan struct{}, 1),
	}
}

// assembleMessages makes what holds messages and gives them up again.
func (w *worker) assembleMessages() {
	c := w.config
	queue := visibility{c.Clients.SQS, c.QueueURL}
	w.leases = newLeases(queue, duration(c.VisibilitySeconds), w.metrics, w.log)
	w.returns = newReturns(queue, w.leases, w.metrics, w.log)
	w.deletes = newDeletes(c.Clients.SQS, c.QueueURL, w.leases, w.metrics, w.log)
	if w.heartbeats != nil {
		w.heartbeats.leases = w.leases
	}
}

// assembleJobs makes what works on messages, and what claims them.
func (w *worker) assembleJobs(handler Handler, task string) error {
	c := w.config
	w.readiness = &readiness{
		checks: checks(c, handler, c.Clients.HTTP), timeout: duration(c.ReadyTimeoutSeconds),
		interval: duration(c.ReadyIntervalSeconds), gate: w.gate, log: w.log,
	}
	w.jobs = &jobs{
		handler: handler, timeout: duration(c.JobTimeoutSeconds), slots: w.slots, gate: w.gate,
		settle: w.newSettler(task).settle, metrics: w.metrics, log: w.log,
	}
	var err error
	w.pool, err = pool.New(pool.Config{Size: c.PoolSize, BufferSize: c.BufferSize}, w.jobs.run)
	if err != nil {
		return err
	}
	w.claimer = &claimer{
		config: c, gate: w.gate, slots: w.slots, leases: w.leases, protection: w.protection, returns: w.returns,
		work: w.work, start: w.pool.Dispatch, onReceive: w.noteWait, metrics: w.metrics, log: w.log,
		trouble: newEpisode(w.log, "receive"),
	}
	return nil
}

func (w *worker) newSettler(task string) *settler {
	c := w.config
	s := &settler{
		retry: backoff{duration(c.RetryBaseSeconds), duration(c.RetryMaxSeconds)}, leases: w.leases, returns: w.returns,
		deletes: w.deletes, tally: w.tally, metrics: w.metrics, log: w.log, calls: w.calls,
	}
	if c.DLQURL != "" {
		s.dead = &deadLetters{c.Clients.SQS, c.DLQURL, c.Workload}
	}
	if c.ResultTTLSeconds > 0 {
		s.results = &results{
			api: c.Clients.DynamoDB, table: c.Table, workload: c.Workload, task: task,
			ttl: duration(c.ResultTTLSeconds), metrics: w.metrics, trouble: newEpisode(w.log, "result"),
		}
	}
	return s
}

// receivers returns how many claim loops can be kept busy by the slots.
func receivers(c Config) int {
	if c.fifo() {
		return min(c.PoolSize, maxReceivers)
	}
	return min((c.PoolSize+batchSize-1)/batchSize, maxReceivers)
}

// edge is told when the worker becomes busy or idle.
func (w *worker) edge(busy bool) {
	w.protection.edge(busy)
	w.nudge()
}

// nudge has the heartbeat written soon.
func (w *worker) nudge() {
	if w.heartbeats != nil {
		w.heartbeats.nudge()
	}
}

func (w *worker) noteWait(d *delivery) {
	if wait, known := d.waited(d.received); known {
		w.tally.waited(wait)
		w.metrics.wait.Observe(wait.Seconds())
	}
}

func duration(seconds int) time.Duration { return time.Duration(seconds) * time.Second }
