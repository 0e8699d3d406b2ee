package taskrunner

import (
	"crypto/rand"
	"fmt"
	"math/big"
	"slices"
	"time"
)

const (
	maxEvents    = 100
	breakerLeast = 3 // failed tasks
	breakerMost  = 200
)

// rollout is what the runner knows of a service beyond its definition. It is guarded by the Runner's lock.
type rollout struct {
	service     Service
	definitions map[string]Definition // by ARN: those of the deployments
	deployments []*Deployment         // the primary first
	events      []Event               // the latest first
	lastGood    string                // task definition of the last completed deployment

	failures int       // starts in a row that never reached RUNNING
	retryAt  time.Time // no start before
	steady   bool
}

// adopt takes over a service's present definition and opens a deployment if it differs in what is to run.
func (r *rollout) adopt(service Service, definition Definition, now time.Time) {
	changed := len(r.deployments) == 0 ||
		r.service.TaskDefinition != service.TaskDefinition || r.service.Force != service.Force
	if r.service.Desired != service.Desired {
		r.steady = false
	}
	r.service = service
	r.definitions[definition.ARN] = definition
	if changed {
		r.open(definition, now)
	}
	if primary := r.deployments[0]; primary.Desired != service.Desired {
		primary.Desired, primary.Updated = service.Desired, now
	}
}

func (r *rollout) open(definition Definition, now time.Time) {
	for _, deployment := range r.deployments {
		deployment.Status = "ACTIVE"
	}
	id := deploymentID()
	r.deployments = slices.Insert(r.deployments, 0, &Deployment{
		ID:             id,
		Status:         "PRIMARY",
		TaskDefinition: definition.ARN,
		RolloutState:   RolloutInProgress,
		RolloutReason:  fmt.Sprintf("ECS deployment %s in progress.", id),
		Created:        now,
		Updated:        now,
	})
	r.failures, r.retryAt, r.steady = 0, time.Time{}, false
	for _, warning := range definition.Warnings {
		r.say(now, warning)
	}
}

// deploymentID is in ECS's form: ecs-svc/ and 19 digits.
func deploymentID() string {
	n, err := rand.Int(rand.Reader, big.NewInt(9e18))
	if err != nil {
		panic(err) // crypto/rand never fails on supported systems
	}
	return fmt.Sprintf("ecs-svc/%019d", n)
}

func (r *rollout) primary() *Deployment { return r.deployments[0] }

func (r *rollout) situation(tasks []Task, now time.Time) situation {
	primary := r.primary()
	return situation{
		service: r.service,
		primary: primary.ID,
		checked: r.definitions[primary.TaskDefinition].Health != nil,
		held:    now.Before(r.retryAt) || primary.RolloutState == RolloutFailed,
		tasks:   tasks,
	}
}

// settle counts the tasks of each deployment, drops deployments that have none left, and completes the primary one when
// it is all that runs. tasks are those that have not stopped.
func (r *rollout) settle(tasks []Task, now time.Time) {
	left := make(map[string]int)
	for _, deployment := range r.deployments {
		deployment.Running, deployment.Pending = 0, 0
		for _, task := range tasks {
			if task.Deployment == deployment.ID {
				left[deployment.ID]++
				deployment.Running += count(task.running())
				deployment.Pending += count(task.pending())
			}
		}
	}
	r.deployments = slices.DeleteFunc(r.deployments, func(d *Deployment) bool {
		return d.Status != "PRIMARY" && left[d.ID] == 0
	})
	r.complete(r.situation(tasks, now), now)
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

func (r *rollout) complete(s situation, now time.Time) {
	up := 0
	for _, task := range s.tasks {
		if !s.up(task) || task.Deployment != s.primary {
			return
		}
		up++
	}
	primary := r.primary()
	if up != r.service.Desired || primary.RolloutState == RolloutFailed {
		return
	}
	if primary.RolloutState == RolloutInProgress {
		primary.RolloutState = RolloutCompleted
		primary.RolloutReason = fmt.Sprintf("ECS deployment %s completed.", primary.ID)
		primary.Failed, primary.Updated = 0, now
		r.lastGood = primary.TaskDefinition
	}
	if !r.steady {
		r.steady = true
		r.say(now, "has reached a steady state.")
	}
}

// ended takes note of a task that stopped without having been told to.
func (r *rollout) ended(task Task, wasUp bool, backoff Backoff, now time.Time) {
	r.steady = false
	r.failures++
	if !task.Started.IsZero() {
		r.failures = 0
	}
	r.retryAt = now.Add(backoff.after(r.failures))
	primary := r.primary()
	if task.Deployment != primary.ID || wasUp {
		return
	}
	primary.Failed, primary.Updated = primary.Failed+1, now
	limit := min(max((r.service.Desired+1)/2, breakerLeast), breakerMost)
	if r.service.Breaker && primary.RolloutState == RolloutInProgress && primary.Failed >= limit {
		primary.RolloutState = RolloutFailed
		primary.RolloutReason = "ECS deployment circuit breaker: tasks failed to start."
		r.say(now, fmt.Sprintf("(deployment %s) deployment failed: tasks failed to start.", primary.ID))
	}
}

// rollBackTo is the task definition to go back to; "" if none.
func (r *rollout) rollBackTo() string {
	primary := r.primary()
	if primary.RolloutState != RolloutFailed || !r.service.Rollback || r.lastGood == primary.TaskDefinition {
		return ""
	}
	return r.lastGood
}

func (r *rollout) say(now time.Time, text string) {
	event := Event{ID: newID(), At: now, Message: fmt.Sprintf("(service %s) %s", r.service.Name, text)}
	r.events = slices.Insert(r.events, 0, event)
	r.events = r.events[:min(len(r.events), maxEvents)]
}

// status is a copy for readers outside the lock.
func (r *rollout) status(tasks []Task) Status {
	status := Status{Events: slices.Clone(r.events)}
	for _, task := range tasks {
		status.Running += count(task.running())
		status.Pending += count(task.pending())
		status.Stopping += count(!task.Alive())
	}
	for _, deployment := range r.deployments {
		status.Deployments = append(status.Deployments, *deployment)
	}
	return status
}
