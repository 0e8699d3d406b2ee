package endpoint

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/rousehq/rouse/localstack/taskrunner"
)

// tasksInput is what ListTasks, DescribeTasks and StopTask are asked.
type tasksInput struct {
	Cluster       string   `json:"cluster"`
	ServiceName   string   `json:"serviceName"`
	Family        string   `json:"family"`
	DesiredStatus string   `json:"desiredStatus"`
	Tasks         []string `json:"tasks"`
	Task          string   `json:"task"`
	Reason        string   `json:"reason"`
}

func (e *Endpoint) listTasks(w http.ResponseWriter, r *http.Request) {
	input, ok := decodeTasksInput(w, r)
	if !ok {
		return
	}
	arns := []string{}
	for _, task := range e.fleet.Tasks() {
		if input.selects(task) {
			arns = append(arns, task.ARN)
		}
	}
	writeObject(w, object{"taskArns": arns})
}

func (e *Endpoint) describeTasks(w http.ResponseWriter, r *http.Request) {
	input, ok := decodeTasksInput(w, r)
	if !ok {
		return
	}
	known := make(map[string]taskrunner.Task)
	for _, task := range e.fleet.Tasks() {
		known[task.ID] = task
	}
	tasks, failures := []object{}, []object{}
	for _, name := range input.Tasks {
		if task, ok := known[lastPart(name)]; ok {
			tasks = append(tasks, showTask(task))
		} else {
			failures = append(failures, object{"arn": name, "reason": "MISSING"})
		}
	}
	writeObject(w, object{"tasks": tasks, "failures": failures})
}

func (e *Endpoint) stopTask(w http.ResponseWriter, r *http.Request) {
	input, ok := decodeTasksInput(w, r)
	if !ok {
		return
	}
	task, ok := e.fleet.StopTask(input.Task, input.Reason)
	if !ok {
		message := fmt.Sprintf("The referenced task was not found: %s", input.Task)
		Refusal{Status: http.StatusBadRequest, Code: "InvalidParameterException", Message: message}.write(w, r)
		return
	}
	writeObject(w, object{"task": showTask(task)})
}

func decodeTasksInput(w http.ResponseWriter, r *http.Request) (tasksInput, bool) {
	var input tasksInput
	if err := json.NewDecoder(r.Body).Decode(&input); err != nil {
		Refusal{Status: http.StatusBadRequest, Code: "SerializationException", Message: err.Error()}.write(w, r)
		return tasksInput{}, false
	}
	return input, true
}

// selects applies ListTasks' filters. As in ECS the desired status is RUNNING unless asked otherwise, and a pending
// task's desired status is RUNNING.
func (i tasksInput) selects(task taskrunner.Task) bool {
	wanted := i.DesiredStatus
	if wanted == "" {
		wanted = taskrunner.StatusRunning
	}
	return task.DesiredStatus == wanted &&
		lastPart(task.Cluster) == lastPart(orDefault(i.Cluster, "default")) &&
		(i.ServiceName == "" || lastPart(i.ServiceName) == task.Service) &&
		(i.Family == "" || i.Family == task.Family)
}

func orDefault(value, fallback string) string {
	if value == "" {
		return fallback
	}
	return value
}

// lastPart is the name at the end of an ARN, or the name itself.
func lastPart(name string) string {
	return name[strings.LastIndexByte(name, '/')+1:]
}

func showTask(task taskrunner.Task) object {
	return object{
		"taskArn":           task.ARN,
		"clusterArn":        task.Cluster,
		"taskDefinitionArn": task.TaskDefinition,
		"group":             "service:" + task.Service,
		"startedBy":         task.Deployment,
		"launchType":        "FARGATE",
		"lastStatus":        task.LastStatus,
		"desiredStatus":     task.DesiredStatus,
		"healthStatus":      task.Health,
		"createdAt":         epoch(task.Created),
		"startedAt":         epoch(task.Started),
		"stoppingAt":        epoch(task.Stopping),
		"stoppedAt":         epoch(task.Stopped),
		"stopCode":          optional(task.StopCode),
		"stoppedReason":     optional(task.Reason),
		"containers":        []object{showContainer(task)},
	}
}

func showContainer(task taskrunner.Task) object {
	container := object{
		"name":         task.Container,
		"image":        task.Image,
		"taskArn":      task.ARN,
		"lastStatus":   task.LastStatus,
		"healthStatus": task.Health,
	}
	if task.LastStatus == taskrunner.StatusStopped && !task.Started.IsZero() {
		container["exitCode"] = task.ExitCode
	}
	return container
}

func optional(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func writeObject(w http.ResponseWriter, output object) {
	body, _ := json.Marshal(output) // strings, numbers and booleans always marshal
	writeJSON(w, http.StatusOK, body)
}
