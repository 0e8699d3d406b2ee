package scaler

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	cwtypes "github.com/aws/aws-sdk-go-v2/service/cloudwatch/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/ecs"
	ecstypes "github.com/aws/aws-sdk-go-v2/service/ecs/types"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/smithy-go"

	"github.com/rousehq/rouse/internal/policy"
	"github.com/rousehq/rouse/internal/workload"
)

// cloud is the four services in memory, with the semantics that the scaler
// relies on: conditional writes, pages, batches with failures of single entries.
type cloud struct {
	mu       sync.Mutex
	items    map[string]map[string]item // by pk and sk
	queues   map[string]map[string]string
	services map[string]*ecstypes.Service
	ages     map[string][]age // by queue name
	pageSize int
	calls    map[string]int
	updates  map[string][]int32 // the desired counts that UpdateService set, by service

	// fault, if not nil, is asked before each call: op is the operation, target what it is for.
	fault func(ctx context.Context, op, target string) error
}

type age struct {
	at      time.Time
	seconds float64
}

func newCloud() *cloud {
	return &cloud{
		items: map[string]map[string]item{}, queues: map[string]map[string]string{}, services: map[string]*ecstypes.Service{},
		ages: map[string][]age{}, pageSize: 1000, calls: map[string]int{}, updates: map[string][]int32{},
	}
}

// add sets a workload up: at zero tasks, with an empty queue.
func (c *cloud) add(t testing.TB, name string, edits ...func(*workload.Document)) {
	t.Helper()
	d := workload.Document{
		Version: workload.DocumentVersion, Name: name, QueueURL: "https://sqs.test/1/" + name,
		Cluster: "main", Service: name, SlotsPerTask: 4, Policy: policy.Default(),
	}
	d.Policy.ScaleToZero = true
	for _, edit := range edits {
		edit(&d)
	}
	body, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	c.put(name, workload.SortSpec, string(body))
	c.depth(name, 0, 0, 0)
	c.services[d.Service] = &ecstypes.Service{
		ServiceName: aws.String(d.Service), ServiceArn: aws.String("arn:aws:ecs:eu-west-1:1:service/main/" + d.Service),
		Status: aws.String("ACTIVE"), TaskDefinition: aws.String("jobs:1"),
		Tags:        []ecstypes.Tag{{Key: aws.String(workload.ServiceTag), Value: aws.String(name)}},
		Deployments: []ecstypes.Deployment{{Status: aws.String("PRIMARY"), RolloutState: ecstypes.DeploymentRolloutStateCompleted}},
	}
}

func (c *cloud) put(name, sort, body string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	pk := workload.PartitionKey(name)
	if c.items[pk] == nil {
		c.items[pk] = map[string]item{}
	}
	it := item{workload.AttributePartition: str(pk), workload.AttributeSort: str(sort), workload.AttributeDocument: str(body)}
	if sort == workload.SortSpec {
		it[workload.AttributeKind], it[workload.AttributeWorkload] = str(workload.KindSpec), str(name)
	}
	c.items[pk][sort] = it
}

func (c *cloud) depth(name string, visible, inFlight, delayed int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.queues["https://sqs.test/1/"+name] = map[string]string{
		"ApproximateNumberOfMessages":           fmt.Sprint(visible),
		"ApproximateNumberOfMessagesNotVisible": fmt.Sprint(inFlight),
		"ApproximateNumberOfMessagesDelayed":    fmt.Sprint(delayed),
		"DelaySeconds":                          "0",
	}
}

// count sets the counts of a service.
func (c *cloud) count(service string, desired, running int32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.services[service]
	s.DesiredCount, s.RunningCount, s.PendingCount = desired, running, max(0, desired-running)
}

func (c *cloud) desired(service string) int32 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.services[service].DesiredCount
}

func (c *cloud) set(service string) []int32 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.updates[service])
}

func (c *cloud) called(op string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.calls[op]
}

func (c *cloud) beat(h workload.Heartbeat, name string) {
	body, _ := json.Marshal(h)
	c.put(name, workload.WorkerSortKey(h.Task), string(body))
}

// begin counts a call and asks for a fault.
func (c *cloud) begin(ctx context.Context, op, target string) error {
	c.mu.Lock()
	c.calls[op]++
	fault := c.fault
	c.mu.Unlock()
	if fault != nil {
		if err := fault(ctx, op, target); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (c *cloud) Query(ctx context.Context, in *dynamodb.QueryInput, _ ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	pk, _ := readString(in.ExpressionAttributeValues, ":pk")
	if err := c.begin(ctx, "Query", pk); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	var found []item
	for _, partition := range slices.Sorted(maps.Keys(c.items)) {
		for _, sort := range slices.Sorted(maps.Keys(c.items[partition])) {
			it := c.items[partition][sort]
			if kind, _ := readString(it, workload.AttributeKind); partition == pk || in.IndexName != nil && kind == workload.KindSpec {
				found = append(found, maps.Clone(it))
			}
		}
	}
	return c.page(found, in.ExclusiveStartKey), nil
}

func (c *cloud) page(found []item, after item) *dynamodb.QueryOutput {
	place := func(it item) string {
		pk, _ := readString(it, workload.AttributePartition)
		sk, _ := readString(it, workload.AttributeSort)
		return pk + "\x00" + sk
	}
	found = slices.DeleteFunc(found, func(it item) bool { return after != nil && place(it) <= place(after) })
	out := &dynamodb.QueryOutput{Items: found}
	if len(found) > c.pageSize {
		out.Items = found[:c.pageSize]
		last := out.Items[c.pageSize-1]
		out.LastEvaluatedKey = item{workload.AttributePartition: last[workload.AttributePartition], workload.AttributeSort: last[workload.AttributeSort]}
	}
	return out
}

func (c *cloud) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	pk, _ := readString(in.Key, workload.AttributePartition)
	sk, _ := readString(in.Key, workload.AttributeSort)
	if err := c.begin(ctx, "UpdateItem", pk); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	old := c.items[pk][sk]
	version, _ := readInt(old, workload.AttributeVersion)
	seen, _ := readInt(in.ExpressionAttributeValues, ":seen")
	if version != seen || strings.Contains(*in.ConditionExpression, "attribute_not_exists") != (seen == 0) {
		return nil, &types.ConditionalCheckFailedException{Message: aws.String("the condition was not met"), Item: maps.Clone(old)}
	}
	next := maps.Clone(old)
	if next == nil {
		next = maps.Clone(in.Key)
	}
	for assignment := range strings.SplitSeq(strings.TrimPrefix(*in.UpdateExpression, "SET "), ", ") {
		name, value, _ := strings.Cut(assignment, " = ")
		next[in.ExpressionAttributeNames[name]] = in.ExpressionAttributeValues[value]
	}
	if c.items[pk] == nil {
		c.items[pk] = map[string]item{}
	}
	c.items[pk][sk] = next
	return &dynamodb.UpdateItemOutput{}, nil
}

func (c *cloud) GetQueueAttributes(ctx context.Context, in *sqs.GetQueueAttributesInput, _ ...func(*sqs.Options)) (*sqs.GetQueueAttributesOutput, error) {
	if err := c.begin(ctx, "GetQueueAttributes", *in.QueueUrl); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	attributes, ok := c.queues[*in.QueueUrl]
	if !ok {
		return nil, apiError("QueueDoesNotExist")
	}
	return &sqs.GetQueueAttributesOutput{Attributes: maps.Clone(attributes)}, nil
}

func (c *cloud) DescribeServices(ctx context.Context, in *ecs.DescribeServicesInput, _ ...func(*ecs.Options)) (*ecs.DescribeServicesOutput, error) {
	if err := c.begin(ctx, "DescribeServices", strings.Join(in.Services, " ")); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(in.Services) == 0 || len(in.Services) > servicesPerCall {
		return nil, apiError("InvalidParameterException")
	}
	out := &ecs.DescribeServicesOutput{}
	for _, name := range in.Services {
		s, ok := c.services[lastElement(name)]
		if !ok {
			out.Failures = append(out.Failures, ecstypes.Failure{Arn: aws.String("arn:aws:ecs:eu-west-1:1:service/main/" + lastElement(name)), Reason: aws.String("MISSING")})
			continue
		}
		out.Services = append(out.Services, *s)
	}
	return out, nil
}

func (c *cloud) UpdateService(ctx context.Context, in *ecs.UpdateServiceInput, _ ...func(*ecs.Options)) (*ecs.UpdateServiceOutput, error) {
	if err := c.begin(ctx, "UpdateService", *in.Service); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	s, ok := c.services[lastElement(*in.Service)]
	if !ok {
		return nil, apiError("ServiceNotFoundException")
	}
	s.DesiredCount = *in.DesiredCount
	s.PendingCount = max(0, s.DesiredCount-s.RunningCount)
	s.RunningCount = min(s.RunningCount, s.DesiredCount)
	c.updates[*in.Service] = append(c.updates[*in.Service], *in.DesiredCount)
	return &ecs.UpdateServiceOutput{}, nil
}

func (c *cloud) GetMetricData(ctx context.Context, in *cloudwatch.GetMetricDataInput, _ ...func(*cloudwatch.Options)) (*cloudwatch.GetMetricDataOutput, error) {
	if err := c.begin(ctx, "GetMetricData", fmt.Sprint(len(in.MetricDataQueries))); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	out := &cloudwatch.GetMetricDataOutput{}
	for _, q := range in.MetricDataQueries {
		r := cwtypes.MetricDataResult{Id: q.Id, StatusCode: cwtypes.StatusCodeComplete}
		for _, a := range c.ages[*q.MetricStat.Metric.Dimensions[0].Value] {
			r.Timestamps, r.Values = append(r.Timestamps, a.at), append(r.Values, a.seconds)
		}
		out.MetricDataResults = append(out.MetricDataResults, r)
	}
	return out, nil
}

func apiError(code string) error {
	return &smithy.GenericAPIError{Code: code, Message: "it is said", Fault: smithy.FaultClient}
}
