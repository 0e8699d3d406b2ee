package localstack

import (
	"cmp"
	"errors"
	"log/slog"
	"os"
	"slices"
	"time"

	"github.com/rousehq/rouse/localstack/moto"
	"github.com/rousehq/rouse/localstack/taskrunner"
	"github.com/rousehq/rouse/localstack/terraform"
)

// EndpointVariable names the environment variable that points at an endpoint that runs already.
const EndpointVariable = "AWS_ENDPOINT_URL"

// Options is what Start builds a Cloud from. The zero value is a cloud without programs for its tasks.
type Options struct {
	// Programs stand in for images, by image name, where no container engine has them.
	Programs map[string]taskrunner.Program
	// NoContainers runs programs even where a container engine has the image.
	NoContainers bool
	// NoTerraform lets the cloud start on a machine without Terraform.
	NoTerraform bool
	// ListenVariables are variables in which each task gets a loopback port of its own; WORKER_HTTP_ADDRESS if nil.
	ListenVariables []string
	// StartDelay is how long tasks stay PENDING.
	StartDelay time.Duration
	// AgePeriod is how often AWS/SQS ApproximateAgeOfOldestMessage is published; 10 s by default, SQS's own is 60 s.
	AgePeriod time.Duration
	// Poll is how often services and schedules are read; 1 s by default.
	Poll time.Duration
	// Port is the endpoint's; 0 takes any free one.
	Port int
	// Dir gets the logs of tasks, functions and moto_server; a temporary folder, removed by Close, if empty.
	Dir string
	// Region of everything; us-east-1 by default.
	Region string
	// Logger gets what the cloud does; nil drops it.
	Logger *slog.Logger
}

func (o Options) withDefaults() Options {
	o.AgePeriod = cmp.Or(o.AgePeriod, 10*time.Second)
	o.Poll = cmp.Or(o.Poll, time.Second)
	o.Region = cmp.Or(o.Region, "us-east-1")
	if o.ListenVariables == nil {
		o.ListenVariables = []string{"WORKER_HTTP_ADDRESS"}
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

// check looks for every program the cloud needs and reports all that are missing.
func (o Options) check() error {
	var missing []error
	if os.Getenv(EndpointVariable) == "" {
		_, err := moto.Look()
		missing = append(missing, err)
	}
	if !o.NoTerraform {
		_, err := terraform.Look(os.Getenv)
		missing = append(missing, err)
	}
	return errors.Join(slices.DeleteFunc(missing, func(err error) bool { return err == nil })...)
}
