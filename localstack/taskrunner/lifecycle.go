package taskrunner

import (
	"context"
	"fmt"
	"io"
	"time"
)

// live is a task's life; one goroutine runs it from PENDING to STOPPED.
func (r *Runner) live(t *task) {
	defer r.lives.Done()
	if !r.provision(t) {
		r.stopped(t, nil, nil)
		return
	}
	output, err := r.openOutput(t)
	if err != nil {
		r.stopped(t, nil, err)
		return
	}
	defer output.Close()
	container, err := r.launch(t, output)
	if err != nil {
		r.stopped(t, nil, err)
		return
	}
	checks, cancel := context.WithCancel(context.Background())
	defer cancel()
	r.started(t, container)
	if t.definition.Health != nil {
		r.lives.Go(func() { r.watchHealth(checks, t, container) })
	}
	r.attend(t, container)
	r.stopped(t, container, nil)
}

// provision waits out the start delay; false if the task was told to stop meanwhile.
func (r *Runner) provision(t *task) bool {
	timer := time.NewTimer(r.options.StartDelay)
	defer timer.Stop()
	select {
	case <-t.told:
		return false
	default:
	}
	select {
	case <-timer.C:
		return true
	case <-t.told:
		return false
	}
}

func (r *Runner) openOutput(t *task) (io.WriteCloser, error) {
	if r.options.Output == nil {
		return discard{}, nil
	}
	output, err := r.options.Output(t.Task)
	if err != nil {
		return nil, fmt.Errorf("open output of task %s: %w", t.ID, err)
	}
	return output, nil
}

func (r *Runner) launch(t *task, output io.Writer) (Container, error) {
	env, err := r.environment(t)
	if err != nil {
		return nil, err
	}
	return r.options.Launcher.Launch(Spec{Task: r.snapshot(t), Definition: t.definition, Environment: env, Output: output})
}

func (r *Runner) snapshot(t *task) Task {
	r.mu.Lock()
	defer r.mu.Unlock()
	return t.Task
}

func (r *Runner) started(t *task, container Container) {
	r.mu.Lock()
	defer r.mu.Unlock()
	t.Started, t.Pid = time.Now(), container.Pid()
	t.wasUp = t.definition.Health == nil
	t.LastStatus = StatusRunning
	if !t.Alive() { // told to stop while it was being launched
		t.LastStatus = StatusDeactivating
	}
	r.changed(t)
	r.nudge()
}

// attend waits for the container's end, and brings it about when the task is told to stop.
func (r *Runner) attend(t *task, container Container) {
	select {
	case <-container.Done():
		return
	case <-t.told:
	}
	r.change(t, func() { t.LastStatus = StatusStopping })
	if err := container.Terminate(); err != nil {
		r.options.Logger.Warn("terminate task", "task", t.ID, "error", err.Error())
	}
	timer := time.NewTimer(t.definition.StopTimeout)
	defer timer.Stop()
	select {
	case <-container.Done():
		return
	case <-timer.C:
	case <-r.hurry:
	}
	r.change(t, func() { t.Killed = true })
	if err := container.Kill(); err != nil {
		r.options.Logger.Warn("kill task", "task", t.ID, "error", err.Error())
	}
	<-container.Done()
}

func (r *Runner) change(t *task, set func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	set()
	r.changed(t)
}

// stopped ends a task's record. container is nil if it never ran; err says why it could not.
func (r *Runner) stopped(t *task, container Container, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	t.Stopped, t.LastStatus = now, StatusStopped
	if container != nil {
		t.ExitCode = container.ExitCode()
	}
	if t.DesiredStatus == StatusRunning { // nobody told it to
		t.DesiredStatus = StatusStopped
		t.StopCode, t.Reason = StopContainerExited, fmt.Sprintf("Essential container in task exited with code %d", t.ExitCode)
		if err != nil {
			t.StopCode, t.Reason = StopFailedToStart, err.Error()
		}
		r.noteEnd(t, now)
	}
	r.changed(t)
	r.nudge()
}

// noteEnd tells the service of a task that ended unasked.
func (r *Runner) noteEnd(t *task, now time.Time) {
	if rollout, ok := r.rollouts[t.ServiceARN]; ok {
		rollout.say(now, fmt.Sprintf("(task %s) stopped: %s", t.ID, t.Reason))
		rollout.ended(t.Task, t.wasUp, r.options.Backoff, now)
	}
}

// discard drops a task's output.
type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
func (discard) Close() error                { return nil }
