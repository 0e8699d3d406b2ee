package schedule

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"
)

// maxFirings is how many firings are remembered.
const maxFirings = 10_000

// Schedule is a schedule as the endpoint has it.
type Schedule struct {
	// Key tells schedules apart: their ARN.
	Key        string
	Expression string
	Enabled    bool
	// Target is the ARN of a Lambda function.
	Target string
	// Input is the payload.
	Input []byte
}

// Source is where schedules are kept.
type Source interface {
	// Schedules are all of them.
	Schedules(ctx context.Context) ([]Schedule, error)
}

// Invoke runs a function and returns an error if it could not be invoked or if it failed.
type Invoke func(ctx context.Context, function string, payload []byte) error

// Options is what New builds a Runner from.
type Options struct {
	// Source and Invoke are required.
	Source Source
	Invoke Invoke
	// Poll is how often the schedules are read back; 1 s by default.
	Poll time.Duration
	// Logger gets schedules that cannot be read or fired; nil drops it.
	Logger *slog.Logger
}

// Firing is the record of one invocation by a schedule.
type Firing struct {
	Schedule string // key
	At       time.Time
	Duration time.Duration
	// Err says why the invocation failed; nil if it did not.
	Err error
}

// Runner fires schedules. Its methods may be called concurrently.
type Runner struct {
	options Options
	running sync.WaitGroup

	mu      sync.Mutex
	firings []Firing
	refused map[string]error // by key
}

// entry is a schedule that is being fired.
type entry struct {
	expression string
	period     time.Duration
	next       time.Time
}

// New returns a Runner; Run makes it work.
func New(options Options) *Runner {
	options.Poll = cmp.Or(options.Poll, time.Second)
	if options.Logger == nil {
		options.Logger = slog.New(slog.DiscardHandler)
	}
	return &Runner{options: options, refused: make(map[string]error)}
}

// Run fires schedules until ctx ends, and returns when the invocations under way have ended: Invoke gets ctx.
func (r *Runner) Run(ctx context.Context) {
	defer r.running.Wait()
	ticker := time.NewTicker(r.options.Poll)
	defer ticker.Stop()
	entries := make(map[string]*entry)
	for ctx.Err() == nil {
		schedules, err := r.options.Source.Schedules(ctx)
		switch {
		case err == nil:
			r.fireDue(ctx, entries, schedules, time.Now())
		case ctx.Err() == nil:
			r.options.Logger.Warn("read schedules", "error", err.Error())
		}
		select {
		case <-ctx.Done():
		case <-ticker.C:
		}
	}
}

// Firings are the latest firings in the order of their end.
func (r *Runner) Firings() []Firing {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.firings)
}

// Refused are the schedules that cannot be fired here, with the reason, by key.
func (r *Runner) Refused() map[string]error {
	r.mu.Lock()
	defer r.mu.Unlock()
	refused := make(map[string]error, len(r.refused))
	for key, err := range r.refused {
		refused[key] = err
	}
	return refused
}

// fireDue brings entries up to date with schedules, and fires those that are due.
func (r *Runner) fireDue(ctx context.Context, entries map[string]*entry, schedules []Schedule, now time.Time) {
	kept := make(map[string]bool)
	for _, s := range schedules {
		if !s.Enabled {
			continue
		}
		kept[s.Key] = true
		e := r.current(entries[s.Key], s, now)
		entries[s.Key] = e
		if e.period == 0 || now.Before(e.next) {
			continue
		}
		for !now.Before(e.next) { // periods missed while the machine slept are not made up for
			e.next = e.next.Add(e.period)
		}
		r.running.Go(func() { r.fire(ctx, s) })
	}
	for key := range entries {
		if !kept[key] {
			delete(entries, key)
		}
	}
}

// current is the entry of a schedule: the old one unless its expression changed.
func (r *Runner) current(old *entry, s Schedule, now time.Time) *entry {
	if old != nil && old.expression == s.Expression {
		return old
	}
	period, err := parseRate(s.Expression)
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.refused, s.Key)
	if err != nil {
		r.refused[s.Key] = err
		r.options.Logger.Error("schedule refused", "schedule", s.Key, "error", err.Error())
	}
	return &entry{expression: s.Expression, period: period, next: now}
}

func (r *Runner) fire(ctx context.Context, s Schedule) {
	start := time.Now()
	err := r.options.Invoke(ctx, s.Target, s.Input)
	if err != nil {
		r.options.Logger.Warn("scheduled invocation failed", "schedule", s.Key, "error", err.Error())
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.firings) == maxFirings {
		r.firings = slices.Delete(r.firings, 0, maxFirings/4)
	}
	r.firings = append(r.firings, Firing{Schedule: s.Key, At: start, Duration: time.Since(start), Err: err})
}
