package taskrunner

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/rousehq/rouse/localstack/process"
)

// engineTimeout bounds a request to the container engine.
const engineTimeout = 20 * time.Second

// Docker launches tasks as containers of a Docker-compatible engine, on the host's network. It pulls nothing: only
// images that the engine has are known.
type Docker struct {
	program string
}

// FindDocker returns a launcher if an engine runs on this machine; false if not.
func FindDocker(ctx context.Context) (*Docker, bool) {
	program, err := exec.LookPath("docker")
	if err != nil {
		return nil, false
	}
	d := &Docker{program: program}
	return d, d.run(ctx, "version", "--format", "{{.Server.Version}}") == nil
}

// run runs a docker command whose output nobody needs.
func (d *Docker) run(ctx context.Context, args ...string) error {
	ctx, cancel := context.WithTimeout(ctx, engineTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, d.program, args...)
	cmd.WaitDelay = checkDelay
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("docker %s: %w: %s", args[0], err, strings.TrimSpace(string(output)))
	}
	return nil
}

// Launch starts a container in the foreground of a docker client, whose output and exit code are the container's.
func (d *Docker) Launch(spec Spec) (Container, error) {
	if d.run(context.Background(), "image", "inspect", spec.Definition.Image) != nil {
		return nil, fmt.Errorf("%w: %s", ErrUnknownImage, spec.Definition.Image)
	}
	name := "rouse-" + spec.Task.ID
	cmd := exec.Command(d.program, dockerArgs(name, spec)...)
	cmd.Env = os.Environ()
	for variable, value := range spec.Environment {
		cmd.Env = append(cmd.Env, variable+"="+value)
	}
	cmd.Stdout, cmd.Stderr = spec.Output, spec.Output
	group, err := process.Start(cmd)
	if err != nil {
		return nil, err
	}
	return d.watch(name, group), nil
}

// dockerArgs names the environment's variables only: their values come from the client's environment, so that they do
// not show in process lists.
func dockerArgs(name string, spec Spec) []string {
	args := []string{"run", "--name", name, "--network", "host", "--sig-proxy=false"}
	for _, variable := range slices.Sorted(maps.Keys(spec.Environment)) {
		args = append(args, "--env", variable)
	}
	entry := spec.Definition.EntryPoint
	if len(entry) > 0 {
		args = append(args, "--entrypoint", entry[0])
		entry = entry[1:]
	}
	args = append(args, spec.Definition.Image)
	args = append(args, entry...)
	return append(args, spec.Definition.Command...)
}

// boxed is a task that runs in the engine.
type boxed struct {
	docker *Docker
	name   string
	client *process.Group
	done   chan struct{}
}

// watch removes the container when its client has ended. The client may have died without it.
func (d *Docker) watch(name string, client *process.Group) *boxed {
	b := &boxed{docker: d, name: name, client: client, done: make(chan struct{})}
	go func() {
		defer close(b.done)
		client.Wait()
		_ = d.run(context.Background(), "rm", "--force", name)
	}()
	return b
}

// Done is closed when the container is removed.
func (b *boxed) Done() <-chan struct{} { return b.done }

// ExitCode is the container's; 125 to 127 if it could not be started.
func (b *boxed) ExitCode() int { return b.client.Wait().Code }

// Pid is unknown: the process belongs to the engine.
func (b *boxed) Pid() int { return 0 }

// Terminate signals the container's process 1.
func (b *boxed) Terminate() error { return b.signal("TERM") }

// Kill ends the container, or the client of one that does not exist yet.
func (b *boxed) Kill() error {
	err := b.signal("KILL")
	if err == nil {
		return nil
	}
	return errors.Join(err, b.client.Kill())
}

func (b *boxed) signal(name string) error {
	return b.docker.run(context.Background(), "kill", "--signal", name, b.name)
}

// Check runs a command inside the container.
func (b *boxed) Check(ctx context.Context, command []string) error {
	return b.docker.run(ctx, append([]string{"exec", b.name}, command...)...)
}
