package rig

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

// Job is a message to the demo's job.
type Job struct {
	// WorkMS is how long it takes in milliseconds, Exit its exit code.
	WorkMS int    `json:"work_ms"`
	Exit   int    `json:"exit"`
	Say    string `json:"say,omitempty"`
}

// Send sends jobs to the queue and returns their message ids, in order.
func (r *Rig) Send(ctx context.Context, jobs ...Job) ([]string, error) {
	var ids []string
	for batch := range slices.Chunk(jobs, 10) {
		entries := make([]types.SendMessageBatchRequestEntry, len(batch))
		for i, job := range batch {
			body, err := json.Marshal(job)
			if err != nil {
				return ids, fmt.Errorf("write job: %w", err)
			}
			entries[i] = types.SendMessageBatchRequestEntry{Id: aws.String(strconv.Itoa(i)), MessageBody: aws.String(string(body))}
		}
		sent, err := r.sendBatch(ctx, entries)
		if err != nil {
			return ids, err
		}
		ids = append(ids, sent...)
	}
	return ids, nil
}

func (r *Rig) sendBatch(ctx context.Context, entries []types.SendMessageBatchRequestEntry) ([]string, error) {
	out, err := r.SQS.SendMessageBatch(ctx, &sqs.SendMessageBatchInput{QueueUrl: &r.Outputs.QueueURL, Entries: entries})
	if err != nil {
		return nil, fmt.Errorf("send jobs: %w", err)
	}
	if len(out.Failed) > 0 {
		return nil, fmt.Errorf("send jobs: %d of %d refused: %s", len(out.Failed), len(entries), aws.ToString(out.Failed[0].Message))
	}
	ids := make([]string, len(entries))
	for _, sent := range out.Successful {
		i, err := strconv.Atoi(aws.ToString(sent.Id))
		if err != nil || i >= len(ids) {
			return nil, fmt.Errorf("send jobs: unexpected entry %q in the reply", aws.ToString(sent.Id))
		}
		ids[i] = aws.ToString(sent.MessageId)
	}
	return ids, nil
}
