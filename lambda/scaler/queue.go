package scaler

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"github.com/rousehq/rouse/internal/policy"
)

// queueAPI is what the scaler needs of SQS: the queue's attributes, never its messages.
type queueAPI interface {
	GetQueueAttributes(context.Context, *sqs.GetQueueAttributesInput, ...func(*sqs.Options)) (*sqs.GetQueueAttributesOutput, error)
}

var _ queueAPI = (*sqs.Client)(nil)

var queueAttributes = []types.QueueAttributeName{
	types.QueueAttributeNameApproximateNumberOfMessages,
	types.QueueAttributeNameApproximateNumberOfMessagesNotVisible,
	types.QueueAttributeNameApproximateNumberOfMessagesDelayed,
	types.QueueAttributeNameDelaySeconds,
}

// queueView is what a tick saw of the queue.
type queueView struct {
	depth policy.Signal[policy.Queue]
	delay policy.Signal[float64]
}

// readQueue reads the depth of a queue. Either all three counts are known or none is.
func (v *invocation) readQueue(ctx context.Context, url string) (queueView, error) {
	ctx, cancel := v.call(ctx)
	defer cancel()
	out, err := v.clients.Queues.GetQueueAttributes(ctx, &sqs.GetQueueAttributesInput{QueueUrl: &url, AttributeNames: queueAttributes})
	if err != nil {
		return queueView{}, fmt.Errorf("read queue %s: %w", url, err)
	}
	view, err := parseQueue(out.Attributes)
	if err != nil {
		return view, fmt.Errorf("read queue %s: %w", url, err)
	}
	return view, nil
}

// parseQueue reads the attributes of a queue.
func parseQueue(attributes map[string]string) (queueView, error) {
	var counts [4]int
	var problems [4]error
	for i, name := range queueAttributes {
		counts[i], problems[i] = parseCount(attributes, string(name))
	}
	var view queueView
	if problems[3] == nil {
		view.delay = policy.Known(float64(counts[3]))
	}
	if err := errors.Join(problems[:3]...); err != nil {
		return view, err
	}
	view.depth = policy.Known(policy.Queue{Visible: counts[0], InFlight: counts[1], Delayed: counts[2]})
	return view, nil
}

// parseCount reads one attribute; missing, negative and no number are all unknown.
func parseCount(attributes map[string]string, name string) (int, error) {
	value, ok := attributes[name]
	if !ok {
		return 0, fmt.Errorf("attribute %s is missing", name)
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("attribute %s is %q, not a count", name, value)
	}
	return n, nil
}
