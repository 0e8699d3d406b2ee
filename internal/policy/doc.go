// Package policy is Rouse's control law: from what a tick sees of a queue and
// its ECS service it decides the service's desired count. It is pure. Values go
// in and values come out; there is no clock, no logging and no AWS in it, and it
// imports the standard library only, so that the scaler, the simulator and the
// Terraform provider run the very same decision.
//
//	           visible ≥ activation_backlog, or waited target_age
//	┌──────┐ ───────────────── wake ─────────────────▶ ┌─────────┐ ─┐ latency, queue
//	│ zero │                                           │ working │  │ (grow by the servo)
//	└──────┘ ◀──────────────── idle ────────────────── └─────────┘ ◀┘ shrink
//	           no work for idle_window, over           │ restarts  ▲
//	           idle_confirmations reads                ▼ without   │ a job completed, or
//	                                                 ┌────────┐    │ a new task definition
//	                                                 │ braked │ ───┘
//	                                                 └────────┘ one canary, spaced retries
//
// The rules are asked in a fixed order and the first that answers decides; each
// has its own Reason:
//
//  1. blind; paused, override; bounds
//  2. brake
//  3. wake, prewake, wake-wait (at zero)
//  4. idle
//  5. fifo-groups; latency, queue, latency+queue, or why growth is held:
//     warming, cooldown, at-max, saturated, covered
//  6. shrink, or why it is held: deploying, cooldown
//  7. idle-wait, steady
//
// Pressure is the greater of two ratios: visible ÷ (desired × backlog per
// task), and the smoothed age of the oldest message ÷ target age. Nothing is
// done while it is within 1 ± hysteresis. Outside, a proportional-integral
// controller sizes the step; it never decides that there is one.
//
// Invariants, shown by tests and fuzzing for every legal configuration, every
// observation and every state, even garbage:
//
//   - The target is inside [floor, ceiling] (an operator's count: inside [0, max_tasks]).
//   - It is never lowered to zero while there is work, but by an operator or
//     between two canaries of the brake.
//   - At zero, activation_backlog visible messages wake the service within
//     wake_confirmations ticks, and a single one does so at the latest once it
//     has waited target_age_seconds.
//   - A blind tick changes nothing. Unknown is never zero.
//   - More visible messages never mean fewer tasks.
//   - Deciding is deterministic, and holding is idempotent.
//   - Time may stand still or go backwards.
//
// A Policy is immutable and safe for concurrent use.
package policy
