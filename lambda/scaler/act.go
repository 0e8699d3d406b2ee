package scaler

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ecs"

	"github.com/rousehq/rouse/internal/policy"
	"github.com/rousehq/rouse/internal/workload"
)

// act carries the decision out. It writes nothing but the desired count.
func (v *invocation) act(ctx context.Context, t *turn) (policy.Outcome, error) {
	if !t.decision.Change {
		return policy.OutcomeNoop, nil
	}
	if end, ok := ctx.Deadline(); !ok || policy.At(end) > t.lease.until {
		return policy.OutcomeBlocked, leaseError{t.lease}
	}
	d := t.document
	if !t.service.tagged {
		return policy.OutcomeBlocked, fmt.Errorf("set desired count of service %s to %d: refused, because the service lacks the tag %s = %s: add it if this workload may scale the service",
			d.Service, t.decision.Target, workload.ServiceTag, d.Name)
	}
	return v.setDesired(ctx, t)
}

func (v *invocation) setDesired(ctx context.Context, t *turn) (policy.Outcome, error) {
	ctx, cancel := v.call(ctx)
	defer cancel()
	d := t.document
	_, err := v.clients.Services.UpdateService(ctx, &ecs.UpdateServiceInput{
		Cluster:      &d.Cluster,
		Service:      &d.Service,
		DesiredCount: aws.Int32(int32(t.decision.Target)),
	})
	if err != nil {
		return policy.OutcomeFailed, fmt.Errorf("set desired count of service %s to %d: %w", d.Service, t.decision.Target, err)
	}
	if service, _ := t.service.counts.Get(); t.decision.Target < service.Desired {
		return policy.OutcomeRemoved, nil
	}
	return policy.OutcomeAdded, nil
}
