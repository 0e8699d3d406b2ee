package taskrunner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"
)

// Options is what New builds a Runner from. Source and Launcher are required; a zero duration means its default.
type Options struct {
	Source   Source
	Launcher Launcher
	// AgentURL is where Runner.Agent is served.
	AgentURL string
	// Environment is given to every task, below what its definition sets.
	Environment map[string]string
	// ListenVariables name variables that hold a listen address. On AWS each task has a network of its own; here they
	// share one, so each task gets a free loopback port in these, unless its definition sets them to "".
	ListenVariables []string
	// StartDelay is how long a task stays PENDING before its container starts, as provisioning does on AWS.
	StartDelay time.Duration
	// Poll is how often the services' definitions are read; 1 s by default.
	Poll time.Duration
	// CloseGrace bounds the stop of all tasks when Run ends; 3 s by default.
	CloseGrace time.Duration
	// Backoff spaces restarts; 1 s up to 60 s by default.
	Backoff Backoff
	// Output opens where a task's output goes; nil drops it.
	Output func(Task) (io.WriteCloser, error)
	// Logger gets what happens to tasks; nil drops it.
	Logger *slog.Logger
}

// maxHistory is how many stopped tasks are remembered.
const maxHistory = 10_000

// Runner keeps services' tasks running. All its methods may be called concurrently.
type Runner struct {
	options Options
	wake    chan struct{} // holds a token when something happened that may need a decision
	reading chan struct{} // holds a token while no Refresh runs
	hurry   chan struct{} // closed when stopping tasks may wait no longer
	lives   sync.WaitGroup

	mu       sync.Mutex
	rollouts map[string]*rollout // by service ARN
	tasks    []*task             // in order of creation
	refuse   func(Task) *Failure
	observe  func(Task)
	closed   bool
}

// task is the Runner's own record of a task, guarded by its lock.
type task struct {
	Task
	definition Definition
	told       chan struct{} // closed when the task is told to stop
	wasUp      bool          // has been up in the deployment's sense
}

// New returns a Runner; Run makes it work.
func New(options Options) *Runner {
	options.Poll = cmp.Or(options.Poll, time.Second)
	options.CloseGrace = cmp.Or(options.CloseGrace, 3*time.Second)
	options.Backoff = cmp.Or(options.Backoff, Backoff{Base: time.Second, Max: time.Minute})
	if options.Logger == nil {
		options.Logger = slog.New(slog.DiscardHandler)
	}
	r := &Runner{
		options:  options,
		wake:     make(chan struct{}, 1),
		reading:  make(chan struct{}, 1),
		hurry:    make(chan struct{}),
		rollouts: make(map[string]*rollout),
	}
	r.reading <- struct{}{}
	return r
}

// Run works until ctx ends, then stops every task and returns when none is left, after little more than CloseGrace.
// It can be called once.
func (r *Runner) Run(ctx context.Context) {
	defer r.shutdown()
	ticker := time.NewTicker(r.options.Poll)
	defer ticker.Stop()
	for ctx.Err() == nil {
		if err := r.Refresh(ctx); err != nil && ctx.Err() == nil {
			r.options.Logger.Warn("read services", "error", err.Error())
		}
		select {
		case <-ctx.Done():
		case <-ticker.C:
		case <-r.wake:
		}
	}
}

// Refresh reads the services' definitions and acts on them. When it returns, tasks that have to go are told so, and
// those that have to come are PENDING.
func (r *Runner) Refresh(ctx context.Context) error {
	select {
	case <-r.reading:
		defer func() { r.reading <- struct{}{} }()
	case <-ctx.Done():
		return ctx.Err()
	}
	services, err := r.options.Source.Services(ctx)
	if err != nil {
		return fmt.Errorf("list services: %w", err)
	}
	definitions, err := r.definitions(ctx, services)
	if err != nil {
		return err
	}
	return r.rollBack(ctx, r.act(services, definitions))
}

// definitions reads the task definitions of active services. One that cannot be read does not hold up the others.
func (r *Runner) definitions(ctx context.Context, services []Service) (map[string]Definition, error) {
	definitions := make(map[string]Definition)
	var problems []error
	for _, service := range services {
		if !service.Active {
			continue
		}
		definition, err := r.options.Source.Definition(ctx, service.TaskDefinition)
		if err != nil {
			problems = append(problems, fmt.Errorf("read task definition of service %s: %w", service.Name, err))
			continue
		}
		definitions[service.TaskDefinition] = definition
	}
	if len(definitions) == 0 {
		return definitions, errors.Join(problems...)
	}
	for _, problem := range problems {
		r.options.Logger.Warn("read services", "error", problem.Error())
	}
	return definitions, nil
}

// act adopts the definitions, carries out what plan says, and returns the services to be rolled back.
func (r *Runner) act(services []Service, definitions map[string]Definition) []*rollout {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil
	}
	now := time.Now()
	r.adopt(services, definitions, now)
	var failed []*rollout
	for _, arn := range slices.Sorted(maps.Keys(r.rollouts)) {
		rollout := r.rollouts[arn]
		r.reconcile(rollout, now)
		if rollout.rollBackTo() != "" {
			failed = append(failed, rollout)
		}
		if !rollout.service.Active && len(r.left(arn)) == 0 {
			delete(r.rollouts, arn)
		}
	}
	return failed
}

func (r *Runner) adopt(services []Service, definitions map[string]Definition, now time.Time) {
	listed := make(map[string]bool)
	for _, service := range services {
		definition, ok := definitions[service.TaskDefinition]
		listed[service.ARN] = service.Active
		if !service.Active || !ok {
			continue
		}
		if r.rollouts[service.ARN] == nil {
			r.rollouts[service.ARN] = &rollout{definitions: make(map[string]Definition)}
		}
		r.rollouts[service.ARN].adopt(service, definition, now)
	}
	for arn, rollout := range r.rollouts {
		rollout.service.Active = listed[arn]
	}
}

// reconcile carries out what plan says of one service.
func (r *Runner) reconcile(rollout *rollout, now time.Time) {
	verdict := plan(rollout.situation(r.alive(rollout.service.ARN), now), now)
	for _, victim := range verdict.stop {
		reason := fmt.Sprintf("Scaling activity initiated by (deployment %s)", rollout.primary().ID)
		r.tell(r.find(victim.ID), StopServiceScheduler, reason, now)
		rollout.say(now, fmt.Sprintf("has stopped 1 running tasks: (task %s).", victim.ID))
	}
	for range verdict.start {
		task := r.begin(rollout, now)
		rollout.say(now, fmt.Sprintf("has started 1 tasks: (task %s).", task.ID))
	}
	rollout.settle(r.left(rollout.service.ARN), now)
}

func (r *Runner) rollBack(ctx context.Context, failed []*rollout) error {
	for _, rollout := range failed {
		r.mu.Lock()
		service, target := rollout.service, rollout.rollBackTo()
		r.mu.Unlock()
		if err := r.options.Source.RollBack(ctx, service, target); err != nil {
			return fmt.Errorf("roll back service %s: %w", service.Name, err)
		}
	}
	return nil
}

// nudge has Run look again soon.
func (r *Runner) nudge() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// shutdown tells every task to stop and waits until all are gone.
func (r *Runner) shutdown() {
	r.mu.Lock()
	r.closed = true
	for _, task := range r.tasks {
		r.tell(task, StopServiceScheduler, "The local cloud is shutting down", time.Now())
	}
	r.mu.Unlock()
	timer := time.AfterFunc(r.options.CloseGrace, func() { close(r.hurry) })
	defer timer.Stop()
	r.lives.Wait()
}
