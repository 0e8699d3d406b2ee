package lambdart

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// maxInvocations is how many invocations are remembered.
const maxInvocations = 10_000

// Options is what New builds a Runner from.
type Options struct {
	// Functions reads deployed functions, as *lambda.Client does. Required.
	Functions functionReader
	// Dir is an existing folder for unpacked code. Required.
	Dir string
	// Region is the functions' region.
	Region string
	// Environment is given to every function, below what it is configured with.
	Environment map[string]string
	// Output opens where an instance's output goes, by function name; nil drops it.
	Output func(function string) (io.WriteCloser, error)
	// Logger gets one line for each invocation; nil drops it.
	Logger *slog.Logger
}

// Invocation is the record of one invocation.
type Invocation struct {
	// Function is the function's name.
	Function string
	// RequestID is Lambda's name of the invocation.
	RequestID string
	// Start and Duration say when it ran and how long it took.
	Start    time.Time
	Duration time.Duration
	// Payload and Output are what went in and came out.
	Payload, Output []byte
	// Failed says that the function answered an error, crashed or ran out of time; Output says what.
	Failed bool
}

// ErrClosed is the error of an Invoke after Close.
var ErrClosed = errors.New("the runner is closed")

// Runner invokes functions. Its methods may be called concurrently.
type Runner struct {
	options Options

	mu          sync.Mutex
	functions   map[string]*function
	invocations []Invocation
	closed      bool
}

// New returns a Runner; Close ends what it has started.
func New(options Options) *Runner {
	if options.Logger == nil {
		options.Logger = slog.New(slog.DiscardHandler)
	}
	return &Runner{options: options, functions: make(map[string]*function)}
}

// Invoke runs a function, by name or ARN, and waits for its answer. The error is for an invocation that could not be
// made; a function's own failure is in the Invocation.
func (r *Runner) Invoke(ctx context.Context, name string, payload []byte) (Invocation, error) {
	f, err := r.function(shortName(name))
	if err != nil {
		return Invocation{}, err
	}
	d, err := describe(ctx, r.options.Functions, f.name)
	if err != nil {
		return Invocation{}, err
	}
	release, err := f.acquire(ctx, d.reserved)
	if err != nil {
		return Invocation{}, err
	}
	defer release()
	return r.invokeOn(ctx, f, d, payload)
}

// invokeOn gives the event to an instance; to another one if a warm one turns out to have ended meanwhile, as after a
// panic, which the Lambda library reports before it exits.
func (r *Runner) invokeOn(ctx context.Context, f *function, d *deployment, payload []byte) (Invocation, error) {
	for {
		instance, current, err := f.take(ctx, d, r)
		if err != nil {
			return Invocation{}, err
		}
		start, warm := time.Now(), instance.warm
		e := event{requestID: newRequestID(), arn: current.arn, deadline: start.Add(current.timeout), payload: payload}
		answer, end := instance.invoke(e, current.timeout)
		f.giveBack(instance, current, end)
		if end == untouched && warm {
			continue
		}
		invocation := Invocation{
			Function: current.name, RequestID: e.requestID, Start: start, Duration: time.Since(start),
			Payload: payload, Output: answer.output, Failed: answer.failed,
		}
		r.remember(invocation)
		return invocation, nil
	}
}

func (r *Runner) remember(invocation Invocation) {
	attributes := []any{"function", invocation.Function, "request_id", invocation.RequestID, "duration", invocation.Duration.String()}
	if invocation.Failed {
		r.options.Logger.Warn("invocation failed", append(attributes, "output", string(invocation.Output))...)
	} else {
		r.options.Logger.Debug("invocation", attributes...)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.invocations) == maxInvocations {
		r.invocations = slices.Delete(r.invocations, 0, maxInvocations/4)
	}
	r.invocations = append(r.invocations, invocation)
}

// Invocations are the latest invocations of all functions, in the order of their end.
func (r *Runner) Invocations() []Invocation {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.invocations)
}

// Close kills all instances, busy ones too. It returns when they are gone.
func (r *Runner) Close() {
	r.mu.Lock()
	r.closed = true
	functions := slices.Collect(maps.Values(r.functions))
	r.mu.Unlock()
	var wg sync.WaitGroup
	for _, f := range functions {
		wg.Go(f.close)
	}
	wg.Wait()
}

func (r *Runner) function(name string) (*function, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil, fmt.Errorf("invoke %s: %w", name, ErrClosed)
	}
	if r.functions[name] == nil {
		r.functions[name] = newFunction(name)
	}
	return r.functions[name], nil
}

// shortName takes the name out of an ARN, with or without a qualifier.
func shortName(name string) string {
	if _, after, ok := strings.Cut(name, ":function:"); ok {
		name = after
	}
	name, _, _ = strings.Cut(name, ":")
	return name
}

func newRequestID() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b) // never fails
	h := hex.EncodeToString(b)
	return strings.Join([]string{h[:8], h[8:12], h[12:16], h[16:20], h[20:]}, "-")
}
