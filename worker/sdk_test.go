package worker_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"github.com/rousehq/rouse/localstack/memsqs"
	"github.com/rousehq/rouse/worker"
)

// bench is a worker with the real SDK client before an in-memory SQS, in a bubble.
type bench struct {
	*testing.T
	client *sqs.Client
	config worker.Config
}

func inBubble(t *testing.T, name string, f func(bench)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b := bench{T: t, client: memsqs.New(memsqs.Options{}).Client(), config: worker.Default()}
		b.config.Workload, b.config.HTTPAddress = "reports", ""
		b.config.QueueURL, b.config.DLQURL = b.queue(name), b.queue("dlq")
		b.config.Logger = slog.New(slog.DiscardHandler)
		b.config.Clients.SQS = b.client
		f(b)
	})
}

func (b bench) queue(name string) string {
	in := &sqs.CreateQueueInput{QueueName: aws.String(name)}
	if strings.HasSuffix(name, ".fifo") {
		in.Attributes = map[string]string{"FifoQueue": "true"}
	}
	out, err := b.client.CreateQueue(b.Context(), in)
	if err != nil {
		b.Fatal(err)
	}
	return *out.QueueUrl
}

func (b bench) send(in *sqs.SendMessageInput) {
	in.QueueUrl = &b.config.QueueURL
	if _, err := b.client.SendMessage(b.Context(), in); err != nil {
		b.Fatal(err)
	}
}

// run runs the worker for d of the bubble's time.
func (b bench) run(d time.Duration, h worker.HandlerFunc) {
	ctx, cancel := context.WithTimeout(b.Context(), d)
	defer cancel()
	if err := worker.Run(ctx, b.config, h); err != nil {
		b.Error(err)
	}
}

// left returns the visible and the in-flight messages of the queue.
func (b bench) left(queueURL string) string {
	out, err := b.client.GetQueueAttributes(b.Context(), &sqs.GetQueueAttributesInput{QueueUrl: &queueURL, AttributeNames: []types.QueueAttributeName{"All"}})
	if err != nil {
		b.Fatal(err)
	}
	return out.Attributes["ApproximateNumberOfMessages"] + "/" + out.Attributes["ApproximateNumberOfMessagesNotVisible"]
}

func TestLargestBodyAndBinaryAttributesReachTheHandlerAndTheDeadLetterQueue(t *testing.T) {
	inBubble(t, "jobs", func(b bench) {
		binary := []byte{0, 1, 254, 255}
		body := strings.Repeat("x", 1<<20-len("photoBinary.png")-len(binary))
		b.send(&sqs.SendMessageInput{MessageBody: &body, MessageAttributes: map[string]types.MessageAttributeValue{
			"photo": {DataType: aws.String("Binary.png"), BinaryValue: binary},
		}})
		b.run(5*time.Second, func(_ context.Context, m worker.Message) error {
			if m.Body != body || !bytes.Equal(m.Attributes["photo"].Binary, binary) {
				b.Error("the handler saw another message than was sent")
			}
			return worker.Permanent(errors.New("too large"))
		})
		if got := b.left(b.config.QueueURL) + " " + b.left(b.config.DLQURL); got != "0/0 1/0" {
			b.Errorf("queue and dead-letter queue hold %s, want 0/0 1/0", got)
		}
	})
}

func TestFailedJobsAreRetriedUntilTheySucceed(t *testing.T) {
	inBubble(t, "jobs", func(b bench) {
		b.send(&sqs.SendMessageInput{MessageBody: aws.String("x")})
		var counts []int
		b.run(5*time.Minute, func(_ context.Context, m worker.Message) error {
			counts = append(counts, m.ReceiveCount)
			if m.ReceiveCount < 4 {
				return errors.New("not yet")
			}
			return nil
		})
		if got := fmt.Sprint(counts); got != "[1 2 3 4]" {
			b.Errorf("receive counts were %s", got)
		}
		if got := b.left(b.config.QueueURL); got != "0/0" {
			b.Errorf("the queue holds %s", got)
		}
	})
}

func TestStopLeavesEveryUnfinishedMessageVisible(t *testing.T) {
	inBubble(t, "jobs", func(b bench) {
		b.config.PoolSize, b.config.DrainSeconds = 10, 1
		for range 25 {
			b.send(&sqs.SendMessageInput{MessageBody: aws.String("x")})
		}
		b.run(10*time.Second, func(ctx context.Context, _ worker.Message) error {
			<-ctx.Done()
			return ctx.Err()
		})
		if got := b.left(b.config.QueueURL); got != "25/0" {
			b.Errorf("the queue holds %s, want all 25 visible", got)
		}
	})
}

// On a FIFO queue the messages of a group run one after the other, in order,
// whatever the number of slots, and a failed one holds back its group.
func TestFIFOGroupsKeepTheirOrder(t *testing.T) {
	inBubble(t, "jobs.fifo", func(b bench) {
		b.config.DLQURL, b.config.PoolSize, b.config.RetryBaseSeconds = "", 10, 1
		for i := range 20 {
			b.send(&sqs.SendMessageInput{
				MessageBody: aws.String(fmt.Sprint(i / 2)), MessageGroupId: aws.String(fmt.Sprint("g", i%2)), MessageDeduplicationId: aws.String(fmt.Sprint(i)),
			})
		}
		var mu sync.Mutex
		order := map[string]string{}
		b.run(5*time.Minute, func(ctx context.Context, m worker.Message) error {
			time.Sleep(time.Second)
			if m.Body == "3" && m.ReceiveCount == 1 {
				return errors.New("once")
			}
			mu.Lock()
			defer mu.Unlock()
			order[m.GroupID] += m.Body
			return nil
		})
		if order["g0"] != "0123456789" || order["g1"] != "0123456789" {
			b.Errorf("the groups ran as %v", order)
		}
	})
}

// The adapters' requests as DynamoDB and the ECS agent see them.
func TestRecordsAndProtectionOverHTTP(t *testing.T) {
	var mu sync.Mutex
	seen := map[string]string{}
	beaten := make(chan struct{}) // closed by the first heartbeat
	beat := sync.OnceFunc(func() { close(beaten) })
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		switch r.URL.Path {
		case "/v4/task":
			_, _ = io.WriteString(w, `{"TaskARN":"arn:aws:ecs:eu-west-1:000000000000:task/c/t1"}`)
		case "/task-protection/v1/state":
			seen[r.Method+" protection"] += string(body)
			_, _ = io.WriteString(w, `{"protection":{"ProtectionEnabled":`+fmt.Sprint(strings.Contains(string(body), "true"))+`}}`)
		default:
			seen[r.Header.Get("X-Amz-Target")] += string(body)
			if strings.HasSuffix(r.Header.Get("X-Amz-Target"), ".PutItem") {
				beat()
			}
			w.Header().Set("Content-Type", "application/x-amz-json-1.0")
			_, _ = io.WriteString(w, "{}")
		}
	}))
	defer endpoint.Close()
	server := memsqs.New(memsqs.Options{})
	c := worker.Default()
	c.Clients.SQS = server.Client()
	queue, err := server.Client().CreateQueue(t.Context(), &sqs.CreateQueueInput{QueueName: aws.String("jobs")})
	if err != nil {
		t.Fatal(err)
	}
	c.Workload, c.QueueURL, c.HTTPAddress, c.Table, c.ResultTTLSeconds = "reports", *queue.QueueUrl, "127.0.0.1:0", "rouse", 60
	c.AgentURI, c.MetadataURI, c.Clients.HTTP = endpoint.URL, endpoint.URL+"/v4", endpoint.Client()
	c.Logger = slog.New(slog.DiscardHandler)
	c.Clients.DynamoDB = dynamodb.New(dynamodb.Options{
		Region: "us-east-1", BaseEndpoint: &endpoint.URL, Credentials: credentials.NewStaticCredentialsProvider("local", "local", ""),
	})
	if _, err := server.Client().SendMessage(t.Context(), &sqs.SendMessageInput{QueueUrl: queue.QueueUrl, MessageBody: aws.String("x")}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if err := worker.Run(ctx, c, worker.HandlerFunc(func(context.Context, worker.Message) error { <-beaten; cancel(); return nil })); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	for target, want := range map[string][]string{
		"PUT protection":               {`"ProtectionEnabled":true`, `"ExpiresInMinutes":60`, `"ProtectionEnabled":false`},
		"DynamoDB_20120810.PutItem":    {`"pk":{"S":"workload#reports"}`, `"sk":{"S":"worker#t1"}`, `expires_at`, `document`},
		"DynamoDB_20120810.UpdateItem": {`"pk":{"S":"result#reports"}`, `ADD #completions :one`, `\"task\":\"t1\"`},
		"DynamoDB_20120810.DeleteItem": {`"sk":{"S":"worker#t1"}`},
	} {
		for _, part := range want {
			if !strings.Contains(seen[target], part) {
				t.Errorf("%s was %s, want it to have %s", target, seen[target], part)
			}
		}
	}
}
