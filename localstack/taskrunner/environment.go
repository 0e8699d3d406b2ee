package taskrunner

import (
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"path/filepath"
)

// environment is what a task's container gets: the runner's variables, then the definition's, then the agent's addresses.
func (r *Runner) environment(t *task) (map[string]string, error) {
	env := maps.Clone(r.options.Environment)
	if env == nil {
		env = make(map[string]string)
	}
	maps.Copy(env, t.definition.Environment)
	for _, name := range r.options.ListenVariables {
		if value, set := t.definition.Environment[name]; set && value == "" {
			continue
		}
		address, err := freeAddress()
		if err != nil {
			return nil, err
		}
		env[name] = address
	}
	env["ECS_AGENT_URI"] = r.options.AgentURL + agentPath + t.ID
	env["ECS_CONTAINER_METADATA_URI_V4"] = r.options.AgentURL + metadataPath + t.ID
	return env, nil
}

// freeAddress is a loopback address nobody listens on at the moment.
func freeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("find a free port: %w", err)
	}
	defer listener.Close()
	return listener.Addr().String(), nil
}

// Files is an Options.Output that writes each task's output to DIR/SERVICE/TASK.log.
func Files(dir string) func(Task) (io.WriteCloser, error) {
	return func(t Task) (io.WriteCloser, error) {
		folder := filepath.Join(dir, filepath.Base(t.Service))
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return nil, fmt.Errorf("make log folder: %w", err)
		}
		return os.Create(filepath.Join(folder, t.ID+".log"))
	}
}
