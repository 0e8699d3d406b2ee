package taskrunner

import (
	"context"
	"errors"
	"fmt"
	"io"
)

// Launcher starts containers.
type Launcher interface {
	// Launch starts a container and returns when it runs.
	Launch(spec Spec) (Container, error)
}

// Spec is a container to be started.
type Spec struct {
	Task        Task
	Definition  Definition
	Environment map[string]string
	// Output gets the container's standard output and error.
	Output io.Writer
}

// Container is a running container. Its methods may be called from several goroutines, and after its end.
type Container interface {
	// Done is closed when the container has ended and nothing of it is left.
	Done() <-chan struct{}
	// ExitCode is valid once Done is closed.
	ExitCode() int
	// Pid is the process id, 0 if unknown.
	Pid() int
	// Terminate sends SIGTERM to the container's first process.
	Terminate() error
	// Kill ends all of the container's processes.
	Kill() error
	// Check runs a command beside the container's own; nil means that it exited with 0.
	Check(ctx context.Context, command []string) error
}

// ErrUnknownImage is the error of a Launcher that has no such image.
var ErrUnknownImage = errors.New("unknown image")

// FirstOf launches with the first launcher that knows the image.
type FirstOf []Launcher

// Launch asks each launcher in turn.
func (f FirstOf) Launch(spec Spec) (Container, error) {
	for _, launcher := range f {
		container, err := launcher.Launch(spec)
		if !errors.Is(err, ErrUnknownImage) {
			return container, err
		}
	}
	return nil, fmt.Errorf("CannotPullContainerError: %w: %s is neither an image of the container engine nor has a program on this machine", ErrUnknownImage, spec.Definition.Image)
}
