// Package pool runs tasks on a fixed number of goroutines that range over one
// buffered channel. It is the worker's hand-over from the receive loop to the
// handlers, and it is generic so that a dispatch allocates nothing.
//
//	            full, closed or limit reached
//	Dispatch ──────────────────────────────────▶ false
//	    │
//	    ▼ true
//	 queued ──────────▶ running ──────────▶ completed
//	    │       a goroutine     returned, panicked or exited
//	    │ Reclaim
//	    ▼
//	 reclaimed: back with the caller, never run
//
// A pool is open, then closed, and closed for good:
//
//   - Close refuses every later task. What is queued still runs.
//   - Reclaim closes, takes back at once what is queued and hands it to the
//     caller. What is running goes on.
//   - Drain closes and waits for the rest, until its context ends.
//
// Invariants, whatever the number of callers:
//
//   - Dispatch never blocks and never panics, also while or after the pool closes.
//   - A task for which Dispatch said true is run once or reclaimed once, never
//     both and never neither; one for which it said false is not touched.
//   - No task can shrink the pool: a panic is recovered, counted and reported,
//     and a task that ends its goroutine with runtime.Goexit gets it replaced.
//   - After Drain returned nil no goroutine of the pool is left.
//
// # How closing is made safe
//
// To send on a closed channel panics, so the channel must not be closed while a
// Dispatch is between its look at the state and its send. Instead of holding a
// lock there, each Dispatch adds one to the count of admitted tasks before it
// looks, and whoever is done with a task, or failed to queue it, adds it to the
// settled ones. Once the pool is closed and both counts are equal, nobody is
// inside and nobody can get past the look any more; the one who made them equal
// closes the channel, and every goroutine's range ends.
//
// The one atomic addition is also the count that Stats reports. The goroutines
// settle once for each burst, which is every task they can take without
// waiting, so a busy pool touches no shared memory but the channel for a task
// that it runs. See docs/adr/ADR-003-channel-task-queue.md and bench/pool.
package pool
