package taskrunner

import "time"

// The states of a deployment's rollout.
const (
	RolloutInProgress = "IN_PROGRESS"
	RolloutCompleted  = "COMPLETED"
	RolloutFailed     = "FAILED"
)

// Status is what runs for a service.
type Status struct {
	// Running and Pending are tasks that count for the service.
	Running, Pending int
	// Stopping are tasks that have been told to stop and have not ended.
	Stopping int
	// Deployments has the primary one first, then older ones that still have tasks.
	Deployments []Deployment
	// Events are the latest first.
	Events []Event
}

// Deployment is one rollout of a task definition.
type Deployment struct {
	ID             string
	Status         string // "PRIMARY" or "ACTIVE"
	TaskDefinition string // ARN
	Desired        int
	Running        int
	Pending        int
	Failed         int // tasks that did not come up, since the last that did
	RolloutState   string
	RolloutReason  string
	Created        time.Time
	Updated        time.Time
}

// Event is a line of a service's event list.
type Event struct {
	ID      string
	At      time.Time
	Message string
}
