//go:build integration

package taskrunner_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rousehq/rouse/localstack/taskrunner"
)

const (
	image   = "rouse-taskrunner-test:1"
	program = `package main

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == "healthcheck" {
		os.Exit(len(os.Args) - 2)
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	fmt.Println("started", os.Args[1:], os.Getenv("GREETING"))
	<-stop
	os.Exit(4)
}
`
)

// locked is a buffer that may be read while a container writes to it.
type locked struct {
	mu     sync.Mutex
	buffer bytes.Buffer
}

func (l *locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buffer.Write(p)
}

func (l *locked) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buffer.String()
}

func buildImage(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{
		"main.go":    program,
		"go.mod":     "module fake\n\ngo 1.26\n",
		"Dockerfile": "FROM scratch\nCOPY worker /worker\nENTRYPOINT [\"/worker\"]\n",
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.Command("go", "build", "-o", "worker", ".")
	build.Dir, build.Env = dir, append(os.Environ(), "CGO_ENABLED=0")
	for _, cmd := range []*exec.Cmd{build, exec.Command("docker", "build", "--quiet", "--tag", image, dir)} {
		if output, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", cmd, err, output)
		}
	}
	t.Cleanup(func() { _ = exec.Command("docker", "rmi", "--force", image).Run() })
}

func spec(id string, output *locked) taskrunner.Spec {
	return taskrunner.Spec{
		Task:        taskrunner.Task{ID: id},
		Definition:  taskrunner.Definition{Image: image, Command: []string{"run"}},
		Environment: map[string]string{"GREETING": "hello"},
		Output:      output,
	}
}

// Where an engine runs, tasks are containers; where none does, the image is unknown and a program stands in for it.
func TestTasksAreContainersWhereAnEngineRuns(t *testing.T) {
	docker, ok := taskrunner.FindDocker(t.Context())
	if !ok {
		if taskrunner.HasImage(t.Context(), image) {
			t.Error("there is an image without an engine")
		}
		return
	}
	if _, err := docker.Launch(spec("none", &locked{})); !errors.Is(err, taskrunner.ErrUnknownImage) {
		t.Errorf("err = %v, want ErrUnknownImage before the image is built", err)
	}
	buildImage(t)
	output := &locked{}
	container, err := docker.Launch(spec("first", output))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = container.Kill() })
	awaitOutput(t, output, "started [run] hello")
	checkHealthCommand(t, container)
	if err := container.Terminate(); err != nil {
		t.Error(err)
	}
	<-container.Done()
	if code := container.ExitCode(); code != 4 {
		t.Errorf("exit code = %d, want 4, the program's own on SIGTERM", code)
	}
	if exec.Command("docker", "container", "inspect", "rouse-first").Run() == nil {
		t.Error("the container is still there after Done")
	}
}

func checkHealthCommand(t *testing.T, container taskrunner.Container) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if err := container.Check(ctx, []string{"/worker", "healthcheck"}); err != nil {
		t.Errorf("Check = %v, want nil", err)
	}
	if container.Check(ctx, []string{"/worker", "healthcheck", "fail"}) == nil {
		t.Error("Check of a command that exits with 1 answered nil")
	}
}

func awaitOutput(t *testing.T, output *locked, want string) {
	t.Helper()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.After(30 * time.Second); !strings.Contains(output.String(), want); {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("output = %q, want %q within 30 s", output.String(), want)
		}
	}
}
