package taskrunner

import (
	"context"
	"time"
)

const (
	shell = "/bin/sh"
	// checkDelay bounds the wait for the output of a command that was cut off.
	checkDelay = time.Second
)

// watchHealth runs a container's health check until ctx or the container ends. As in ECS one success makes it HEALTHY,
// the set number of failures in a row make it UNHEALTHY, failures in the start period do not count, and an unhealthy
// task is stopped even if it is protected.
func (r *Runner) watchHealth(ctx context.Context, t *task, container Container) {
	check := t.definition.Health
	begun, failures := time.Now(), 0
	ticker := time.NewTicker(check.Interval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-container.Done():
			return
		case <-ticker.C:
		}
		switch passed := check.passes(ctx, container); {
		case ctx.Err() != nil:
			return
		case passed:
			failures = 0
			r.healthy(t)
		case time.Since(begun) > check.StartPeriod:
			failures++
		}
		if failures >= check.Retries {
			r.unhealthy(t)
			return
		}
	}
}

func (c *HealthCheck) passes(ctx context.Context, container Container) bool {
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	return container.Check(ctx, c.Command) == nil
}

func (r *Runner) healthy(t *task) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if t.Health == HealthHealthy {
		return
	}
	t.Health, t.wasUp = HealthHealthy, true
	r.changed(t)
	r.nudge()
}

func (r *Runner) unhealthy(t *task) {
	r.mu.Lock()
	defer r.mu.Unlock()
	t.Health = HealthUnhealthy
	if !t.Alive() {
		return
	}
	now := time.Now()
	r.tell(t, StopServiceScheduler, "Task failed container health checks", now)
	r.noteEnd(t, now)
	r.nudge()
}
