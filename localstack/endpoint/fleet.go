package endpoint

import (
	"context"

	"github.com/rousehq/rouse/localstack/taskrunner"
)

// Fleet is the task runner, as the ECS overlay sees it.
type Fleet interface {
	// Refresh makes the runner read the services' definitions now, and returns when it has adopted them.
	Refresh(ctx context.Context) error
	// Service tells what runs for a service; false if the runner does not know it.
	Service(arn string) (taskrunner.Status, bool)
	// Tasks are all tasks, stopped ones included.
	Tasks() []taskrunner.Task
	// StopTask asks a task, by ARN or id, to stop; false if there is none.
	StopTask(task, reason string) (taskrunner.Task, bool)
}
