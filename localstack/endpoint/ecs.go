package endpoint

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// object is a JSON object that passes through the overlay.
type object = map[string]any

// routeECS picks the handler of an ECS operation. What is not named here is the upstream's.
func (e *Endpoint) routeECS(operation string) http.HandlerFunc {
	switch operation {
	case "CreateService", "UpdateService", "DeleteService":
		return func(w http.ResponseWriter, r *http.Request) { e.changeService(w, r, operation) }
	case "DescribeServices":
		return e.describeServices
	}
	if e.fleet == nil {
		return e.proxy.ServeHTTP
	}
	switch operation {
	case "ListTasks":
		return e.listTasks
	case "DescribeTasks":
		return e.describeTasks
	case "StopTask":
		return e.stopTask
	}
	return e.proxy.ServeHTTP
}

// changeService passes a change on, keeps the fields the upstream forgets, and has the runner see the change before
// the client gets its answer.
func (e *Endpoint) changeService(w http.ResponseWriter, r *http.Request, operation string) {
	body, err := readBody(w, r)
	if err != nil {
		e.fail(w, r, err)
		return
	}
	var input object
	if err := json.Unmarshal(body, &input); err != nil {
		Refusal{Status: http.StatusBadRequest, Code: "SerializationException", Message: err.Error()}.write(w, r)
		return
	}
	answer, err := e.upstream.forward(r, body)
	if err != nil {
		e.fail(w, r, err)
		return
	}
	if answer.ok() {
		answer.body, err = e.adoptChange(r, operation, input, answer.body)
	}
	if err != nil {
		e.fail(w, r, err)
		return
	}
	answer.send(w)
}

func (e *Endpoint) adoptChange(r *http.Request, operation string, input object, body []byte) ([]byte, error) {
	var output struct {
		Service object `json:"service"`
	}
	if err := json.Unmarshal(body, &output); err != nil {
		return nil, fmt.Errorf("decode service: %w", err)
	}
	arn, _ := output.Service["serviceArn"].(string)
	if operation != "DeleteService" {
		created := operation == "CreateService"
		e.services.remember(arn, writtenService(input, created), created)
	}
	if e.fleet != nil {
		if err := e.fleet.Refresh(r.Context()); err != nil {
			return nil, fmt.Errorf("refresh the fleet: %w", err)
		}
	}
	e.decorate(output.Service)
	return json.Marshal(output)
}

func (e *Endpoint) describeServices(w http.ResponseWriter, r *http.Request) {
	body, err := readBody(w, r)
	if err != nil {
		e.fail(w, r, err)
		return
	}
	answer, err := e.upstream.forward(r, body)
	if err != nil {
		e.fail(w, r, err)
		return
	}
	if answer.ok() {
		answer.body, err = e.decorateAll(answer.body)
	}
	if err != nil {
		e.fail(w, r, err)
		return
	}
	answer.send(w)
}

func (e *Endpoint) decorateAll(body []byte) ([]byte, error) {
	var output struct {
		Services []object `json:"services"`
		Failures []object `json:"failures"`
	}
	if err := json.Unmarshal(body, &output); err != nil {
		return nil, fmt.Errorf("decode services: %w", err)
	}
	for _, service := range output.Services {
		e.decorate(service)
	}
	return json.Marshal(output)
}

// decorate makes the upstream's service tell the truth.
func (e *Endpoint) decorate(service object) {
	arn, _ := service["serviceArn"].(string)
	e.services.overwrite(arn, service)
	if e.fleet == nil {
		return
	}
	status, _ := e.fleet.Service(arn)
	showStatus(service, status)
}
