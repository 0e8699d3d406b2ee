package endpoint

import (
	"time"

	"github.com/rousehq/rouse/localstack/taskrunner"
)

const inactive = "INACTIVE"

// showStatus writes what really runs over what the upstream made up.
func showStatus(service object, status taskrunner.Status) {
	service["runningCount"] = status.Running
	service["pendingCount"] = status.Pending
	service["events"] = showEvents(status.Events)
	if service["status"] == inactive && status.Running+status.Pending+status.Stopping > 0 {
		service["status"] = "DRAINING"
	}
	if len(status.Deployments) > 0 {
		service["deployments"] = showDeployments(service, status.Deployments)
	}
}

func showEvents(events []taskrunner.Event) []object {
	shown := make([]object, 0, len(events))
	for _, event := range events {
		shown = append(shown, object{"id": event.ID, "createdAt": epoch(event.At), "message": event.Message})
	}
	return shown
}

func showDeployments(service object, deployments []taskrunner.Deployment) []object {
	shown := make([]object, 0, len(deployments))
	for _, deployment := range deployments {
		shown = append(shown, object{
			"id":                   deployment.ID,
			"status":               deployment.Status,
			"taskDefinition":       deployment.TaskDefinition,
			"desiredCount":         deployment.Desired,
			"runningCount":         deployment.Running,
			"pendingCount":         deployment.Pending,
			"failedTasks":          deployment.Failed,
			"rolloutState":         deployment.RolloutState,
			"rolloutStateReason":   deployment.RolloutReason,
			"createdAt":            epoch(deployment.Created),
			"updatedAt":            epoch(deployment.Updated),
			"launchType":           service["launchType"],
			"networkConfiguration": service["networkConfiguration"],
			"platformVersion":      service["platformVersion"],
			"platformFamily":       service["platformFamily"],
		})
	}
	return shown
}

// epoch is a time as the JSON protocol writes it; nil for the zero time.
func epoch(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return float64(t.UnixMilli()) / 1000
}
