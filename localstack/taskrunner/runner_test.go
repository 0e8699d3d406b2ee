package taskrunner

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

const serviceARN = "arn:aws:ecs:us-east-1:123456789012:service/fleet/worker"

// desk is a Source that a test changes.
type desk struct {
	mu         sync.Mutex
	service    Service
	definition Definition
	rolledBack []string
}

func newDesk(desired int) *desk {
	return &desk{
		service: Service{
			ARN: serviceARN, Name: "worker", Cluster: "arn:aws:ecs:us-east-1:123456789012:cluster/fleet",
			TaskDefinition: "worker:1", Desired: desired, Active: true,
		},
		definition: Definition{Family: "worker", Image: "image", StopTimeout: 30 * time.Second},
	}
}

func (d *desk) Services(context.Context) ([]Service, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return []Service{d.service}, nil
}

func (d *desk) Definition(_ context.Context, arn string) (Definition, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	definition := d.definition
	definition.ARN = arn
	return definition, nil
}

func (d *desk) RollBack(_ context.Context, _ Service, taskDefinition string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.rolledBack = append(d.rolledBack, taskDefinition)
	d.service.TaskDefinition = taskDefinition
	return nil
}

func (d *desk) set(change func(*Service)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	change(&d.service)
}

// stage is a Launcher of containers that live in the test's memory.
type stage struct {
	mu    sync.Mutex
	deaf  bool                     // SIGTERM is ignored
	lives func(Spec) time.Duration // how long a container lasts by itself; 0 for ever
	check error
	fail  error
}

type actor struct {
	stage *stage
	done  chan struct{}
	once  sync.Once
	code  int
}

func (s *stage) Launch(spec Spec) (Container, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fail != nil {
		return nil, s.fail
	}
	a := &actor{stage: s, done: make(chan struct{})}
	if s.lives != nil {
		if life := s.lives(spec); life > 0 {
			time.AfterFunc(life, func() { a.end(1) })
		}
	}
	return a, nil
}

func (a *actor) end(code int)          { a.once.Do(func() { a.code = code; close(a.done) }) }
func (a *actor) Done() <-chan struct{} { return a.done }
func (a *actor) ExitCode() int         { return a.code }
func (a *actor) Pid() int              { return 0 }
func (a *actor) Kill() error           { a.end(137); return nil }
func (a *actor) Terminate() error {
	if !a.stage.deaf {
		a.end(0)
	}
	return nil
}
func (a *actor) Check(context.Context, []string) error {
	a.stage.mu.Lock()
	defer a.stage.mu.Unlock()
	return a.stage.check
}

// play runs a Runner in a bubble and stops it at the end.
func play(t *testing.T, desk *desk, stage *stage, script func(*Runner)) {
	synctest.Test(t, func(t *testing.T) {
		r := New(Options{Source: desk, Launcher: stage, StartDelay: 5 * time.Second})
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { r.Run(ctx); close(ended) }()
		synctest.Wait()
		script(r)
		cancel()
		<-ended
		for _, task := range r.Tasks() {
			if task.LastStatus != StatusStopped {
				t.Errorf("task %s is %s after Run has returned", task.ID, task.LastStatus)
			}
		}
	})
}

func after(d time.Duration) {
	time.Sleep(d) // fake time: inside a bubble only
	synctest.Wait()
}

func status(r *Runner) Status {
	s, _ := r.Service(serviceARN)
	return s
}

func wantCounts(t *testing.T, r *Runner, running, pending, stopping int) {
	t.Helper()
	if s := status(r); s.Running != running || s.Pending != pending || s.Stopping != stopping {
		t.Errorf("running %d, pending %d, stopping %d; want %d, %d, %d", s.Running, s.Pending, s.Stopping, running, pending, stopping)
	}
}

func TestTasksArePendingForTheStartDelay(t *testing.T) {
	play(t, newDesk(2), &stage{}, func(r *Runner) {
		wantCounts(t, r, 0, 2, 0)
		after(5 * time.Second)
		wantCounts(t, r, 2, 0, 0)
	})
}

func TestRefreshActsBeforeItReturns(t *testing.T) {
	desk := newDesk(0)
	play(t, desk, &stage{}, func(r *Runner) {
		desk.set(func(s *Service) { s.Desired = 3 })
		if err := r.Refresh(context.Background()); err != nil {
			t.Fatal(err)
		}
		wantCounts(t, r, 0, 3, 0)
	})
}

func TestAPendingTaskIsStoppedWithoutHavingStarted(t *testing.T) {
	desk := newDesk(1)
	play(t, desk, &stage{}, func(r *Runner) {
		desk.set(func(s *Service) { s.Desired = 0 })
		after(2 * time.Second)
		wantCounts(t, r, 0, 0, 0)
		if task := r.Tasks()[0]; !task.Started.IsZero() || task.StopCode != StopServiceScheduler {
			t.Errorf("task = %+v, want never started", task)
		}
	})
}

func TestStopTimeoutEndsInAKill(t *testing.T) {
	desk := newDesk(1)
	play(t, desk, &stage{deaf: true}, func(r *Runner) {
		after(6 * time.Second)
		desk.set(func(s *Service) { s.Desired = 0 })
		after(2 * time.Second)
		wantCounts(t, r, 0, 0, 1)
		after(30 * time.Second)
		if task := r.Tasks()[0]; !task.Killed || task.ExitCode != 137 || task.LastStatus != StatusStopped {
			t.Errorf("task = %+v, want killed with code 137", task)
		}
	})
}

func TestAPoliteTaskIsNeverKilled(t *testing.T) {
	desk := newDesk(1)
	play(t, desk, &stage{}, func(r *Runner) {
		after(6 * time.Second)
		desk.set(func(s *Service) { s.Desired = 0 })
		after(2 * time.Second)
		if task := r.Tasks()[0]; task.Killed || task.ExitCode != 0 || task.LastStatus != StatusStopped {
			t.Errorf("task = %+v, want stopped with code 0", task)
		}
	})
}

func TestATaskThatRanIsReplacedAfterOneSecond(t *testing.T) {
	play(t, newDesk(1), &stage{lives: func(Spec) time.Duration { return 10 * time.Second }}, func(r *Runner) {
		after(50 * time.Second)
		tasks := r.Tasks()
		if len(tasks) != 4 {
			t.Errorf("%d tasks in 50 s, want 4: one each 16 s", len(tasks))
		}
		if first := tasks[0]; first.StopCode != StopContainerExited || first.ExitCode != 1 {
			t.Errorf("first task = %+v, want exited with code 1", first)
		}
	})
}

func TestTasksThatCannotStartAreSpacedExponentially(t *testing.T) {
	play(t, newDesk(1), &stage{fail: errors.New("no such image")}, func(r *Runner) {
		after(5 * time.Minute)
		var gaps []time.Duration
		tasks := r.Tasks()
		for i := range tasks[1:] {
			gaps = append(gaps, tasks[i+1].Created.Sub(tasks[i].Stopped).Round(time.Second))
		}
		want := []time.Duration{1, 2, 4, 8, 16, 32, 60, 60}
		for i := range want {
			want[i] *= time.Second
		}
		if len(gaps) < len(want) || !slices.Equal(gaps[:len(want)], want) {
			t.Errorf("gaps = %v, want %v", gaps, want)
		}
		if !strings.Contains(tasks[0].Reason, "no such image") || tasks[0].StopCode != StopFailedToStart {
			t.Errorf("task = %+v", tasks[0])
		}
	})
}

func TestAnUnhealthyTaskIsReplaced(t *testing.T) {
	desk, stage := newDesk(1), &stage{}
	desk.definition.Health = &HealthCheck{Command: []string{"check"}, Interval: 5 * time.Second, Timeout: time.Second, Retries: 3}
	play(t, desk, stage, func(r *Runner) {
		after(11 * time.Second)
		if task := r.Tasks()[0]; task.Health != HealthHealthy {
			t.Fatalf("health = %s, want %s", task.Health, HealthHealthy)
		}
		stage.mu.Lock()
		stage.check = errors.New("exit status 1")
		stage.mu.Unlock()
		after(20 * time.Second)
		first := r.Tasks()[0]
		if first.Health != HealthUnhealthy || first.LastStatus != StatusStopped || len(r.Tasks()) < 2 {
			t.Errorf("first task = %+v of %d, want unhealthy, stopped and replaced", first, len(r.Tasks()))
		}
	})
}

func TestFailuresInTheStartPeriodDoNotCount(t *testing.T) {
	desk := newDesk(1)
	desk.definition.Health = &HealthCheck{Command: []string{"check"}, Interval: time.Second, Timeout: time.Second, Retries: 1, StartPeriod: time.Minute}
	play(t, desk, &stage{check: errors.New("not yet")}, func(r *Runner) {
		after(time.Minute)
		if task := r.Tasks()[0]; !task.Alive() {
			t.Errorf("task = %+v, want alive", task)
		}
	})
}

func TestADeploymentIsInProgressUntilOldTasksAreReplaced(t *testing.T) {
	desk := newDesk(2)
	play(t, desk, &stage{}, func(r *Runner) {
		after(6 * time.Second)
		if d := status(r).Deployments; len(d) != 1 || d[0].RolloutState != RolloutCompleted {
			t.Fatalf("deployments = %+v, want one, completed", d)
		}
		desk.set(func(s *Service) { s.TaskDefinition = "worker:2" })
		after(2 * time.Second)
		if d := status(r).Deployments; len(d) != 2 || d[0].RolloutState != RolloutInProgress || d[1].Status != "ACTIVE" {
			t.Fatalf("deployments = %+v, want a new one in progress and the old one", d)
		}
		wantCounts(t, r, 2, 2, 0)
		after(8 * time.Second)
		if d := status(r).Deployments; len(d) != 1 || d[0].RolloutState != RolloutCompleted || d[0].TaskDefinition != "worker:2" {
			t.Errorf("deployments = %+v, want the new one, completed", d)
		}
		wantCounts(t, r, 2, 0, 0)
	})
}

func TestTheCircuitBreakerRollsBack(t *testing.T) {
	desk, stage := newDesk(1), &stage{}
	desk.service.Breaker, desk.service.Rollback = true, true
	play(t, desk, stage, func(r *Runner) {
		after(6 * time.Second)
		stage.mu.Lock()
		stage.fail = errors.New("broken image")
		stage.mu.Unlock()
		desk.set(func(s *Service) { s.TaskDefinition = "worker:2" })
		after(time.Minute)
		if !slices.Equal(desk.rolledBack, []string{"worker:1"}) {
			t.Errorf("rolled back to %v, want worker:1 once", desk.rolledBack)
		}
		wantCounts(t, r, 1, 0, 0)
	})
}

func TestADeletedServiceIsForgottenOnceItsTasksAreGone(t *testing.T) {
	desk := newDesk(2)
	play(t, desk, &stage{deaf: true}, func(r *Runner) {
		after(6 * time.Second)
		desk.set(func(s *Service) { s.Active = false })
		after(time.Second)
		wantCounts(t, r, 0, 0, 2)
		after(time.Minute)
		if _, known := r.Service(serviceARN); known {
			t.Error("the service is still known")
		}
	})
}

// ask sends a request to the agent.
func ask(r *Runner, method string, task Task, body string) (int, string) {
	req := httptest.NewRequest(method, agentPath+task.ID+protectionPath, strings.NewReader(body))
	w := httptest.NewRecorder()
	r.Agent().ServeHTTP(w, req)
	return w.Code, strings.TrimSpace(w.Body.String())
}

func TestProtectionExpires(t *testing.T) {
	desk := newDesk(1)
	play(t, desk, &stage{}, func(r *Runner) {
		after(6 * time.Second)
		task := r.Tasks()[0]
		code, body := ask(r, http.MethodPut, task, `{"ProtectionEnabled":true,"ExpiresInMinutes":1}`)
		if code != http.StatusOK || !strings.Contains(body, `"ExpirationDate":"2000-01-01T00:01:06Z"`) {
			t.Fatalf("PUT = %d %s", code, body)
		}
		desk.set(func(s *Service) { s.Desired = 0 })
		after(59 * time.Second)
		wantCounts(t, r, 1, 0, 0)
		after(2 * time.Second)
		wantCounts(t, r, 0, 0, 0)
	})
}

func TestAgentAnswers(t *testing.T) {
	play(t, newDesk(1), &stage{}, func(r *Runner) {
		after(6 * time.Second)
		task := r.Tasks()[0]
		for _, test := range []struct {
			method, body string
			code         int
			want         string
		}{
			{"GET", "", 200, fmt.Sprintf(`{"protection":{"ProtectionEnabled":false,"TaskArn":%q}}`, task.ARN)},
			{"PUT", `{"ProtectionEnabled":false}`, 200, fmt.Sprintf(`{"protection":{"ProtectionEnabled":false,"TaskArn":%q}}`, task.ARN)},
			{"PUT", `{}`, 400, fmt.Sprintf(`{"error":{"Arn":%q,"Code":"InvalidParameterException","Message":"ProtectionEnabled must be true or false"}}`, task.ARN)},
			{"PUT", `{"ProtectionEnabled":true,"ExpiresInMinutes":2881}`, 400, fmt.Sprintf(`{"error":{"Arn":%q,"Code":"InvalidParameterException","Message":"ExpiresInMinutes must be between 1 and 2880"}}`, task.ARN)},
		} {
			if code, body := ask(r, test.method, task, test.body); code != test.code || body != test.want {
				t.Errorf("%s %s = %d %s; want %d %s", test.method, test.body, code, body, test.code, test.want)
			}
		}
	})
}

func TestARefusedProtectionIsAnswered200WithAFailure(t *testing.T) {
	play(t, newDesk(1), &stage{}, func(r *Runner) {
		after(6 * time.Second)
		task := r.Tasks()[0]
		r.RefuseProtection(func(Task) *Failure { return &Failure{Reason: "DEPLOYMENT_BLOCKED"} })
		code, body := ask(r, http.MethodPut, task, `{"ProtectionEnabled":true}`)
		if want := fmt.Sprintf(`{"failure":{"Arn":%q,"Reason":"DEPLOYMENT_BLOCKED","Detail":""}}`, task.ARN); code != 200 || body != want {
			t.Errorf("PUT = %d %s, want 200 %s", code, body, want)
		}
		if r.Tasks()[0].Protected(time.Now()) {
			t.Error("the task is protected")
		}
	})
}

func TestATaskThatWasToldToStopCannotBeProtected(t *testing.T) {
	desk := newDesk(1)
	play(t, desk, &stage{deaf: true}, func(r *Runner) {
		after(6 * time.Second)
		desk.set(func(s *Service) { s.Desired = 0 })
		after(2 * time.Second)
		if _, body := ask(r, http.MethodPut, r.Tasks()[0], `{"ProtectionEnabled":true}`); !strings.Contains(body, "TASK_NOT_VALID") {
			t.Errorf("PUT = %s, want TASK_NOT_VALID", body)
		}
	})
}
