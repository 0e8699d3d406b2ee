//go:build unix

package adapter

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/rousehq/rouse/worker"
)

// Exit codes of a command that mean more than success and failure.
const (
	// ExitRetryLater means that the job could not be done now (EX_TEMPFAIL).
	ExitRetryLater = 75
	// ExitPermanent means that the job can never be done (EX_DATAERR).
	ExitPermanent = 65
)

// killAfter is how long a process group may take to end after SIGTERM. It is
// less than a worker gives a cancelled handler.
const killAfter = 3 * time.Second

// Exec is a worker.Handler that runs a command for each message. It is safe for
// concurrent use, and must not be changed once it is in use.
type Exec struct {
	// Args are the command, looked up in PATH, and its arguments.
	Args []string
	// Environ is the environment that commands inherit; nil is os.Environ().
	Environ []string
	// Logger receives the commands' output, line by line; nil is slog.Default.
	Logger *slog.Logger
}

var _ worker.Handler = (*Exec)(nil)

// Check returns an error if there is no command or it cannot be found.
func (e *Exec) Check() error {
	if len(e.Args) == 0 || e.Args[0] == "" {
		return errors.New("exec: no command given")
	}
	_, err := exec.LookPath(e.Args[0]) // its errors name the command
	return err
}

// Handle runs the command for m and returns when its whole process group has
// ended. The error's text ends with the last lines of the command's standard error.
func (e *Exec) Handle(ctx context.Context, m worker.Message) error {
	// The child is to die with the worker, and the kernel takes the thread that
	// started it for the worker, so that thread must stay.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()

	stdout := newLines(e.logger(), m.ID, "stdout")
	stderr := newLines(e.logger(), m.ID, "stderr")
	command := e.command(ctx, m)
	command.Stdout, command.Stderr = stdout, stderr
	err := run(command)
	stdout.close()
	stderr.close()
	return outcome(ctx, err, stderr.tail())
}

func (e *Exec) logger() *slog.Logger {
	if e.Logger == nil {
		return slog.Default()
	}
	return e.Logger
}

func (e *Exec) command(ctx context.Context, m worker.Message) *exec.Cmd {
	command := exec.CommandContext(ctx, e.Args[0], e.Args[1:]...) //nolint:gosec // the command is the container's own, never the message's
	inherited := e.Environ
	if inherited == nil {
		inherited = os.Environ()
	}
	command.Env = environment(inherited, m)
	command.Stdin = strings.NewReader(m.Body)
	command.SysProcAttr = processAttributes()
	command.Cancel = func() error { return signalGroup(command.Process.Pid, syscall.SIGTERM) }
	command.WaitDelay = killAfter
	return command
}

// run runs the command to its end. When Wait returns, the command has ended by
// itself, was killed after killAfter, or left others holding its output for as
// long; in each case nothing of the group may stay.
func run(command *exec.Cmd) error {
	if err := command.Start(); err != nil {
		return fmt.Errorf("start command: %w", err)
	}
	err := command.Wait()
	killed := signalGroup(command.Process.Pid, syscall.SIGKILL)
	if errors.Is(err, exec.ErrWaitDelay) {
		err = nil // the command itself had ended well
	}
	return errors.Join(err, killed)
}

// signalGroup signals all of a process group; that none is left is no error.
func signalGroup(group int, signal syscall.Signal) error {
	err := syscall.Kill(-group, signal)
	if errors.Is(err, syscall.ESRCH) || errors.Is(err, syscall.EPERM) {
		return nil // EPERM is how some systems say that only zombies are left
	}
	return err
}

// outcome translates the end of a command into what the worker understands.
func outcome(ctx context.Context, err error, stderr string) error {
	if err == nil {
		return nil
	}
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	if stderr != "" {
		err = fmt.Errorf("%w: %s", err, stderr)
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return err
	}
	if exit.ExitCode() == ExitPermanent {
		return worker.Permanent(err)
	}
	return err // ExitRetryLater and the others: the worker's back-off
}
