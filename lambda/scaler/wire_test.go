package scaler

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	cwtypes "github.com/aws/aws-sdk-go-v2/service/cloudwatch/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/ecs"
	ecstypes "github.com/aws/aws-sdk-go-v2/service/ecs/types"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/smithy-go"
	"github.com/fxamacker/cbor/v2"
)

// wire serves a cloud in the services' own protocols, for the SDK's clients.
type wire struct {
	*cloud
	mu     sync.Mutex
	bodies map[string][]string // of the requests, by operation
	spoil  func(op string, w http.ResponseWriter) bool
}

func serve(t testing.TB, c *cloud) (*wire, Clients) {
	t.Helper()
	w := &wire{cloud: c, bodies: map[string][]string{}}
	server := httptest.NewServer(w)
	t.Cleanup(server.Close)
	config := aws.Config{
		Region:       "eu-west-1",
		Credentials:  credentials.NewStaticCredentialsProvider("id", "secret", ""),
		BaseEndpoint: &server.URL,
		HTTPClient:   awshttp.NewBuildableClient().WithTransportOptions(func(t *http.Transport) { t.MaxIdleConnsPerHost = 16 }),
		Retryer:      func() aws.Retryer { return retry.AddWithMaxBackoffDelay(retry.NewStandard(), time.Millisecond) },
	}
	return w, Clients{
		Table: dynamodb.NewFromConfig(config), Queues: sqs.NewFromConfig(config),
		Services: ecs.NewFromConfig(config), Metrics: cloudwatch.NewFromConfig(config),
	}
}

func (w *wire) ServeHTTP(answer http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	op := path.Base(r.URL.Path)
	if target := r.Header.Get("X-Amz-Target"); target != "" {
		op = target[strings.LastIndexByte(target, '.')+1:]
	}
	w.mu.Lock()
	w.bodies[op] = append(w.bodies[op], string(body))
	spoil := w.spoil
	w.mu.Unlock()
	if spoil != nil && spoil(op, answer) {
		return
	}
	out, err := w.dispatch(r.Context(), op, body)
	if err != nil {
		reply(answer, http.StatusBadRequest, failure(err))
		return
	}
	if op == "GetMetricData" {
		answer.Header().Set("Content-Type", "application/cbor")
		answer.Header().Set("Smithy-Protocol", "rpc-v2-cbor")
		encoded, _ := out.(cbor.RawMessage)
		_, _ = answer.Write(encoded)
		return
	}
	reply(answer, http.StatusOK, out)
}

func reply(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

func failure(err error) map[string]any {
	var conflict *types.ConditionalCheckFailedException
	if errors.As(err, &conflict) {
		return map[string]any{"__type": "com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException", "message": "the condition was not met", "Item": plain(conflict.Item)}
	}
	var api smithy.APIError
	if errors.As(err, &api) {
		return map[string]any{"__type": api.ErrorCode(), "message": api.ErrorMessage()}
	}
	return map[string]any{"__type": "InternalFailure", "message": err.Error()}
}

func (w *wire) dispatch(ctx context.Context, op string, body []byte) (any, error) {
	switch op {
	case "Query":
		return w.query(ctx, body)
	case "UpdateItem":
		return w.updateItem(ctx, body)
	case "GetQueueAttributes":
		var in sqs.GetQueueAttributesInput
		_ = json.Unmarshal(body, &in)
		out, err := w.GetQueueAttributes(ctx, &in)
		if err != nil {
			return nil, err
		}
		return map[string]any{"Attributes": out.Attributes}, nil
	case "DescribeServices":
		return w.describeServices(ctx, body)
	case "UpdateService":
		var in ecs.UpdateServiceInput
		_ = json.Unmarshal(body, &in)
		_, err := w.UpdateService(ctx, &in)
		return map[string]any{}, err
	case "GetMetricData":
		return w.getMetricData(ctx, body)
	}
	return nil, &smithy.GenericAPIError{Code: "UnknownOperationException", Message: op}
}

type plainItem = map[string]map[string]string

func plain(it item) plainItem {
	out := plainItem{}
	for name, value := range it {
		switch v := value.(type) {
		case *types.AttributeValueMemberS:
			out[name] = map[string]string{"S": v.Value}
		case *types.AttributeValueMemberN:
			out[name] = map[string]string{"N": v.Value}
		}
	}
	return out
}

func rich(p plainItem) item {
	out := item{}
	for name, value := range p {
		if s, ok := value["S"]; ok {
			out[name] = str(s)
		} else {
			out[name] = &types.AttributeValueMemberN{Value: value["N"]}
		}
	}
	return out
}

type tableRequest struct {
	IndexName                 *string
	Key                       plainItem
	ExclusiveStartKey         plainItem
	UpdateExpression          *string
	ConditionExpression       *string
	ExpressionAttributeNames  map[string]string
	ExpressionAttributeValues plainItem
}

func (w *wire) query(ctx context.Context, body []byte) (any, error) {
	var r tableRequest
	_ = json.Unmarshal(body, &r)
	in := &dynamodb.QueryInput{IndexName: r.IndexName, ExpressionAttributeValues: rich(r.ExpressionAttributeValues)}
	if r.ExclusiveStartKey != nil {
		in.ExclusiveStartKey = rich(r.ExclusiveStartKey)
	}
	out, err := w.Query(ctx, in)
	if err != nil {
		return nil, err
	}
	items := []plainItem{}
	for _, it := range out.Items {
		items = append(items, plain(it))
	}
	answer := map[string]any{"Items": items, "Count": len(items)}
	if out.LastEvaluatedKey != nil {
		answer["LastEvaluatedKey"] = plain(out.LastEvaluatedKey)
	}
	return answer, nil
}

func (w *wire) updateItem(ctx context.Context, body []byte) (any, error) {
	var r tableRequest
	_ = json.Unmarshal(body, &r)
	_, err := w.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		Key: rich(r.Key), UpdateExpression: r.UpdateExpression, ConditionExpression: r.ConditionExpression,
		ExpressionAttributeNames: r.ExpressionAttributeNames, ExpressionAttributeValues: rich(r.ExpressionAttributeValues),
	})
	return map[string]any{}, err
}

func (w *wire) describeServices(ctx context.Context, body []byte) (any, error) {
	var in ecs.DescribeServicesInput
	_ = json.Unmarshal(body, &in)
	out, err := w.DescribeServices(ctx, &in)
	if err != nil {
		return nil, err
	}
	services := []map[string]any{}
	for _, s := range out.Services {
		services = append(services, plainService(s))
	}
	failures := []map[string]any{}
	for _, f := range out.Failures {
		failures = append(failures, map[string]any{"arn": f.Arn, "reason": f.Reason})
	}
	return map[string]any{"services": services, "failures": failures}, nil
}

func plainService(s ecstypes.Service) map[string]any {
	events, tags, deployments := []any{}, []any{}, []any{}
	for _, e := range s.Events {
		events = append(events, map[string]any{"createdAt": float64(e.CreatedAt.UnixMilli()) / 1000, "message": e.Message})
	}
	for _, tag := range s.Tags {
		tags = append(tags, map[string]any{"key": tag.Key, "value": tag.Value})
	}
	for _, d := range s.Deployments {
		deployments = append(deployments, map[string]any{"status": d.Status, "rolloutState": d.RolloutState})
	}
	return map[string]any{
		"serviceName": s.ServiceName, "serviceArn": s.ServiceArn, "status": s.Status, "taskDefinition": s.TaskDefinition,
		"desiredCount": s.DesiredCount, "runningCount": s.RunningCount, "pendingCount": s.PendingCount,
		"events": events, "tags": tags, "deployments": deployments,
	}
}

func (w *wire) getMetricData(ctx context.Context, body []byte) (any, error) {
	var r struct {
		MetricDataQueries []struct {
			Id         string
			MetricStat struct {
				Metric struct {
					Dimensions []struct{ Name, Value string }
				}
			}
		}
	}
	if err := cbor.Unmarshal(body, &r); err != nil {
		return nil, err
	}
	in := &cloudwatch.GetMetricDataInput{}
	for _, q := range r.MetricDataQueries {
		in.MetricDataQueries = append(in.MetricDataQueries, cwtypes.MetricDataQuery{Id: aws.String(q.Id), MetricStat: &cwtypes.MetricStat{
			Metric: &cwtypes.Metric{Dimensions: []cwtypes.Dimension{{Value: aws.String(q.MetricStat.Metric.Dimensions[0].Value)}}}}})
	}
	out, err := w.GetMetricData(ctx, in)
	if err != nil {
		return nil, err
	}
	results := []map[string]any{}
	for _, result := range out.MetricDataResults {
		times := []any{}
		for _, at := range result.Timestamps {
			times = append(times, cbor.Tag{Number: 1, Content: float64(at.UnixMilli()) / 1000})
		}
		results = append(results, map[string]any{"Id": *result.Id, "StatusCode": string(result.StatusCode), "Timestamps": times, "Values": result.Values})
	}
	encoded, err := cbor.Marshal(map[string]any{"MetricDataResults": results})
	return cbor.RawMessage(encoded), err
}
