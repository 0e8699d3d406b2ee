package terraform

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-exec/tfexec"
)

// interruptGrace is how long a cancelled Terraform may take to write its state before it is killed.
const interruptGrace = 60 * time.Second

// Options is what New builds a Stack from.
type Options struct {
	// Program is Terraform's or OpenTofu's path, as Look returns it. Required.
	Program string
	// Dir holds the root module. Terraform writes its state and lock file there. Required.
	Dir string
	// Work is a folder for files of the harness, removed by nobody. Required.
	Work string
	// Mirrors are provider folders beside the one FindMirror finds, for example one with our provider's build.
	Mirrors []string
	// Environment is added to that of this program: the local cloud's address and credentials.
	Environment map[string]string
	// Progress gets one line per resource; nil drops them.
	Progress io.Writer
}

// Stack is a root module that can be applied. Its methods run one at a time.
type Stack struct {
	exec     *tfexec.Terraform
	progress io.Writer
	plans    string
}

// New prepares Terraform for a root module; Init comes next.
func New(options Options) (*Stack, error) {
	mirrors := slices.Clone(options.Mirrors)
	if found := FindMirror(os.Getenv, "/"); found != "" {
		mirrors = append(mirrors, found)
	}
	config, err := writeCLIConfig(options.Work, mirrors, isTofu(options.Program))
	if err != nil {
		return nil, err
	}
	tf, err := tfexec.NewTerraform(options.Dir, options.Program)
	if err != nil {
		return nil, fmt.Errorf("prepare %s: %w", options.Program, err)
	}
	if err := tf.SetEnv(environment(options.Environment, config)); err != nil {
		return nil, fmt.Errorf("set Terraform's environment: %w", err)
	}
	if err := tf.SetWaitDelay(interruptGrace); err != nil {
		return nil, fmt.Errorf("set Terraform's wait delay: %w", err)
	}
	progress := options.Progress
	if progress == nil {
		progress = io.Discard
	}
	return &Stack{exec: tf, progress: progress, plans: options.Work}, nil
}

// environment is this program's environment without what Terraform must not inherit, plus what is given.
func environment(given map[string]string, config string) map[string]string {
	env := make(map[string]string)
	for _, entry := range os.Environ() {
		name, value, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(name, "AWS_") && !strings.HasPrefix(name, "TF_") {
			env[name] = value
		}
	}
	maps.Copy(env, given)
	env["TF_CLI_CONFIG_FILE"] = config
	return env
}

// Init installs the providers and modules.
func (s *Stack) Init(ctx context.Context) error {
	if err := s.exec.Init(ctx, tfexec.Upgrade(false)); err != nil {
		return fmt.Errorf("terraform init: %w", err)
	}
	return nil
}

// Apply brings the cloud to what the module says. vars are values of its variables; those that are not strings are
// given as JSON.
func (s *Stack) Apply(ctx context.Context, vars map[string]any) error {
	assignments, err := assign(vars)
	if err != nil {
		return err
	}
	var options []tfexec.ApplyOption
	for _, assignment := range assignments {
		options = append(options, tfexec.Var(assignment))
	}
	lines := newLines(s.progress)
	return lines.explain("terraform apply", s.exec.ApplyJSON(ctx, lines, options...))
}

// Plan returns what an Apply with the same variables would do.
func (s *Stack) Plan(ctx context.Context, vars map[string]any) (*Plan, error) {
	assignments, err := assign(vars)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(s.plans, fmt.Sprintf("%d.tfplan", time.Now().UnixNano()))
	options := []tfexec.PlanOption{tfexec.Out(file)}
	for _, assignment := range assignments {
		options = append(options, tfexec.Var(assignment))
	}
	lines := newLines(io.Discard)
	_, err = s.exec.PlanJSON(ctx, lines, options...)
	if err := lines.explain("terraform plan", err); err != nil {
		return nil, err
	}
	return s.readPlan(ctx, file)
}

// Destroy removes everything the stack made.
func (s *Stack) Destroy(ctx context.Context, vars map[string]any) error {
	assignments, err := assign(vars)
	if err != nil {
		return err
	}
	var options []tfexec.DestroyOption
	for _, assignment := range assignments {
		options = append(options, tfexec.Var(assignment))
	}
	lines := newLines(s.progress)
	return lines.explain("terraform destroy", s.exec.DestroyJSON(ctx, lines, options...))
}

// ErrNoOutput says that the module has no output of the name asked for.
var ErrNoOutput = errors.New("no such output")

// Output decodes one of the module's outputs into value.
func (s *Stack) Output(ctx context.Context, name string, value any) error {
	outputs, err := s.exec.Output(ctx)
	if err != nil {
		return fmt.Errorf("terraform output: %w", err)
	}
	output, ok := outputs[name]
	if !ok {
		return fmt.Errorf("terraform output %s: %w", name, ErrNoOutput)
	}
	if err := json.Unmarshal(output.Value, value); err != nil {
		return fmt.Errorf("decode terraform output %s: %w", name, err)
	}
	return nil
}

// assign renders variables as NAME=VALUE, sorted.
func assign(vars map[string]any) ([]string, error) {
	assignments := make([]string, 0, len(vars))
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		text, ok := vars[name].(string)
		if !ok {
			data, err := json.Marshal(vars[name])
			if err != nil {
				return nil, fmt.Errorf("encode variable %s: %w", name, err)
			}
			text = string(data)
		}
		assignments = append(assignments, name+"="+text)
	}
	return assignments, nil
}
