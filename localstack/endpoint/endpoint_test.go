package endpoint

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	cwtypes "github.com/aws/aws-sdk-go-v2/service/cloudwatch/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/smithy-go"
)

// double is an upstream that answers what a test says, by X-Amz-Target's operation or by path, and keeps the requests.
type double struct {
	mu      sync.Mutex
	answers map[string]string
	asked   map[string]string
}

func (d *double) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	_, name, ok := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	if !ok {
		name = r.Method + " " + r.URL.Path
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.asked[name] = string(body)
	w.Header().Set("Content-Type", jsonType)
	if strings.Contains(d.answers[name], "__type") || d.answers[name] == "" {
		w.WriteHeader(http.StatusBadRequest)
	}
	_, _ = io.WriteString(w, d.answers[name])
}

func (d *double) request(name string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.asked[name]
}

// serve puts an endpoint before a double and returns a client configuration for it.
func serve(t *testing.T, answers map[string]string, overlay func(*Endpoint) *Endpoint) (*Endpoint, *double, aws.Config) {
	t.Helper()
	upstream := &double{answers: answers, asked: make(map[string]string)}
	behind := httptest.NewServer(upstream)
	t.Cleanup(behind.Close)
	address, err := url.Parse(behind.URL)
	if err != nil {
		t.Fatal(err)
	}
	queues := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"QueueUrl":"served in memory"}`)
	})
	e := New(Options{Upstream: address, SQS: queues, Region: "us-east-1"})
	if overlay != nil {
		e = overlay(e)
	}
	front := httptest.NewServer(e)
	t.Cleanup(front.Close)
	return e, upstream, aws.Config{
		Region: "us-east-1", BaseEndpoint: aws.String(front.URL), RetryMaxAttempts: 1,
		Credentials: credentials.NewStaticCredentialsProvider("test", "test", ""),
	}
}

func TestQueuesAreServedInMemoryAndTheRestUpstream(t *testing.T) {
	e, _, config := serve(t, map[string]string{"ListTables": `{"TableNames":["fleet"]}`}, nil)
	queue, err := sqs.NewFromConfig(config).GetQueueUrl(t.Context(), &sqs.GetQueueUrlInput{QueueName: aws.String("jobs")})
	if err != nil || aws.ToString(queue.QueueUrl) != "served in memory" {
		t.Errorf("GetQueueUrl = %v, %v", queue, err)
	}
	tables, err := dynamodb.NewFromConfig(config).ListTables(t.Context(), &dynamodb.ListTablesInput{})
	if err != nil || len(tables.TableNames) != 1 {
		t.Errorf("ListTables = %v, %v", tables, err)
	}
	for service, operation := range map[string]string{"sqs": "GetQueueUrl", "dynamodb": "ListTables"} {
		if n := e.Recorder.Count(service, operation); n != 1 {
			t.Errorf("%d calls of %s %s recorded, want 1", n, service, operation)
		}
	}
	if calls := e.Recorder.Calls("dynamodb", ""); len(calls) != 1 || calls[0].Status != 200 || string(calls[0].Input) != "{}" {
		t.Errorf("calls = %+v, want one with its input", calls)
	}
}

func TestMetricsPassThroughCBOR(t *testing.T) {
	_, upstream, config := serve(t, map[string]string{
		"PutMetricData": `{}`,
		"GetMetricData": `{"MetricDataResults":[{"Id":"age","Label":"age","Timestamps":[1777896000],"Values":[5,2.5],"StatusCode":"Complete"}]}`,
		"ListMetrics":   `{"__type":"InvalidParameterValueException","message":"no"}`,
	}, nil)
	client := cloudwatch.NewFromConfig(config)
	at := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	for _, plain := range []bool{true, false} { // the SDK compresses large requests
		_, err := client.PutMetricData(t.Context(), &cloudwatch.PutMetricDataInput{
			Namespace:  aws.String("Rouse"),
			MetricData: []cwtypes.MetricDatum{{MetricName: aws.String("Desired"), Value: aws.Float64(3), Timestamp: &at}},
		}, func(o *cloudwatch.Options) { o.DisableRequestCompression = plain })
		if err != nil {
			t.Fatal(err)
		}
		if got, want := upstream.request("PutMetricData"), `{"MetricData":[{"MetricName":"Desired","Timestamp":1777896000,"Value":3}],"Namespace":"Rouse"}`; got != want {
			t.Errorf("upstream was asked %s, want %s", got, want)
		}
	}
	data, err := client.GetMetricData(t.Context(), &cloudwatch.GetMetricDataInput{StartTime: &at, EndTime: &at, MetricDataQueries: []cwtypes.MetricDataQuery{}})
	if err != nil {
		t.Fatal(err)
	}
	result := data.MetricDataResults[0]
	if !result.Timestamps[0].Equal(at) || result.Values[0] != 5 || result.Values[1] != 2.5 {
		t.Errorf("result = %+v", result)
	}
	_, err = client.ListMetrics(t.Context(), &cloudwatch.ListMetricsInput{})
	if failure := (smithy.APIError)(nil); !errors.As(err, &failure) || failure.ErrorCode() != "InvalidParameterValueException" {
		t.Errorf("err = %v, want the upstream's", err)
	}
}

func TestRefusalsComeInTheProtocolOfTheRequest(t *testing.T) {
	e, _, config := serve(t, map[string]string{"ListTables": `{}`}, nil)
	denied := Refusal{Status: 400, Code: "AccessDeniedException", Message: "no"}
	wantDenied := func(err error) {
		t.Helper()
		if failure := (smithy.APIError)(nil); !errors.As(err, &failure) || failure.ErrorCode() != denied.Code {
			t.Errorf("err = %v, want %s", err, denied.Code)
		}
	}
	e.Refuse("monitoring", "GetMetricData", -1, denied)
	_, err := cloudwatch.NewFromConfig(config).GetMetricData(t.Context(), &cloudwatch.GetMetricDataInput{
		StartTime: aws.Time(time.Now()), EndTime: aws.Time(time.Now()), MetricDataQueries: []cwtypes.MetricDataQuery{},
	})
	wantDenied(err)
	e.Refuse("sqs", "GetQueueUrl", -1, denied)
	_, err = sqs.NewFromConfig(config).GetQueueUrl(t.Context(), &sqs.GetQueueUrlInput{QueueName: aws.String("jobs")})
	wantDenied(err)
	e.Refuse("dynamodb", "ListTables", 1, denied)
	client := dynamodb.NewFromConfig(config)
	_, err = client.ListTables(t.Context(), &dynamodb.ListTablesInput{})
	wantDenied(err)
	if _, err = client.ListTables(t.Context(), &dynamodb.ListTablesInput{}); err != nil {
		t.Errorf("the second call failed too: %v", err)
	}
}

func TestIdentify(t *testing.T) {
	signed := func(service string) string {
		return "AWS4-HMAC-SHA256 Credential=test/20260504/us-east-1/" + service + "/aws4_request, SignedHeaders=host, Signature=0"
	}
	for _, test := range []struct {
		name, method, path, target, contentType, body, service, operation string
	}{
		{"JSON", "POST", "/", "AmazonSQS.SendMessage", "", "", "sqs", "SendMessage"},
		{"JSON of a service not listed", "POST", "/", "Other_2020.List", "", "", "other", "List"},
		{"a form", "POST", "/", "", "application/x-www-form-urlencoded; charset=utf-8", "Action=GetRole&Version=1", "other", "GetRole"},
		{"a function", "POST", "/2015-03-31/functions/tick/invocations", "", "", "", "lambda", "Invoke"},
		{"a function by ARN", "GET", "/2015-03-31/functions/arn:aws:lambda:r:1:function:tick", "", "", "", "lambda", "GetFunction"},
		{"another REST call", "GET", "/schedules/tick", "", "", "", "scheduler", "GET /schedules/tick"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := httptest.NewRequest(test.method, test.path, strings.NewReader(test.body))
			r.Header.Set("Authorization", signed(test.service))
			r.Header.Set("X-Amz-Target", test.target)
			r.Header.Set("Content-Type", test.contentType)
			if got := identify(r); got != (Target{Service: test.service, Operation: test.operation}) {
				t.Errorf("identify = %+v", got)
			}
			if body, _ := io.ReadAll(r.Body); string(body) != test.body {
				t.Errorf("the body is %q afterwards, want %q", body, test.body)
			}
		})
	}
}

// clocks are queues of known age.
type clocks map[string]time.Duration

func (c clocks) QueueNames() []string { return []string{"jobs", "gone"} }

func (c clocks) OldestAge(queue string) (time.Duration, error) {
	age, ok := c[queue]
	if !ok {
		return 0, errors.New("no such queue")
	}
	return age, nil
}

func TestAgesArePublishedForQueuesThatExist(t *testing.T) {
	e, upstream, _ := serve(t, map[string]string{"PutMetricData": "{}"}, nil)
	if err := e.publishAges(context.Background(), clocks{"jobs": 90 * time.Second}); err != nil {
		t.Fatal(err)
	}
	var input struct {
		Namespace  string
		MetricData []struct {
			MetricName string
			Value      float64
			Dimensions []struct{ Name, Value string }
		}
	}
	if err := json.Unmarshal([]byte(upstream.request("PutMetricData")), &input); err != nil {
		t.Fatal(err)
	}
	if len(input.MetricData) != 1 || input.Namespace != "AWS/SQS" {
		t.Fatalf("input = %+v, want one datum in AWS/SQS", input)
	}
	if datum := input.MetricData[0]; datum.Value != 90 || datum.MetricName != "ApproximateAgeOfOldestMessage" || datum.Dimensions[0].Value != "jobs" {
		t.Errorf("datum = %+v", datum)
	}
}
