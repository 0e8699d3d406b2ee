// Package worker is the runtime of a queue worker: it claims messages from an SQS
// queue when it is ready for them, runs a Handler on each, and sees to it that
// every message is acknowledged, returned or dead-lettered, whatever happens.
//
//	func main() {
//		os.Exit(worker.Main(worker.HandlerFunc(func(ctx context.Context, m worker.Message) error {
//			return render(ctx, m.Body)
//		})))
//	}
//
// # The life of a message
//
//	                 not ready, no protection, stopping: visible at once
//	         ┌──────────────────────────────────────────────────┐
//	         ▼                                                  │
//	queue ──▶ receive ──▶ queued ──▶ running ──▶ succeeded ──▶ result ──▶ delete
//	(only with a           │            ├──────▶ permanent ──▶ dead-letter queue ──▶ result ──▶ delete
//	 slot free)            │            ├──────▶ failed, timed out, panicked ──▶ visible after a delay
//	                       │            ├──────▶ interrupted by the stop ──▶ visible at once
//	                       └────────────┴──────▶ lease lost ──▶ nothing: it is somebody else's
//
// # The life of a worker
//
//	starting ──ready──▶ claiming ◀────▶ unready, quiescing, exhausted (nothing is claimed, jobs go on)
//	   │ timeout           │ ctx is done
//	   ▼                   ▼
//	 error              draining ──▶ stopped
//
// # Invariants
//
//   - The order never changes: ready, a free slot, receive, protect, start,
//     acknowledge. So no message waits in a process that could not start it.
//   - Messages held never exceed Config.PoolSize; none is received without a slot.
//   - Each message held has a lease that is renewed every third of its length,
//     queued and running alike, until it is deleted or given up.
//   - A message is deleted only after its handler returned nil, or after it
//     arrived in the dead-letter queue, and only under a lease that is still held.
//   - A handler that returns nil after its context was cancelled is not believed.
//   - A message that was never started counts as returned, never as failed.
//   - The worker never exits because the queue is empty and never changes the
//     service's desired count; that is for the scaler alone.
//   - Every call is bounded, and each kind of failure makes two log lines: when
//     it begins and when it ends. Bodies are never logged.
//
// Delivery is at-least-once: a job may run again after its lease was lost or its
// worker died, so its effects should be idempotent (Message.ID stays the same).
//
// The goroutines: a few claim loops that long-poll, the pool's that run jobs (each
// handler call on a goroutine of its own, so that one which never returns can be
// given up), one that renews leases, one each that gathers deletes and returns
// into batches, one for the heartbeat and one for the task's protection. All end
// before Run returns, except handlers that were given up.
package worker
