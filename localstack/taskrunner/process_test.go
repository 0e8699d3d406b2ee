package taskrunner_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rousehq/rouse/localstack/taskrunner"
)

// TestMain lets the test binary play the worker: PART names what it does.
func TestMain(m *testing.M) {
	switch os.Getenv("PART") {
	case "":
		os.Exit(m.Run())
	case "worker":
		playWorker()
	case "deaf":
		signal.Ignore(syscall.SIGTERM)
		fmt.Println("deaf")
		select {}
	}
}

// playWorker ends on SIGTERM.
func playWorker() {
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	fmt.Println("ready")
	<-stop
}

// board is a Source whose services are what the test last wrote.
type board struct {
	mu         sync.Mutex
	service    taskrunner.Service
	definition taskrunner.Definition
}

func (b *board) Services(context.Context) ([]taskrunner.Service, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return []taskrunner.Service{b.service}, nil
}

func (b *board) Definition(context.Context, string) (taskrunner.Definition, error) {
	return b.definition, nil
}

func (b *board) RollBack(context.Context, taskrunner.Service, string) error { return nil }

func (b *board) want(desired int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.service.Desired = desired
}

// stageProcesses runs desired real processes and returns when all run.
func stageProcesses(t *testing.T, part string, desired int) (*taskrunner.Runner, *board, <-chan taskrunner.Task) {
	t.Helper()
	b := &board{
		service: taskrunner.Service{ARN: "service/worker", Name: "worker", Cluster: "arn:aws:ecs:r:1:cluster/c", TaskDefinition: "d", Active: true, Desired: desired},
		definition: taskrunner.Definition{
			ARN: "d", Family: "worker", Image: "image", StopTimeout: 50 * time.Millisecond,
		},
	}
	if part == "worker" {
		b.definition.StopTimeout = 20 * time.Second
	}
	program := taskrunner.Program{Command: []string{os.Args[0]}, Environment: []string{"PART=" + part}}
	changes := make(chan taskrunner.Task, 1000)
	ready := make(chan string, 1000)
	r := taskrunner.New(taskrunner.Options{
		Source: b, Launcher: taskrunner.Processes{"image": program},
		Output: func(taskrunner.Task) (io.WriteCloser, error) { return announcer(ready), nil },
		Poll:   20 * time.Millisecond, CloseGrace: 200 * time.Millisecond,
	})
	r.Observe(func(task taskrunner.Task) { changes <- task })
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { r.Run(ctx); close(ended) }()
	t.Cleanup(func() { cancel(); <-ended })
	for range desired {
		<-ready
	}
	return r, b, changes
}

// announcer passes on what a task writes: each worker writes once, when it is ready for signals.
type announcer chan<- string

func (a announcer) Write(p []byte) (int, error) {
	a <- string(p)
	return len(p), nil
}

func (announcer) Close() error { return nil }

// await reads changes until n tasks have reached a status.
func await(t *testing.T, changes <-chan taskrunner.Task, status string, n int) {
	t.Helper()
	deadline := time.After(30 * time.Second)
	reached := make(map[string]bool)
	for len(reached) < n {
		select {
		case task := <-changes:
			if task.LastStatus == status {
				reached[task.ID] = true
			}
		case <-deadline:
			t.Fatalf("%d of %d tasks reached %s in 30 s", len(reached), n, status)
		}
	}
}

func protect(t *testing.T, agent string, task taskrunner.Task) {
	t.Helper()
	body := strings.NewReader(`{"ProtectionEnabled":true,"ExpiresInMinutes":60}`)
	req, err := http.NewRequest(http.MethodPut, agent+"/agent/"+task.ID+"/task-protection/v1/state", body)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if reply, _ := io.ReadAll(resp.Body); !strings.Contains(string(reply), `"ProtectionEnabled":true`) {
		t.Fatalf("agent answered %s", reply)
	}
}

// C03: three tasks, one busy and protected, shrink to one: the two idle ones stop, 20 of 20 runs.
func TestC03_ScaleInStopsTheUnprotected(t *testing.T) {
	for round := range 20 {
		t.Run(fmt.Sprint(round), func(t *testing.T) {
			t.Parallel()
			r, b, changes := stageProcesses(t, "worker", 3)
			agent := httptest.NewServer(r.Agent())
			defer agent.Close()
			busy := r.Tasks()[round%3]
			protect(t, agent.URL, busy)
			b.want(1)
			await(t, changes, taskrunner.StatusStopped, 2)
			for _, task := range r.Tasks() {
				if stopped := task.LastStatus == taskrunner.StatusStopped; stopped == (task.ID == busy.ID) || task.Killed {
					t.Errorf("task %s (busy: %s) is %s, killed %v", task.ID, busy.ID, task.LastStatus, task.Killed)
				}
			}
		})
	}
}

func TestADeafProcessIsKilledAfterItsStopTimeout(t *testing.T) {
	r, b, changes := stageProcesses(t, "deaf", 1)
	b.want(0)
	await(t, changes, taskrunner.StatusStopped, 1)
	if task := r.Tasks()[0]; !task.Killed || task.ExitCode != 137 {
		t.Errorf("task = %+v, want killed with code 137", task)
	}
}

func TestNoProcessOutlivesRun(t *testing.T) {
	var pids []int
	t.Run("fleet", func(t *testing.T) {
		r, _, _ := stageProcesses(t, "deaf", 3)
		for _, task := range r.Tasks() {
			pids = append(pids, task.Pid)
		}
	})
	for _, pid := range pids {
		if pid == 0 || syscall.Kill(pid, 0) == nil {
			t.Errorf("process %d is alive after Run has returned", pid)
		}
	}
}
