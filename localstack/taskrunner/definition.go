package taskrunner

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ecs/types"
)

// What ECS takes where a task definition says nothing.
const (
	defaultStopTimeout = 30 // seconds, as for all below
	defaultInterval    = 30
	defaultTimeout     = 5
	defaultRetries     = 3
)

var errNoCheck = errors.New("the health check's command must begin with CMD, CMD-SHELL or NONE")

// readDefinition takes what can be run here out of a task definition.
func readDefinition(t *types.TaskDefinition) (Definition, error) {
	name := fmt.Sprintf("%s:%d", aws.ToString(t.Family), t.Revision)
	if len(t.ContainerDefinitions) != 1 {
		return Definition{}, fmt.Errorf("task definition %s has %d containers; the local cloud runs tasks of one", name, len(t.ContainerDefinitions))
	}
	c := t.ContainerDefinitions[0]
	health, err := readHealthCheck(c.HealthCheck)
	if err != nil {
		return Definition{}, fmt.Errorf("task definition %s: %w", name, err)
	}
	definition := Definition{
		ARN:         aws.ToString(t.TaskDefinitionArn),
		Family:      aws.ToString(t.Family),
		Revision:    int(t.Revision),
		Container:   aws.ToString(c.Name),
		Image:       aws.ToString(c.Image),
		EntryPoint:  c.EntryPoint,
		Command:     c.Command,
		Environment: make(map[string]string),
		StopTimeout: seconds(c.StopTimeout, defaultStopTimeout),
		Health:      health,
		Warnings:    warnings(c),
	}
	for _, variable := range c.Environment {
		definition.Environment[aws.ToString(variable.Name)] = aws.ToString(variable.Value)
	}
	return definition, nil
}

func readHealthCheck(h *types.HealthCheck) (*HealthCheck, error) {
	if h == nil || len(h.Command) == 0 || slices.Equal(h.Command, []string{"NONE"}) {
		return nil, nil
	}
	check := &HealthCheck{
		Interval:    seconds(h.Interval, defaultInterval),
		Timeout:     seconds(h.Timeout, defaultTimeout),
		Retries:     int(cmp.Or(aws.ToInt32(h.Retries), defaultRetries)),
		StartPeriod: seconds(h.StartPeriod, 0),
	}
	switch {
	case h.Command[0] == "CMD" && len(h.Command) > 1:
		check.Command = h.Command[1:]
	case h.Command[0] == "CMD-SHELL" && len(h.Command) == 2:
		check.Command = []string{shell, "-c", h.Command[1]}
	default:
		return nil, errNoCheck
	}
	return check, nil
}

func seconds(value *int32, otherwise int32) time.Duration {
	return time.Duration(cmp.Or(aws.ToInt32(value), otherwise)) * time.Second
}

// warnings names what the task asks for and does not get.
func warnings(c types.ContainerDefinition) []string {
	var found []string
	for _, secret := range c.Secrets {
		found = append(found, fmt.Sprintf("the local cloud gives no secrets: container %s lacks %s", aws.ToString(c.Name), aws.ToString(secret.Name)))
	}
	for _, file := range c.EnvironmentFiles {
		found = append(found, fmt.Sprintf("the local cloud reads no environment files: container %s lacks %s", aws.ToString(c.Name), aws.ToString(file.Value)))
	}
	return found
}
