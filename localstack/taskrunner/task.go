package taskrunner

import "time"

// The statuses a task passes through, in ECS's words.
const (
	StatusPending      = "PENDING"
	StatusRunning      = "RUNNING"
	StatusDeactivating = "DEACTIVATING"
	StatusStopping     = "STOPPING"
	StatusStopped      = "STOPPED"
)

// What a container's health check says of it.
const (
	HealthUnknown   = "UNKNOWN"
	HealthHealthy   = "HEALTHY"
	HealthUnhealthy = "UNHEALTHY"
)

// Why a task stopped, as ECS's stopCode.
const (
	StopFailedToStart    = "TaskFailedToStart"
	StopContainerExited  = "EssentialContainerExited"
	StopServiceScheduler = "ServiceSchedulerInitiated"
	StopUser             = "UserInitiated"
)

// Task is a task's whole history up to the moment it was read; times that have not come are zero.
type Task struct {
	ARN            string
	ID             string
	Cluster        string // ARN
	Service        string // name
	ServiceARN     string
	Deployment     string // id
	TaskDefinition string // ARN
	Family         string
	Revision       int
	Container      string // name
	Image          string

	LastStatus    string
	DesiredStatus string // StatusRunning or StatusStopped
	Health        string

	Created  time.Time
	Started  time.Time // reached RUNNING
	Stopping time.Time // was asked to stop; zero if it ended by itself
	Stopped  time.Time

	// Pid is the process id; 0 in a container engine and before the start.
	Pid int
	// ExitCode is the container's exit code, once it has stopped. 128 + n is death by signal n.
	ExitCode int
	// Killed says that SIGTERM was not enough: the stop timeout passed and SIGKILL was sent.
	Killed bool
	// StopCode is one of the Stop constants.
	StopCode string
	// Reason is why the task stopped, in a sentence.
	Reason string

	// ProtectedUntil is the end of the task's scale-in protection; zero if it has none.
	ProtectedUntil time.Time
}

// Protected reports whether the task is protected from scale-in at a moment.
func (t Task) Protected(now time.Time) bool { return now.Before(t.ProtectedUntil) }

// Alive reports whether the task counts for its service: it has not been told to stop and has not ended.
func (t Task) Alive() bool { return t.DesiredStatus == StatusRunning && t.LastStatus != StatusStopped }

// pending and running are what ECS counts as such: a task that is being stopped is neither.
func (t Task) pending() bool { return t.Alive() && t.LastStatus == StatusPending }
func (t Task) running() bool { return t.Alive() && t.LastStatus == StatusRunning }
