package demo

import (
	"errors"
	"fmt"
	"io"
	"time"
)

// Options is how large the demo is and how fast its clocks go. The time scale is
// a setting of the policy and the scaler; the code is that of production.
type Options struct {
	// Root is the repository.
	Root string
	// Jobs is how many jobs are sent, 1 to 100,000; each takes Work, up to ten minutes.
	Jobs int
	Work time.Duration
	// Tick is the scaler's tick in seconds, 1 to 60; Idle the idle window in seconds, 0 to 3600.
	Tick, Idle int
	// MaxTasks is the policy's ceiling, 1 to 100; Slots how many jobs a task works on at once, 1 to 100.
	MaxTasks, Slots int
	// StartDelay is how long a task stays pending, as provisioning does on AWS; up to a minute.
	StartDelay time.Duration
	// Timeout ends a demo that does not come to its end, 1 minute to 1 hour.
	Timeout time.Duration
	// Processes runs workers as processes even where a container engine has the image.
	Processes bool
	// Logs is a folder that keeps the logs; empty keeps none.
	Logs string
	// Out is where the demo shows itself. If it is a terminal, Columns is its width and a panel is redrawn there; 0 adds lines instead.
	Out     io.Writer
	Columns int
}

// Default is a demo of a minute or two.
func Default() Options {
	return Options{
		Root: ".", Jobs: 200, Work: 500 * time.Millisecond, Tick: 1, Idle: 5, MaxTasks: 5, Slots: 4,
		StartDelay: 2 * time.Second, Timeout: 10 * time.Minute,
	}
}

// Validate reports every option that is out of range.
func (o Options) Validate() error {
	return errors.Join(
		within("jobs", o.Jobs, 1, 100000),
		within("work", o.Work, 0, 10*time.Minute),
		within("tick", o.Tick, 1, 60),
		within("idle", o.Idle, 0, 3600),
		within("max-tasks", o.MaxTasks, 1, 100),
		within("slots", o.Slots, 1, 100),
		within("start-delay", o.StartDelay, 0, time.Minute),
		within("timeout", o.Timeout, time.Minute, time.Hour),
	)
}

func within[T int | time.Duration](name string, value, low, high T) error {
	if value >= low && value <= high {
		return nil
	}
	return fmt.Errorf("-%s: is %v, must be from %v to %v", name, value, low, high)
}

// inputs are the module's inputs that make the demo's clocks go fast.
func (o Options) inputs(command []string) map[string]any {
	return map[string]any{
		"worker": map[string]any{
			"command": command, "pool_size": o.Slots, "wait_seconds": 1, "heartbeat_seconds": 1, "result_ttl_seconds": 3600,
			"health_check": map[string]any{"interval_seconds": 5},
		},
		"policy": map[string]any{
			"scale_to_zero": true, "max_tasks": o.MaxTasks, "backlog_per_task": 10 * o.Slots, "target_age_seconds": 10,
			"idle_window_seconds": o.Idle, "cooldown_up_seconds": 5, "cooldown_down_seconds": 5, "step_down": 2,
		},
		"scaler": map[string]any{"tick_seconds": o.Tick, "lease_seconds": 10},
	}
}
