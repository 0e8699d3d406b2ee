package taskrunner

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/rousehq/rouse/localstack/process"
)

// Program stands in for an image where no container engine runs it.
type Program struct {
	// Command is what the image's own entry point would run; the task definition's command is added to it.
	Command []string
	// Files maps paths of programs inside the image to paths on this machine. A program with the same base name as
	// Command[0] needs no entry.
	Files map[string]string
	// Environment is what the image itself would set, as NAME=VALUE.
	Environment []string
}

// Processes launches tasks as processes of this machine, by image name.
type Processes map[string]Program

// Launch starts the image's program in a process group of its own.
func (p Processes) Launch(spec Spec) (Container, error) {
	program, ok := p[spec.Definition.Image]
	if !ok {
		return nil, fmt.Errorf("%w: %s", ErrUnknownImage, spec.Definition.Image)
	}
	argv, err := program.argv(spec.Definition)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = program.environment(spec.Environment)
	cmd.Stdout, cmd.Stderr = spec.Output, spec.Output
	group, err := process.Start(cmd)
	if err != nil {
		return nil, err
	}
	return &child{Group: group, program: program, env: cmd.Env}, nil
}

func (p Program) argv(definition Definition) ([]string, error) {
	argv := slices.Clone(p.Command)
	if len(definition.EntryPoint) > 0 {
		first, err := p.file(definition.EntryPoint[0])
		if err != nil {
			return nil, err
		}
		argv = append([]string{first}, definition.EntryPoint[1:]...)
	}
	argv = append(argv, definition.Command...)
	if len(argv) == 0 {
		return nil, errors.New("neither the program nor the task definition has a command")
	}
	return argv, nil
}

// file is where a program of the image is on this machine.
func (p Program) file(name string) (string, error) {
	if path, ok := p.Files[name]; ok {
		return path, nil
	}
	if len(p.Command) > 0 && filepath.Base(p.Command[0]) == filepath.Base(name) {
		return p.Command[0], nil
	}
	return "", fmt.Errorf("the image's file %s has no counterpart on this machine", name)
}

// environment is the image's and the task's, and of this machine's only what programs cannot do without.
func (p Program) environment(task map[string]string) []string {
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "TMPDIR=" + os.TempDir()}
	env = append(env, p.Environment...)
	for _, name := range slices.Sorted(maps.Keys(task)) {
		env = append(env, name+"="+task[name])
	}
	return env
}

// child is a task that runs as a process.
type child struct {
	*process.Group
	program Program
	env     []string
}

// ExitCode is the leader's.
func (c *child) ExitCode() int { return c.Wait().Code }

// Check runs the counterpart of a program of the image with the task's environment.
func (c *child) Check(ctx context.Context, command []string) error {
	file, err := c.program.checkFile(command[0])
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, file, command[1:]...)
	cmd.Env = c.env
	cmd.WaitDelay = checkDelay
	return cmd.Run()
}

// checkFile lets a check use the shell of this machine, which stands for the image's.
func (p Program) checkFile(name string) (string, error) {
	if name == shell {
		return shell, nil
	}
	return p.file(name)
}
