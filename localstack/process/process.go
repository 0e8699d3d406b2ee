// Package process runs child programs that can never outlive the program that started them.
//
// Each child leads a process group of its own. Stopping follows what a container engine does: the leader is asked with
// SIGTERM, given a grace period, then the whole group is killed. When the leader ends by itself the rest of its group is
// killed too, as a container's processes die with process 1. Where the system allows it (Linux) children are also killed
// when the parent dies without a word.
package process

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// outputDelay bounds the wait for the output of grandchildren that still hold the pipes when the leader is gone.
const outputDelay = 500 * time.Millisecond

// Group is a started child and everything it started. Its methods may be called from any goroutine, in any order.
type Group struct {
	cmd  *exec.Cmd
	done chan struct{}
	exit Exit
}

// Exit tells how a child ended.
type Exit struct {
	// Code is the exit code; 128 + the signal's number if a signal ended the child, as container engines report it.
	Code int
	// Signal is the signal that ended the child, 0 if it exited by itself.
	Signal syscall.Signal
}

// Start starts cmd as the leader of a new process group. It owns cmd from here on: do not call cmd.Wait.
func Start(cmd *exec.Cmd) (*Group, error) {
	cmd.SysProcAttr = attributes()
	cmd.WaitDelay = outputDelay
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", cmd.Path, err)
	}
	g := &Group{cmd: cmd, done: make(chan struct{})}
	go g.reap()
	return g, nil
}

// Pid is the leader's process id, which is the group's id too.
func (g *Group) Pid() int { return g.cmd.Process.Pid }

// Done is closed when the leader has ended and its group was killed.
func (g *Group) Done() <-chan struct{} { return g.done }

// Wait blocks until the child has ended.
func (g *Group) Wait() Exit {
	<-g.done
	return g.exit
}

// Terminate sends SIGTERM to the leader alone, as a container's process 1 would get it.
func (g *Group) Terminate() error {
	if err := g.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("terminate process %d: %w", g.Pid(), err)
	}
	return nil
}

// Kill sends SIGKILL to the whole group. Killing what is gone is no error.
func (g *Group) Kill() error {
	if err := syscall.Kill(-g.Pid(), syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
		return fmt.Errorf("kill process group %d: %w", g.Pid(), err)
	}
	return nil
}

// Stop asks with SIGTERM, waits for at most grace, kills, and returns how the child ended and whether it had to be killed.
func (g *Group) Stop(grace time.Duration) (exit Exit, killed bool) {
	_ = g.Terminate()
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-g.done:
		return g.exit, false
	case <-timer.C:
		_ = g.Kill()
		return g.Wait(), true
	}
}

func (g *Group) reap() {
	_ = g.cmd.Wait() // how it ended is in ProcessState
	_ = g.Kill()
	g.exit = exitOf(g.cmd.ProcessState)
	close(g.done)
}

func exitOf(state *os.ProcessState) Exit {
	status, ok := state.Sys().(syscall.WaitStatus)
	if ok && status.Signaled() {
		return Exit{Code: 128 + int(status.Signal()), Signal: status.Signal()}
	}
	return Exit{Code: state.ExitCode()}
}
