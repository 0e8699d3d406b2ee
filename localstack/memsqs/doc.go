// Package memsqs is an in-memory Amazon SQS for tests, chaos runs and the local cloud. It speaks the AWS JSON 1.0
// protocol over HTTP, well enough for the AWS SDKs and for Terraform's AWS provider, and it is exact where a real queue
// is only approximate.
//
// # A message's life
//
//	SendMessage ─▶ delayed ─(delay over)─▶ visible ─ReceiveMessage─▶ in flight ─DeleteMessage─▶ gone
//	                                        │   ▲                        │
//	          DLQ ◀─(attempts used up)──────┘   └(visibility timeout over)┘
//
//	any state ─(retention over)─▶ gone
//
// One heap per queue holds the time of each message's next change. Every operation first brings its queue up to the
// present, so the three counts are right at any moment, whether or not anybody receives. A timer exists only while a
// long poll waits or a move task runs. Nothing polls, and no goroutine outlives its request.
//
// # Invariants
//
//   - A message is in exactly one of the three states, and each count is the number of messages in that state.
//   - A receive whose client has gone takes nothing; one whose answer cannot be written gives its messages back, as if
//     it had never been made.
//   - A FIFO group hands out nothing while one of its messages is in flight, and hands out in sequence order otherwise.
//   - The dead-letter queue gets a message on the receive that would exceed maxReceiveCount, never before.
//   - One mutex guards everything and is never held while waiting. So a move between queues is atomic, and a server
//     works inside a testing/synctest bubble: [Server.Client] is the real SDK client on an in-process transport.
//
// # Where real SQS leaves a choice, or differs
//
//   - DeleteMessage with an old receipt handle succeeds; it deletes only if the message was not received again since.
//     On a FIFO queue a lapsed handle is an error, as in SQS.
//   - ChangeMessageVisibility answers MessageNotInflight for a visible message, and InvalidParameterValue for one that
//     is deleted or was received again by somebody else.
//   - At 120,000 messages in flight a short poll on a standard queue answers OverLimit; a long poll waits, and a FIFO
//     queue answers nothing.
//   - A standard queue hands out in the order of becoming visible. Retention drops messages in flight, too.
//   - A redrive allow policy is enforced when a source sets its redrive policy, not on messages already on their way.
//   - A move task takes the messages that are visible, at most 500 a second, and cancelling it is done at once.
//   - Attribute changes, purges and deletions act at once, where SQS takes up to a minute; a deleted queue's name is
//     free at once. Only one purge a minute is allowed, as in SQS.
//   - ReceiveRequestAttemptId is ignored: a repeated receive is a new receive. AddPermission and RemovePermission are
//     absent, policies are stored and not judged, and requests are not authenticated.
//   - The old query protocol is refused with a 400 that says so.
package memsqs
