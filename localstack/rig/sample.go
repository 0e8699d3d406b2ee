package rig

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/ecs"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
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
