// Package scaler is the shell around the control law: the scheduled function
// that sets the desired count of ECS services from the depth and the age of
// their queues. It decides nothing itself; internal/policy does.
//
// One invocation runs many ticks, on a fixed grid from its start to its
// deadline less a margin, so that a message is noticed within one tick although
// schedules fire only once a minute. One tick serves every workload of the table:
//
//	list      the names, from the index "specs"
//	load      each workload's records, by one consistent Query; take its lease
//	observe   queues one by one, services in batches of ten
//	measure   ages from CloudWatch, only where somebody works and messages wait
//	settle    decide (internal/policy), act (UpdateService), remember
//	report    one log line and one line of metrics for each workload
//
// Each step has its share of the tick's time, and each call a shorter one, so
// that what hangs for one workload leaves the others their turn. A workload
// that goes wrong is left as it is, the others go on, and the invocation ends
// with an error that names all that went wrong.
//
// Nothing is kept in memory from one tick to the next: what a tick must know of
// the previous one stands in the workload's state record. A scaler that dies
// between two ticks therefore decides like one that lives. The invariants:
//
//   - Only the holder of a workload's lease observes and acts for it. Every write
//     of the state record, lease or not, is conditional on the version that was
//     read and raises it, so two invocations can never both believe they hold it.
//   - A service is touched only if it carries the workload's tag, only in its
//     desired count, only if that differs, and only while the lease lasts for
//     longer than the call may take.
//   - State is saved after the action. What failed is remembered as failed, and
//     does not start a cool-down.
//   - What could not be read is unknown. Unknown is never zero, and a tick that
//     does not know the queue or the service changes nothing.
//   - No metric is on the way of the first message: at zero tasks CloudWatch is not asked.
//   - The desired count is read from ECS on each tick. What somebody else set is
//     adopted, and reported as a foreign writer if it goes on.
package scaler

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"
)

// Clients are the AWS services that a scaler speaks to. They must be safe for
// concurrent use, as the SDK's are, and bound their own retries.
type Clients struct {
	// Table is a *dynamodb.Client.
	Table tableAPI
	// Queues is a *sqs.Client.
	Queues queueAPI
	// Services is an *ecs.Client.
	Services serviceAPI
	// Metrics is a *cloudwatch.Client.
	Metrics metricAPI
}

// Scaler scales the workloads of one table. It holds no state of its own, so
// any number of scalers may run at the same time. Build it with New.
type Scaler struct {
	config  Config
	clients Clients
	log     *slog.Logger
	metrics io.Writer
}

// New returns a scaler. It logs to log and writes its metrics, one JSON
// document in the embedded metric format per line, to metrics. The error lists
// every problem of the configuration.
func New(config Config, clients Clients, log *slog.Logger, metrics io.Writer) (*Scaler, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	return &Scaler{config: config, clients: clients, log: log, metrics: metrics}, nil
}

// Summary is what one invocation did.
type Summary struct {
	// Ticks is how many ticks ran.
	Ticks int `json:"ticks"`
	// Workloads is how many workloads the last tick listed.
	Workloads int `json:"workloads"`
	// Changes is how often a desired count was set.
	Changes int `json:"changes"`
	// Failed names the workloads of which at least one tick failed.
	Failed []string `json:"failed,omitempty"`
}

// Run is one invocation: it ticks until the deadline of ctx less the margin,
// or until ctx is done, and gives its leases back. The error names every
// workload of which a tick failed; the reasons stand in the log.
func (s *Scaler) Run(ctx context.Context) (Summary, error) {
	v := &invocation{Scaler: s, owner: rand.Text(), leases: map[string]lease{}, failed: map[string]bool{}}
	working, cancel := s.beforeMargin(ctx)
	defer cancel()
	for now := range grid(working, s.config.tick(), s.config.least()) {
		v.tick(working, now)
	}
	v.release(ctx)
	return v.result()
}

// beforeMargin returns ctx with its deadline moved forward by the margin.
func (s *Scaler) beforeMargin(ctx context.Context) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, deadline.Add(-s.config.margin()))
}

// invocation is one call of Run. Only its own goroutine changes it.
type invocation struct {
	*Scaler
	owner   string    // of the leases, unique
	now     time.Time // of the tick
	names   []string  // the workloads last listed
	leases  map[string]lease
	summary Summary
	failed  map[string]bool
	listErr error
}

// result sums the invocation up.
func (v *invocation) result() (Summary, error) {
	v.summary.Workloads = len(v.names)
	v.summary.Failed = slices.Sorted(maps.Keys(v.failed))
	err := v.listErr
	if n := len(v.summary.Failed); n > 0 {
		err = errors.Join(err, fmt.Errorf("scale workloads: %d of %d had a failed tick: %s", n, len(v.names), strings.Join(v.summary.Failed, ", ")))
	}
	return v.summary, err
}

// stage returns the context of a step that must be over when share of the
// tick's time is.
func stage(ctx context.Context, now time.Time, share float64) (context.Context, context.CancelFunc) {
	end, _ := ctx.Deadline()
	return context.WithDeadline(ctx, now.Add(time.Duration(share*float64(end.Sub(now)))))
}
