// Package sim replays arrivals through a control law: a deterministic
// discrete-event simulation of a queue, a fleet of tasks and the controller that
// sizes it. Rouse's own law runs in it by way of internal/policy, with what the
// scaler would have seen, and so do the laws of other autoscalers, so that one
// run's figures can be set beside another's.
//
//	arrivals ──▶ backlog ──▶ a free slot ──▶ served ──▶ left
//	                ▲                          │
//	                └──── after visibility ── failed ──▶ dead (max receives)
//
//	desired ──▶ launch limit ──▶ starting ──▶ serving ──▶ draining ──▶ stopped
//	            (burst, rate)    (cold start)             (busy: finish first)
//
// What is modelled:
//
//   - A message is received as soon as a task has a free slot, the oldest first;
//     which of several free tasks gets it is chance, as with long polls.
//   - A task is billed from its launch to its stop, and for 60 s at least.
//   - When the count falls, tasks that are not launched yet are forgotten, then
//     starting tasks are stopped, then idle ones; busy ones finish what they
//     hold and take nothing new.
//   - A failed attempt keeps its message in flight until the visibility timeout
//     has passed.
//   - A wait is from sending to the first receive. A message that was never
//     received by the end of the run has waited until then.
//   - The books close when the arrivals are over and the last message has left,
//     at the latest after Setup.Overtime.
//
// What is not: batches held by a worker, duplicate deliveries, failed placements,
// network time. A task that runs is ready, so the cold start is from launch to ready.
//
// Invariants, shown by tests:
//
//   - Every message leaves once: sent = completed + dead + left behind.
//   - Equal setups give equal results, to the bit.
//   - All controllers meet the same chance: the service time of the n-th message
//     and the cold start of the n-th task depend on the seed alone.
//   - Memory depends on the backlog and the fleet, not on the length of the trace.
package sim
