package worker

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/rousehq/rouse/internal/policy"
	"github.com/rousehq/rouse/internal/workload"
)

const (
	// heartbeatGap is the least time between two writes of the record.
	heartbeatGap = time.Second
	// heartbeatLife is after how many intervals DynamoDB may remove the record of a task that died.
	heartbeatLife = 10
)

type heartbeatStore interface {
	PutItem(context.Context, *dynamodb.PutItemInput, ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error)
	DeleteItem(context.Context, *dynamodb.DeleteItemInput, ...func(*dynamodb.Options)) (*dynamodb.DeleteItemOutput, error)
}

// heartbeats keeps the task's record in the table. It is written every interval,
// and on each edge that the scaler should know of (ready, busy, idle, quiescing),
// though never more than once a second, so that its cost does not grow with the
// number of messages.
type heartbeats struct {
	api      heartbeatStore
	table    string
	workload string
	task     string
	interval time.Duration
	started  time.Time
	slots    *slots
	gate     *gate
	leases   *leases
	tally    *tally
	trouble  *episode
	edge     chan struct{}
}

// nudge asks for a write soon. It never blocks.
func (h *heartbeats) nudge() {
	select {
	case h.edge <- struct{}{}:
	default:
	}
}

// run writes until ctx is done.
func (h *heartbeats) run(ctx context.Context) {
	for {
		h.note(ctx, h.write(ctx))
		if !sleep(ctx, heartbeatGap) || !h.pause(ctx) {
			return
		}
	}
}

// pause waits for the next edge or the rest of the interval; false means ctx is done.
func (h *heartbeats) pause(ctx context.Context) bool {
	rest := time.NewTimer(h.interval - heartbeatGap)
	defer rest.Stop()
	select {
	case <-rest.C:
	case <-h.edge:
	case <-ctx.Done():
		return false
	}
	return true
}

func (h *heartbeats) note(ctx context.Context, err error) {
	if err == nil {
		h.trouble.succeeded()
	} else if ctx.Err() == nil {
		h.trouble.failed(err)
	}
}

// record says how the worker is at now.
func (h *heartbeats) record(now time.Time) workload.Heartbeat {
	state, _ := h.gate.state()
	completed, failed, service, wait := h.tally.take()
	return workload.Heartbeat{
		Task:            h.task,
		StartedAt:       policy.At(h.started),
		BeatAt:          policy.At(now),
		IntervalSeconds: int(h.interval / time.Second),
		Ready:           state != starting && state != unready,
		Quiescing:       state == quiescing || state == draining || state == exhausted,
		Busy:            h.slots.busy(),
		Slots:           h.slots.size,
		Completed:       completed,
		Failed:          failed,
		ServiceSeconds:  service,
		WaitSeconds:     wait,
		Groups:          h.leases.groups(),
	}
}

func (h *heartbeats) write(ctx context.Context) error {
	now := time.Now()
	document, err := json.Marshal(h.record(now))
	if err != nil {
		return fmt.Errorf("encode heartbeat: %w", err)
	}
	item := key(workload.PartitionKey(h.workload), workload.WorkerSortKey(h.task))
	item[workload.AttributeDocument] = text(string(document))
	item[workload.AttributeExpires] = unix(now.Add(heartbeatLife * h.interval))
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	if _, err := h.api.PutItem(ctx, &dynamodb.PutItemInput{TableName: &h.table, Item: item}); err != nil {
		return fmt.Errorf("write heartbeat: %w", err)
	}
	return nil
}

// remove takes the record away: the task is no more.
func (h *heartbeats) remove(ctx context.Context) error {
	_, err := h.api.DeleteItem(ctx, &dynamodb.DeleteItemInput{
		TableName: &h.table, Key: key(workload.PartitionKey(h.workload), workload.WorkerSortKey(h.task)),
	})
	if err != nil {
		return fmt.Errorf("remove heartbeat: %w", err)
	}
	return nil
}
