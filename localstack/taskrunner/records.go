package taskrunner

import (
	"slices"
	"strings"
	"time"
)

// Tasks are all tasks in the order of their creation, the latest 10,000 stopped ones included.
func (r *Runner) Tasks() []Task {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.selected(func(*task) bool { return true })
}

// Service tells what runs for a service, by ARN; false if the Runner has not seen it.
func (r *Runner) Service(arn string) (Status, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	rollout, ok := r.rollouts[arn]
	if !ok {
		return Status{}, false
	}
	return rollout.status(r.left(arn)), true
}

// Observe has f called with each task whose status or health has changed, one at a time; nil ends it. f must not call
// the Runner.
func (r *Runner) Observe(f func(Task)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.observe = f
}

// StopTask tells a task, by ARN or id, to stop, whether protected or not; false if there is none. The service replaces it.
func (r *Runner) StopTask(name, reason string) (Task, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	task := r.find(name[strings.LastIndexByte(name, '/')+1:])
	if task == nil {
		return Task{}, false
	}
	r.tell(task, StopUser, reason, time.Now())
	r.nudge()
	return task.Task, true
}

// The methods below want the lock held.

func (r *Runner) find(id string) *task {
	i := slices.IndexFunc(r.tasks, func(t *task) bool { return t.ID == id })
	if i < 0 {
		return nil
	}
	return r.tasks[i]
}

// alive are a service's tasks that count for it.
func (r *Runner) alive(service string) []Task {
	return r.selected(func(t *task) bool { return t.ServiceARN == service && t.Alive() })
}

// left are a service's tasks that have not stopped.
func (r *Runner) left(service string) []Task {
	return r.selected(func(t *task) bool { return t.ServiceARN == service && t.LastStatus != StatusStopped })
}

func (r *Runner) selected(match func(*task) bool) []Task {
	var tasks []Task
	for _, task := range r.tasks {
		if match(task) {
			tasks = append(tasks, task.Task)
		}
	}
	return tasks
}

// begin creates a task of the primary deployment.
func (r *Runner) begin(rollout *rollout, now time.Time) *task {
	deployment := rollout.primary()
	definition := rollout.definitions[deployment.TaskDefinition]
	t := &task{definition: definition, told: make(chan struct{}), Task: Task{
		ID:             newID(),
		Cluster:        rollout.service.Cluster,
		Service:        rollout.service.Name,
		ServiceARN:     rollout.service.ARN,
		Deployment:     deployment.ID,
		TaskDefinition: definition.ARN,
		Family:         definition.Family,
		Revision:       definition.Revision,
		Container:      definition.Container,
		Image:          definition.Image,
		LastStatus:     StatusPending,
		DesiredStatus:  StatusRunning,
		Health:         HealthUnknown,
		Created:        now,
	}}
	t.ARN = strings.Replace(rollout.service.Cluster, ":cluster/", ":task/", 1) + "/" + t.ID
	r.tasks = append(r.tasks, t)
	r.forget()
	r.lives.Add(1)
	go r.live(t)
	r.changed(t)
	return t
}

// forget drops the oldest stopped tasks when there are too many.
func (r *Runner) forget() {
	excess := len(r.tasks) - maxHistory
	if excess <= 0 {
		return
	}
	r.tasks = slices.DeleteFunc(r.tasks, func(t *task) bool {
		drop := excess > 0 && t.LastStatus == StatusStopped
		excess -= count(drop)
		return drop
	})
}

// tell tells a task to stop, once. It is the moment after which protection is refused.
func (r *Runner) tell(t *task, code, reason string, now time.Time) {
	if !t.Alive() {
		return
	}
	t.DesiredStatus, t.StopCode, t.Reason, t.Stopping = StatusStopped, code, reason, now
	if t.LastStatus == StatusRunning {
		t.LastStatus = StatusDeactivating
	}
	close(t.told)
	r.changed(t)
}

func (r *Runner) changed(t *task) {
	r.options.Logger.Info("task", "task", t.ID, "service", t.Service, "status", t.LastStatus, "health", t.Health, "reason", t.Reason)
	if r.observe != nil {
		r.observe(t.Task)
	}
}
