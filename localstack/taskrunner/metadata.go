package taskrunner

import (
	"net/http"
	"strconv"
)

// containerMetadata and taskMetadata are what the task metadata endpoint, version 4, tells a container on Fargate.
type containerMetadata struct {
	Name          string
	DockerName    string
	Image         string
	DesiredStatus string
	KnownStatus   string
	Type          string
	Labels        map[string]string
}

type taskMetadata struct {
	Cluster       string
	TaskARN       string
	Family        string
	Revision      string
	ServiceName   string
	DesiredStatus string
	KnownStatus   string
	LaunchType    string
	Containers    []containerMetadata
}

func (r *Runner) getContainer(w http.ResponseWriter, req *http.Request) {
	if task, ok := r.lookUp(w, req); ok {
		answer(w, http.StatusOK, containerOf(task))
	}
}

func (r *Runner) getTask(w http.ResponseWriter, req *http.Request) {
	task, ok := r.lookUp(w, req)
	if !ok {
		return
	}
	answer(w, http.StatusOK, taskMetadata{
		Cluster:       task.Cluster,
		TaskARN:       task.ARN,
		Family:        task.Family,
		Revision:      strconv.Itoa(task.Revision),
		ServiceName:   task.Service,
		DesiredStatus: task.DesiredStatus,
		KnownStatus:   task.LastStatus,
		LaunchType:    "FARGATE",
		Containers:    []containerMetadata{containerOf(task)},
	})
}

func (r *Runner) lookUp(w http.ResponseWriter, req *http.Request) (Task, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	task := r.find(req.PathValue("task"))
	if task == nil {
		notFound(w, req)
		return Task{}, false
	}
	return task.Task, true
}

func containerOf(t Task) containerMetadata {
	return containerMetadata{
		Name:          t.Container,
		DockerName:    t.Container,
		Image:         t.Image,
		DesiredStatus: t.DesiredStatus,
		KnownStatus:   t.LastStatus,
		Type:          "NORMAL",
		Labels: map[string]string{
			"com.amazonaws.ecs.cluster":                 t.Cluster,
			"com.amazonaws.ecs.container-name":          t.Container,
			"com.amazonaws.ecs.task-arn":                t.ARN,
			"com.amazonaws.ecs.task-definition-family":  t.Family,
			"com.amazonaws.ecs.task-definition-version": strconv.Itoa(t.Revision),
		},
	}
}
