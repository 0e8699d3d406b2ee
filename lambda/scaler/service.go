package scaler

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ecs"
	"github.com/aws/aws-sdk-go-v2/service/ecs/types"
	"github.com/aws/smithy-go"

	"github.com/rousehq/rouse/internal/policy"
	"github.com/rousehq/rouse/internal/workload"
)

// serviceAPI is what the scaler needs of ECS.
type serviceAPI interface {
	DescribeServices(context.Context, *ecs.DescribeServicesInput, ...func(*ecs.Options)) (*ecs.DescribeServicesOutput, error)
	UpdateService(context.Context, *ecs.UpdateServiceInput, ...func(*ecs.Options)) (*ecs.UpdateServiceOutput, error)
}

var _ serviceAPI = (*ecs.Client)(nil)

// servicesPerCall is how many services DescribeServices takes.
const servicesPerCall = 10

// serviceView is what a tick saw of the service.
type serviceView struct {
	counts policy.Signal[policy.Service]
	tagged bool // for this workload
	events []types.ServiceEvent
}

// serviceBatches groups turns so that one call can describe the services of each group.
func serviceBatches(turns []*turn) [][]*turn {
	clusters := map[string][]*turn{}
	for _, t := range turns {
		clusters[t.document.Cluster] = append(clusters[t.document.Cluster], t)
	}
	var batches [][]*turn
	for _, members := range clusters {
		batches = slices.AppendSeq(batches, slices.Chunk(members, servicesPerCall))
	}
	return batches
}

// readServices reads the services of one batch, all of the same cluster. If
// one of them spoils the call for the others, each is read by itself.
func (v *invocation) readServices(ctx context.Context, batch []*turn) {
	out, err := v.describeServices(ctx, batch)
	switch {
	case err != nil && len(batch) > 1 && spoiledByOne(err):
		for _, t := range batch {
			v.readServices(ctx, []*turn{t})
		}
	case err != nil:
		for _, t := range batch {
			t.serviceErr = fmt.Errorf("describe service %s in cluster %s: %w", t.document.Service, t.document.Cluster, err)
		}
	default:
		for _, t := range batch {
			t.service, t.serviceErr = pickService(out, t.document)
		}
	}
}

func (v *invocation) describeServices(ctx context.Context, batch []*turn) (*ecs.DescribeServicesOutput, error) {
	ctx, cancel := v.call(ctx)
	defer cancel()
	var names []string
	for _, t := range batch {
		if !slices.Contains(names, t.document.Service) {
			names = append(names, t.document.Service)
		}
	}
	return v.clients.Services.DescribeServices(ctx, &ecs.DescribeServicesInput{
		Cluster:  &batch[0].document.Cluster,
		Services: names,
		Include:  []types.ServiceField{types.ServiceFieldTags},
	})
}

// spoiledByOne reports whether err may be due to a single service of the
// call: its name is not one, or the role may not see it.
func spoiledByOne(err error) bool {
	var answer smithy.APIError
	return errors.As(err, &answer) &&
		slices.Contains([]string{"InvalidParameterException", "AccessDeniedException"}, answer.ErrorCode())
}

// pickService finds a workload's service in the answer for its batch.
func pickService(out *ecs.DescribeServicesOutput, d workload.Document) (serviceView, error) {
	for _, s := range out.Services {
		if d.Service == aws.ToString(s.ServiceName) || d.Service == aws.ToString(s.ServiceArn) {
			return viewService(s, d)
		}
	}
	reason := "it is not in the answer"
	for _, f := range out.Failures {
		if lastElement(aws.ToString(f.Arn)) == lastElement(d.Service) {
			reason = strings.TrimSpace(aws.ToString(f.Reason) + " " + aws.ToString(f.Detail))
		}
	}
	return serviceView{}, fmt.Errorf("describe service %s in cluster %s: %s", d.Service, d.Cluster, reason)
}

// viewService reads what matters of a service.
func viewService(s types.Service, d workload.Document) (serviceView, error) {
	if status := aws.ToString(s.Status); status != "ACTIVE" {
		return serviceView{}, fmt.Errorf("describe service %s in cluster %s: its status is %q, must be ACTIVE", d.Service, d.Cluster, status)
	}
	if s.DesiredCount < 0 || s.RunningCount < 0 || s.PendingCount < 0 {
		return serviceView{}, fmt.Errorf("describe service %s in cluster %s: it has a negative count", d.Service, d.Cluster)
	}
	return serviceView{
		counts: policy.Known(policy.Service{
			Desired:   int(s.DesiredCount),
			Running:   int(s.RunningCount),
			Pending:   int(s.PendingCount),
			Deploying: deploying(s),
			Revision:  aws.ToString(s.TaskDefinition),
		}),
		tagged: tagged(s, d.Name),
		events: s.Events,
	}, nil
}

// deploying reports whether a deployment is in progress.
func deploying(s types.Service) bool {
	return len(s.Deployments) > 1 || slices.ContainsFunc(s.Deployments, func(d types.Deployment) bool {
		return d.RolloutState == types.DeploymentRolloutStateInProgress
	})
}

// tagged reports whether the service is marked as the workload's.
func tagged(s types.Service, name string) bool {
	return slices.ContainsFunc(s.Tags, func(tag types.Tag) bool {
		return aws.ToString(tag.Key) == workload.ServiceTag && aws.ToString(tag.Value) == name
	})
}

var startedTasks = regexp.MustCompile(`\bhas started (\d+) tasks?\b`)

// countStarts counts the tasks that the service says it started after since,
// and returns the time of its newest event. A service that tells no events at
// all leaves the count unknown.
func countStarts(events []types.ServiceEvent, since policy.Instant) (starts policy.Signal[int], newest policy.Instant) {
	newest = since
	count := 0
	for _, e := range events {
		at := policy.At(aws.ToTime(e.CreatedAt))
		if at <= since {
			continue
		}
		newest = max(newest, at)
		if match := startedTasks.FindStringSubmatch(aws.ToString(e.Message)); match != nil {
			n, _ := strconv.Atoi(match[1])
			count += n
		}
	}
	if len(events) == 0 {
		return policy.Signal[int]{}, newest
	}
	return policy.Known(count), newest
}

// lastElement returns what follows the last slash: the name at the end of an ARN.
func lastElement(s string) string { return s[strings.LastIndexByte(s, '/')+1:] }
