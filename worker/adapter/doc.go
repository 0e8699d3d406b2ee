// Package adapter makes worker handlers of things that are not Go code, so that a
// job may be written in any language.
//
// Exec runs a command for each message:
//
//	message ──▶ body on standard input, attributes in the environment
//	exit 0  ──▶ done
//	exit 65 ──▶ permanent failure (EX_DATAERR)
//	exit 75 ──▶ retry later (EX_TEMPFAIL)
//	other   ──▶ failure, retried
//
// The command leads a process group of its own. When its job is cancelled the
// group gets SIGTERM and, three seconds later, SIGKILL; whatever the command
// leaves running behind it is killed as well.
package adapter
