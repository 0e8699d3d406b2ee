package scaler

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/rousehq/rouse/internal/policy"
	"github.com/rousehq/rouse/internal/workload"
)

// lease is the right to act for a workload, as its state record holds it. The
// version rises with every write of the record, whoever makes it; the version
// 0 means that there is no record.
type lease struct {
	version int64
	owner   string
	until   policy.Instant
}

// leaseSkew is how far the clocks of two scalers may be apart.
const leaseSkew = policy.Instant(1000)

// heldByOther reports whether somebody else than owner may act at now.
func (l lease) heldByOther(owner string, now policy.Instant) bool {
	return l.owner != owner && now < l.until+leaseSkew
}

// leaseError says that somebody else may act for the workload. That is how it
// should be while two invocations overlap, and no failure.
type leaseError struct{ holder lease }

func (e leaseError) Error() string {
	return fmt.Sprintf("lease held by %s until %s", e.holder.owner, e.holder.until.Time().Format(time.RFC3339))
}

// claim makes sure that the invocation holds the workload's lease to the end
// of the tick. A lease that still lasts is left as it is: remembering renews it.
func (v *invocation) claim(ctx context.Context, t *turn) error {
	now := policy.At(v.now)
	if t.lease.heldByOther(v.owner, now) {
		return leaseError{t.lease}
	}
	if t.lease.owner == v.owner && t.lease.until >= policy.At(v.now.Add(v.config.budget())) {
		return nil
	}
	return v.save(ctx, t, nil)
}

// save renews the lease and, if document is not nil, writes the state. It
// fails with a leaseError if the record is not the one that was read.
func (v *invocation) save(ctx context.Context, t *turn, document *string) error {
	next := lease{version: t.lease.version + 1, owner: v.owner, until: policy.At(v.now.Add(v.config.lease()))}
	if err := v.write(ctx, t.name, next, document); err != nil {
		return err
	}
	t.lease = next
	return nil
}

// release gives all leases back, so that the next invocation can start at
// once. It works on after ctx, for as long as the margin.
func (v *invocation) release(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), v.config.margin()*9/10)
	defer cancel()
	var tasks []func()
	for name, l := range v.leases {
		tasks = append(tasks, func() {
			err := v.write(ctx, name, lease{version: l.version + 1, owner: v.owner}, nil)
			if err != nil && !errors.As(err, new(leaseError)) {
				v.log.LogAttrs(ctx, slog.LevelWarn, "release", slog.String("workload", name), slog.String("error", err.Error()))
			}
		})
	}
	v.together(tasks)
}

// write writes the state record if its version is still the one before next's.
func (v *invocation) write(ctx context.Context, name string, next lease, document *string) error {
	ctx, cancel := v.call(ctx)
	defer cancel()
	_, err := v.clients.Table.UpdateItem(ctx, v.update(name, next, document))
	var conflict *types.ConditionalCheckFailedException
	switch {
	case err == nil:
		return nil
	case errors.As(err, &conflict):
		return conflictError(conflict, next)
	default:
		return fmt.Errorf("write state of workload %s: %w", name, err)
	}
}

func (v *invocation) update(name string, next lease, document *string) *dynamodb.UpdateItemInput {
	in := &dynamodb.UpdateItemInput{
		TableName:           &v.config.Table,
		Key:                 item{workload.AttributePartition: str(workload.PartitionKey(name)), workload.AttributeSort: str(workload.SortState)},
		UpdateExpression:    aws.String("SET #version = :next, #owner = :owner, #until = :until"),
		ConditionExpression: aws.String("attribute_not_exists(#version)"),
		ExpressionAttributeNames: map[string]string{
			"#version": workload.AttributeVersion, "#owner": workload.AttributeLeaseOwner, "#until": workload.AttributeLeaseUntil,
		},
		ExpressionAttributeValues:           item{":next": num(next.version), ":owner": str(next.owner), ":until": num(int64(next.until))},
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	}
	if next.version > 1 {
		in.ConditionExpression = aws.String("#version = :seen")
		in.ExpressionAttributeValues[":seen"] = num(next.version - 1)
	}
	if document != nil {
		*in.UpdateExpression += ", #document = :document"
		in.ExpressionAttributeNames["#document"] = workload.AttributeDocument
		in.ExpressionAttributeValues[":document"] = str(*document)
	}
	return in
}

// conflictError tells a lost race from a write of our own whose answer was
// lost and which the SDK therefore sent again: then the record is what we
// wrote, since nobody else writes with our name.
func conflictError(conflict *types.ConditionalCheckFailedException, next lease) error {
	found, err := readLease(conflict.Item)
	if err != nil {
		return err
	}
	if found == next {
		return nil
	}
	return leaseError{found}
}
