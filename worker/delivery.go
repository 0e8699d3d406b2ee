package worker

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

// delivery is one receive of one message: the message, the receipt that lets
// this worker decide over it, and the context that its job runs in.
type delivery struct {
	Message
	receipt  string
	received time.Time

	ctx    context.Context
	cancel context.CancelCauseFunc

	lease lease // belongs to leases and is guarded by its lock
}

func newDelivery(work context.Context, m types.Message, received time.Time) *delivery {
	d := &delivery{Message: newMessage(m), receipt: aws.ToString(m.ReceiptHandle), received: received}
	d.ctx, d.cancel = context.WithCancelCause(work)
	return d
}
