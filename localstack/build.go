package localstack

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/ecs"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/aws/aws-sdk-go-v2/service/scheduler"

	"github.com/rousehq/rouse/localstack/lambdart"
	"github.com/rousehq/rouse/localstack/schedule"
	"github.com/rousehq/rouse/localstack/taskrunner"
	"github.com/rousehq/rouse/localstack/terraform"
)

// build makes the parts that run things, over the endpoint's plain view.
func (c *Cloud) build(ctx context.Context, agentURL string) {
	config := c.config(c.inner)
	c.Fleet = taskrunner.New(taskrunner.Options{
		Source:          taskrunner.FromECS(ecs.NewFromConfig(config)),
		Launcher:        c.launcher(ctx),
		AgentURL:        agentURL,
		Environment:     c.Env(),
		ListenVariables: c.options.ListenVariables,
		StartDelay:      c.options.StartDelay,
		Poll:            c.options.Poll,
		Output:          taskrunner.Files(filepath.Join(c.dir, "tasks")),
		Logger:          c.options.Logger,
	})
	c.Lambda = lambdart.New(lambdart.Options{
		Functions:   lambda.NewFromConfig(config),
		Dir:         c.functionsDir(),
		Region:      c.options.Region,
		Environment: c.Env(),
		Output:      c.openFunctionLog,
		Logger:      c.options.Logger,
	})
	c.Scheduler = schedule.New(schedule.Options{
		Source: schedule.FromScheduler(scheduler.NewFromConfig(config)),
		Invoke: c.invokeForSchedule,
		Poll:   c.options.Poll,
		Logger: c.options.Logger,
	})
}

// launcher prefers containers, whose images have to be there already.
func (c *Cloud) launcher(ctx context.Context) taskrunner.Launcher {
	programs := taskrunner.Processes(c.options.Programs)
	if c.options.NoContainers {
		return programs
	}
	if docker, ok := taskrunner.FindDocker(ctx); ok {
		return taskrunner.FirstOf{docker, programs}
	}
	return taskrunner.FirstOf{programs}
}

func (c *Cloud) config(address string) aws.Config {
	env := c.Env()
	return aws.Config{
		Region:       c.options.Region,
		BaseEndpoint: aws.String(address),
		Credentials:  credentials.NewStaticCredentialsProvider(env["AWS_ACCESS_KEY_ID"], env["AWS_SECRET_ACCESS_KEY"], ""),
	}
}

func (c *Cloud) invokeForClient(ctx context.Context, function string, payload []byte) ([]byte, string, error) {
	invocation, err := c.Lambda.Invoke(ctx, function, payload)
	if err != nil || !invocation.Failed {
		return invocation.Output, "", err
	}
	return invocation.Output, "Unhandled", nil
}

func (c *Cloud) invokeForSchedule(ctx context.Context, function string, payload []byte) error {
	invocation, err := c.Lambda.Invoke(ctx, function, payload)
	if err == nil && invocation.Failed {
		err = fmt.Errorf("invocation %s of %s: %s", invocation.RequestID, invocation.Function, invocation.Output)
	}
	return err
}

// Stack prepares Terraform for a root module on this cloud. Program, Work and Environment are filled in.
func (c *Cloud) Stack(options terraform.Options) (*terraform.Stack, error) {
	program, err := terraform.Look(os.Getenv)
	if err != nil {
		return nil, err
	}
	work, err := os.MkdirTemp(c.dir, "terraform-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for Terraform: %w", err)
	}
	options.Program, options.Work, options.Environment = program, work, c.Env()
	return terraform.New(options)
}

// matches reports whether name is among wanted, or nothing special is wanted.
func matches(name string, wanted []string) bool {
	return len(wanted) == 0 || slices.Contains(wanted, name)
}
