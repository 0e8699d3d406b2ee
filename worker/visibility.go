package worker

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

type visibilityChanger interface {
	ChangeMessageVisibilityBatch(context.Context, *sqs.ChangeMessageVisibilityBatchInput, ...func(*sqs.Options)) (*sqs.ChangeMessageVisibilityBatchOutput, error)
}

// visibility changes the visibility timeouts of messages of one queue.
type visibility struct {
	api      visibilityChanger
	queueURL string
}

// change asks for a message to become visible after a delay from now.
type change struct {
	*delivery
	delay time.Duration
}

// answer is what SQS says of one entry of a batch.
type answer struct {
	failed bool
	gone   bool // the message is no longer leased to this worker, or deleted
	code   string
	text   string
}

func (a answer) err(doing string) error {
	return fmt.Errorf("%s: %s: %s", doing, a.code, a.text)
}

// change makes one call for at most ten changes and returns an answer for each.
func (v visibility) change(ctx context.Context, changes []change) ([]answer, error) {
	if len(changes) == 0 {
		return nil, nil
	}
	entries := make([]types.ChangeMessageVisibilityBatchRequestEntry, len(changes))
	for i, c := range changes {
		entries[i] = types.ChangeMessageVisibilityBatchRequestEntry{
			Id: aws.String(strconv.Itoa(i)), ReceiptHandle: &c.receipt, VisibilityTimeout: seconds(c.delay),
		}
	}
	out, err := v.api.ChangeMessageVisibilityBatch(ctx, &sqs.ChangeMessageVisibilityBatchInput{QueueUrl: &v.queueURL, Entries: entries})
	if err != nil {
		return nil, fmt.Errorf("change visibility of %d messages: %w", len(changes), err)
	}
	return answers(len(changes), out.Failed), nil
}

// answers spreads the failed entries of a batch over all n of them.
func answers(n int, failed []types.BatchResultErrorEntry) []answer {
	all := make([]answer, n)
	for _, f := range failed {
		i, err := strconv.Atoi(aws.ToString(f.Id))
		if err != nil || i < 0 || i >= n {
			continue
		}
		code, text := aws.ToString(f.Code), aws.ToString(f.Message)
		all[i] = answer{failed: true, gone: isGone(code, text), code: code, text: text}
	}
	return all
}

// isGone reports whether an entry failed because its receipt is worth nothing
// any more. SQS says so with one of three codes, the third of which it also uses
// for a visibility beyond twelve hours.
func isGone(code, text string) bool {
	switch code[strings.LastIndexByte(code, '.')+1:] {
	case "ReceiptHandleIsInvalid", "MessageNotInflight":
		return true
	case "InvalidParameterValue":
		return !strings.Contains(text, "Total VisibilityTimeout")
	default:
		return false
	}
}
