package taskrunner

import (
	"context"
	"time"
)

// Service is what a client of ECS asked for.
type Service struct {
	ARN            string
	Name           string
	Cluster        string // ARN
	TaskDefinition string // ARN
	Desired        int
	// Active is false once the service was deleted.
	Active bool
	// Force changes when a client forces a new deployment.
	Force string
	// Breaker and Rollback are the deployment circuit breaker's switches.
	Breaker, Rollback bool
	// MinHealthyPercent and MaxPercent bound a deployment. MaxPercent 0 stands for the defaults, 100 and 200.
	MinHealthyPercent, MaxPercent int
}

// Definition is the part of a task definition that can be run here: its one essential container.
type Definition struct {
	ARN         string
	Family      string
	Revision    int
	Container   string
	Image       string
	EntryPoint  []string
	Command     []string
	Environment map[string]string
	StopTimeout time.Duration
	Health      *HealthCheck // nil if the container has none
	// Warnings are things asked for that this runner leaves out.
	Warnings []string
}

// HealthCheck is a container's health check.
type HealthCheck struct {
	// Command is run inside the container, without a shell unless it names one.
	Command     []string
	Interval    time.Duration
	Timeout     time.Duration
	Retries     int
	StartPeriod time.Duration
}

// Source is where services are defined.
type Source interface {
	// Services are all services of all clusters.
	Services(ctx context.Context) ([]Service, error)
	// Definition is a task definition by ARN; it never changes.
	Definition(ctx context.Context, arn string) (Definition, error)
	// RollBack gives a service the task definition of its last good deployment.
	RollBack(ctx context.Context, service Service, taskDefinition string) error
}
