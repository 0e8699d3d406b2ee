package worker

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/rousehq/rouse/internal/policy"
	"github.com/rousehq/rouse/internal/workload"
)

type resultStore interface {
	UpdateItem(context.Context, *dynamodb.UpdateItemInput, ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error)
}

// results writes how a job ended, before its message is deleted. The attribute
// "completions" counts how often the job ended: more than 1 is a duplicate run.
// A result that cannot be written does not fail its job, since running every job
// again while the table is down would do more harm; it is counted and logged.
type results struct {
	api      resultStore
	table    string
	workload string
	task     string
	ttl      time.Duration
	metrics  *metrics
	trouble  *episode
}

// write does nothing on a nil receiver: no results are kept.
func (r *results) write(ctx context.Context, d *delivery, outcome workload.Outcome, reason string, took time.Duration) {
	if r == nil {
		return
	}
	now := time.Now()
	err := r.update(ctx, workload.Result{
		Job: d.ID, Outcome: outcome, Reason: truncate(reason, maxReason), Task: r.task,
		ReceiveCount: d.ReceiveCount, FinishedAt: policy.At(now), Seconds: took.Seconds(),
	}, now.Add(r.ttl))
	if err != nil {
		r.metrics.resultFailures.Inc()
		r.trouble.failed(err)
		return
	}
	r.trouble.succeeded()
}

func (r *results) update(ctx context.Context, result workload.Result, expires time.Time) error {
	document, err := json.Marshal(result)
	if err != nil {
		return fmt.Errorf("encode result of %s: %w", result.Job, err)
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	_, err = r.api.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName:                &r.table,
		Key:                      key(workload.ResultPartitionKey(r.workload), result.Job),
		UpdateExpression:         aws.String("SET #document = :document, #expires = :expires ADD #completions :one"),
		ExpressionAttributeNames: map[string]string{"#document": workload.AttributeDocument, "#expires": workload.AttributeExpires, "#completions": "completions"},
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":document": text(string(document)), ":expires": unix(expires), ":one": &types.AttributeValueMemberN{Value: "1"},
		},
	})
	if err != nil {
		return fmt.Errorf("write result of %s: %w", result.Job, err)
	}
	return nil
}

func key(partition, sort string) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{workload.AttributePartition: text(partition), workload.AttributeSort: text(sort)}
}

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

func unix(t time.Time) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(t.Unix(), 10)}
}
