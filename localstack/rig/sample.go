package rig

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	dynamotypes "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/ecs"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"github.com/rousehq/rouse/internal/workload"
)

// Depth is the depth of a queue.
type Depth struct{ Visible, InFlight, Delayed int }

// Empty reports whether no message is left.
func (d Depth) Empty() bool { return d == Depth{} }

// Fleet is the ECS service's counts.
type Fleet struct{ Desired, Running, Pending int }

// Depth reads the queue.
func (r *Rig) Depth(ctx context.Context) (Depth, error) { return r.depth(ctx, r.Outputs.QueueURL) }

// Dead reads the dead-letter queue.
func (r *Rig) Dead(ctx context.Context) (Depth, error) { return r.depth(ctx, r.Outputs.DLQURL) }

func (r *Rig) depth(ctx context.Context, url string) (Depth, error) {
	names := []types.QueueAttributeName{
		types.QueueAttributeNameApproximateNumberOfMessages,
		types.QueueAttributeNameApproximateNumberOfMessagesNotVisible,
		types.QueueAttributeNameApproximateNumberOfMessagesDelayed,
	}
	out, err := r.SQS.GetQueueAttributes(ctx, &sqs.GetQueueAttributesInput{QueueUrl: &url, AttributeNames: names})
	if err != nil {
		return Depth{}, fmt.Errorf("read depth of %s: %w", url, err)
	}
	var counts [3]int
	for i, name := range names {
		if counts[i], err = strconv.Atoi(out.Attributes[string(name)]); err != nil {
			return Depth{}, fmt.Errorf("read depth of %s: %s: %w", url, name, err)
		}
	}
	return Depth{counts[0], counts[1], counts[2]}, nil
}

// Fleet reads the service.
func (r *Rig) Fleet(ctx context.Context) (Fleet, error) {
	out, err := r.ECS.DescribeServices(ctx, &ecs.DescribeServicesInput{Cluster: &r.Outputs.Cluster, Services: []string{r.Outputs.Service}})
	if err != nil {
		return Fleet{}, fmt.Errorf("describe service %s: %w", r.Outputs.Service, err)
	}
	if len(out.Services) != 1 {
		return Fleet{}, fmt.Errorf("describe service %s: %w", r.Outputs.Service, errors.New("not found"))
	}
	s := out.Services[0]
	return Fleet{int(s.DesiredCount), int(s.RunningCount), int(s.PendingCount)}, nil
}

// Results reads how often each job was completed, by message id.
func (r *Rig) Results(ctx context.Context) (map[string]int, error) {
	completions := make(map[string]int)
	pages := dynamodb.NewQueryPaginator(r.Dynamo, &dynamodb.QueryInput{
		TableName: &r.Outputs.Table, ConsistentRead: aws.Bool(true),
		KeyConditionExpression:   aws.String("#pk = :pk"),
		ExpressionAttributeNames: map[string]string{"#pk": workload.AttributePartition},
		ExpressionAttributeValues: map[string]dynamotypes.AttributeValue{
			":pk": &dynamotypes.AttributeValueMemberS{Value: workload.ResultPartitionKey(r.Name)},
		},
	})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, fmt.Errorf("read results: %w", err)
		}
		for _, item := range page.Items {
			job, _ := item[workload.AttributeSort].(*dynamotypes.AttributeValueMemberS)
			count, _ := item["completions"].(*dynamotypes.AttributeValueMemberN)
			if job == nil || count == nil {
				return nil, fmt.Errorf("read results: a record without %s or completions", workload.AttributeSort)
			}
			if completions[job.Value], err = strconv.Atoi(count.Value); err != nil {
				return nil, fmt.Errorf("read results: completions of %s: %w", job.Value, err)
			}
		}
	}
	return completions, nil
}
