package worker

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

const (
	// pollGrace is how long a receive that is under way may go on after the
	// signal to stop. SQS may be answering it at that moment, and an answer
	// nobody reads hides its messages for a whole visibility timeout. A poll
	// still unanswered after a second is one on an empty queue, and is cancelled.
	pollGrace = time.Second
	// receiveSlack is how much longer than its long poll a receive may take.
	receiveSlack = 10 * time.Second
)

type receiver interface {
	ReceiveMessage(context.Context, *sqs.ReceiveMessageInput, ...func(*sqs.Options)) (*sqs.ReceiveMessageOutput, error)
}

// receive asks for at most n messages, waiting for them.
func (c *claimer) receive(ctx context.Context, n int) ([]types.Message, error) {
	ctx, cancel := lingering(ctx, pollGrace)
	defer cancel()
	ctx, cancelTimeout := context.WithTimeout(ctx, time.Duration(c.config.WaitSeconds)*time.Second+receiveSlack)
	defer cancelTimeout()
	out, err := c.config.Clients.SQS.ReceiveMessage(ctx, &sqs.ReceiveMessageInput{
		QueueUrl:                    &c.config.QueueURL,
		MaxNumberOfMessages:         int32(n),
		WaitTimeSeconds:             int32(c.config.WaitSeconds),
		VisibilityTimeout:           int32(c.config.VisibilitySeconds),
		MessageAttributeNames:       []string{"All"},
		MessageSystemAttributeNames: []types.MessageSystemAttributeName{types.MessageSystemAttributeNameAll},
	})
	if err != nil {
		return nil, fmt.Errorf("receive: %w", err)
	}
	return out.Messages, nil
}

// lingering returns a context that is cancelled d after parent is done.
func lingering(parent context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(parent))
	stop := context.AfterFunc(parent, func() {
		if sleep(ctx, d) {
			cancel()
		}
	})
	return ctx, func() { stop(); cancel() }
}
