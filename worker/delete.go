package worker

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

// callTimeout bounds one call of a service, its retries included.
const callTimeout = 10 * time.Second

type deleter interface {
	DeleteMessageBatch(context.Context, *sqs.DeleteMessageBatchInput, ...func(*sqs.Options)) (*sqs.DeleteMessageBatchOutput, error)
}

// deletes acknowledges finished messages, in batches. Their leases are renewed
// until they are deleted, and a message whose lease was lost meanwhile is left alone.
type deletes struct {
	api      deleter
	queueURL string
	leases   *leases
	metrics  *metrics
	log      *slog.Logger
	batches  *batcher[*delivery]
}

func newDeletes(api deleter, queueURL string, l *leases, m *metrics, log *slog.Logger) *deletes {
	d := &deletes{api: api, queueURL: queueURL, leases: l, metrics: m, log: log}
	d.batches = newBatcher(d.call, d.abandon)
	return d
}

// put hands over a message to delete.
func (d *deletes) put(done *delivery) { d.batches.add(done) }

func (d *deletes) call(ctx context.Context, batch []*delivery) ([]*delivery, error) {
	batch = d.held(batch)
	if len(batch) == 0 {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	out, err := d.api.DeleteMessageBatch(ctx, &sqs.DeleteMessageBatchInput{QueueUrl: &d.queueURL, Entries: deleteEntries(batch)})
	if err != nil {
		return batch, fmt.Errorf("delete %d messages: %w", len(batch), err)
	}
	return d.settle(batch, answers(len(batch), out.Failed))
}

// held leaves out the messages that are no longer this worker's to delete.
func (d *deletes) held(batch []*delivery) []*delivery {
	var held []*delivery
	for _, m := range batch {
		if d.leases.holds(m) {
			held = append(held, m)
		}
	}
	return held
}

func deleteEntries(batch []*delivery) []types.DeleteMessageBatchRequestEntry {
	entries := make([]types.DeleteMessageBatchRequestEntry, len(batch))
	for i, m := range batch {
		entries[i] = types.DeleteMessageBatchRequestEntry{Id: aws.String(strconv.Itoa(i)), ReceiptHandle: &m.receipt}
	}
	return entries
}

// settle ends the leases of what was deleted, and returns what is to be tried again.
func (d *deletes) settle(batch []*delivery, answers []answer) (retry []*delivery, err error) {
	for i, a := range answers {
		switch {
		case a.gone:
			d.leases.lose(batch[i], "gone")
		case a.failed:
			retry = append(retry, batch[i])
			err = a.err("delete message")
		default:
			d.leases.forget(batch[i])
			d.metrics.deleted.Inc()
		}
	}
	return retry, err
}

// abandon leaves messages to come again although their jobs are done.
func (d *deletes) abandon(batch []*delivery, err error) {
	d.metrics.deleteFailures.Add(float64(len(batch)))
	for _, m := range batch {
		d.leases.forget(m)
		d.log.Error("delete failed", "message_id", m.ID, "receive_count", m.ReceiveCount, "error", err)
	}
}
