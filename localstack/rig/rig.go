// Package rig deploys one workload to the local cloud as a user would, with
// Terraform and the module, and watches it from outside: through the queue, ECS,
// the table and the scaler's log. The demo and the integration tests stand on it.
package rig

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/ecs"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"github.com/rousehq/rouse/localstack"
	"github.com/rousehq/rouse/localstack/taskrunner"
	"github.com/rousehq/rouse/localstack/terraform"
)

// Image is the image that Program stands in for where no container engine has it.
const Image = "rouse-demo:latest"

// Files that `make build` leaves in dist/.
const (
	workerFile = "worker"
	jobFile    = "job"
)

// Program runs the built worker with the demo's job, as the image does.
func Program(root string) (taskrunner.Program, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return taskrunner.Program{}, fmt.Errorf("find the repository: %w", err)
	}
	worker, job := filepath.Join(root, "dist", workerFile), filepath.Join(root, "dist", jobFile)
	for _, file := range []string{worker, job, scalerZip(root)} {
		if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
			return taskrunner.Program{}, fmt.Errorf("%s is not there: run make build", file)
		}
	}
	return taskrunner.Program{
		Command: []string{worker},
		Files:   map[string]string{"/worker": worker, "/job": job},
	}, nil
}

// JobCommand is the task definition's command that has the worker run the job.
func JobCommand(root string, container bool) []string {
	if container {
		return []string{"exec", "--", "/job"}
	}
	job, err := filepath.Abs(filepath.Join(root, "dist", jobFile))
	if err != nil {
		job = jobFile
	}
	return []string{"exec", "--", job}
}

// Options is what Deploy builds a Rig from. All but Inputs and Progress are required.
type Options struct {
	Cloud *localstack.Cloud
	// Root is the repository: the module and what was built are taken from there.
	Root string
	// Name is the workload's.
	Name string
	// Inputs are the module's, beside name, image, subnets and the scaler's zip.
	Inputs map[string]any
	// Progress gets Terraform's progress, a line a resource; nil drops it.
	Progress io.Writer
}

// Rig is a deployed workload. Its methods may be called concurrently, but for
// those that run Terraform.
type Rig struct {
	Name    string
	Outputs Outputs
	SQS     *sqs.Client
	ECS     *ecs.Client
	Dynamo  *dynamodb.Client
	options Options
	stack   *terraform.Stack
	dir     string
}

// Outputs are those of the module that a Rig uses.
type Outputs struct {
	QueueURL string `json:"queue_url"`
	DLQURL   string `json:"dlq_url"`
	Table    string `json:"table_name"`
	Cluster  string `json:"cluster_name"`
	Service  string `json:"service_name"`
	Function string `json:"scaler_function_name"`
	Schedule string `json:"schedule_name"`
}

// Deploy applies the module. Destroy removes what it made.
func Deploy(ctx context.Context, options Options) (*Rig, error) {
	root, err := filepath.Abs(options.Root)
	if err != nil {
		return nil, fmt.Errorf("find the repository: %w", err)
	}
	options.Root = root
	config := options.Cloud.AWSConfig()
	r := &Rig{
		Name: options.Name, options: options,
		SQS: sqs.NewFromConfig(config), ECS: ecs.NewFromConfig(config), Dynamo: dynamodb.NewFromConfig(config),
	}
	if r.dir, err = os.MkdirTemp(options.Cloud.Dir(), "module-"); err != nil {
		return nil, fmt.Errorf("make a folder for the root module: %w", err)
	}
	if err := r.write(options.Inputs); err != nil {
		return nil, err
	}
	if r.stack, err = options.Cloud.Stack(terraform.Options{Dir: r.dir, Progress: options.Progress}); err != nil {
		return nil, err
	}
	if err := r.stack.Init(ctx); err != nil {
		return nil, err
	}
	return r, r.apply(ctx)
}

// Apply changes the module's inputs and applies it again.
func (r *Rig) Apply(ctx context.Context, changed map[string]any) error {
	inputs := maps.Clone(r.options.Inputs)
	maps.Copy(inputs, changed)
	if err := r.write(inputs); err != nil {
		return err
	}
	return r.apply(ctx)
}

func (r *Rig) apply(ctx context.Context) error {
	if err := r.stack.Apply(ctx, nil); err != nil {
		return err
	}
	return r.stack.Output(ctx, "workload", &r.Outputs)
}

// Plan returns what another apply would do.
func (r *Rig) Plan(ctx context.Context) (*terraform.Plan, error) { return r.stack.Plan(ctx, nil) }

// Destroy removes everything that was deployed.
func (r *Rig) Destroy(ctx context.Context) error { return r.stack.Destroy(ctx, nil) }

// write writes the root module, which calls the module as a user's would.
func (r *Rig) write(inputs map[string]any) error {
	source, err := filepath.Rel(r.dir, filepath.Join(r.options.Root, "terraform"))
	if err != nil {
		return fmt.Errorf("find the module: %w", err)
	}
	call := map[string]any{
		"source":       source,
		"name":         r.Name,
		"image":        Image,
		"subnets":      "${data.aws_subnets.all.ids}",
		"architecture": lambdaArchitecture(),
		"scaler_zip":   scalerZip(r.options.Root),
	}
	maps.Copy(call, inputs)
	root := map[string]any{
		"provider": map[string]any{"aws": map[string]any{}},
		"data":     map[string]any{"aws_subnets": map[string]any{"all": map[string]any{}}},
		"module":   map[string]any{"workload": call},
		"output":   map[string]any{"workload": map[string]any{"value": "${module.workload}", "sensitive": true}},
	}
	text, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		return fmt.Errorf("write the root module: %w", err)
	}
	return os.WriteFile(filepath.Join(r.dir, "main.tf.json"), text, 0o600)
}

// lambdaArchitecture is this machine's, in Lambda's words.
func lambdaArchitecture() string {
	if runtime.GOARCH == "amd64" {
		return "x86_64"
	}
	return runtime.GOARCH
}

func scalerZip(root string) string {
	return filepath.Join(root, "dist", "scaler-"+lambdaArchitecture()+".zip")
}

// Ephemeral reports whether everything that was deployed is gone with the cloud,
// whose endpoint is its own.
func (r *Rig) Ephemeral() bool { return r.options.Cloud.API != nil }
