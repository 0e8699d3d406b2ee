package worker_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"github.com/rousehq/rouse/localstack/memsqs"
	"github.com/rousehq/rouse/worker"
)

// serveEnv makes the test binary serve an in-memory SQS instead of testing, so
// that a benchmark's own CPU time is the worker's alone.
const serveEnv = "ROUSE_BENCH_SERVE"

func TestMain(m *testing.M) {
	if os.Getenv(serveEnv) == "" {
		os.Exit(m.Run())
	}
	server := httptest.NewServer(memsqs.New(memsqs.Options{}))
	fmt.Println(server.URL)
	_, _ = io.Copy(io.Discard, os.Stdin) // until the benchmark ends
}

// BenchmarkThroughput moves b.N empty jobs over HTTP: by the runtime, and by the
// least that the SDK can do, which is to receive ten and to delete ten.
//
//	go test -run '^$' -bench Throughput -benchtime 20000x ./worker
func BenchmarkThroughput(b *testing.B) {
	b.Run("sdk-floor", func(b *testing.B) { measure(b, floor) })
	b.Run("worker", func(b *testing.B) { measure(b, runtime) })
}

// measure reports the rate of move and the CPU time of this process per message.
func measure(b *testing.B, move func(b *testing.B, client *sqs.Client, queueURL string)) {
	client := serveElsewhere(b)
	queueURL := filled(b, client, b.N)
	before := cpu(b)
	b.ResetTimer()
	move(b, client, queueURL)
	b.StopTimer()
	spent := cpu(b) - before
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "msg/s")
	b.ReportMetric(float64(spent.Microseconds())/float64(b.N), "cpu-µs/msg")
	b.ReportMetric(float64(b.N)/spent.Seconds(), "msg/s/core")
}

// floor runs as many loops as the worker has at most, so that both wait as little.
func floor(b *testing.B, client *sqs.Client, queueURL string) {
	var done atomic.Int64
	var loops sync.WaitGroup
	for range 8 {
		loops.Go(func() {
			for done.Load() < int64(b.N) {
				n, err := moveTen(b.Context(), client, queueURL)
				if err != nil {
					b.Error(err)
					return
				}
				done.Add(int64(n))
			}
		})
	}
	loops.Wait()
}

func moveTen(ctx context.Context, client *sqs.Client, queueURL string) (int, error) {
	out, err := client.ReceiveMessage(ctx, &sqs.ReceiveMessageInput{
		QueueUrl: &queueURL, MaxNumberOfMessages: 10, VisibilityTimeout: 60,
		MessageAttributeNames:       []string{"All"},
		MessageSystemAttributeNames: []types.MessageSystemAttributeName{types.MessageSystemAttributeNameAll},
	})
	if err != nil || len(out.Messages) == 0 {
		return 0, err
	}
	entries := make([]types.DeleteMessageBatchRequestEntry, len(out.Messages))
	for i, m := range out.Messages {
		entries[i] = types.DeleteMessageBatchRequestEntry{Id: aws.String(strconv.Itoa(i)), ReceiptHandle: m.ReceiptHandle}
	}
	_, err = client.DeleteMessageBatch(ctx, &sqs.DeleteMessageBatchInput{QueueUrl: &queueURL, Entries: entries})
	return len(entries), err
}

func runtime(b *testing.B, client *sqs.Client, queueURL string) {
	c := worker.Default()
	c.Workload, c.QueueURL, c.HTTPAddress, c.PoolSize, c.WaitSeconds = "bench", queueURL, "", 100, 0
	c.Logger = slog.New(slog.DiscardHandler)
	c.Clients.SQS = client
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	var done atomic.Int64
	err := worker.Run(ctx, c, worker.HandlerFunc(func(context.Context, worker.Message) error {
		if done.Add(1) == int64(b.N) {
			cancel()
		}
		return nil
	}))
	if err != nil {
		b.Fatal(err)
	}
	if n := left(b, client, queueURL); n != "0" {
		b.Fatalf("%s messages are left after %d jobs", n, done.Load())
	}
}

// serveElsewhere starts an in-memory SQS in a process of its own.
func serveElsewhere(b *testing.B) *sqs.Client {
	server := exec.Command(os.Args[0])
	server.Env = append(os.Environ(), serveEnv+"=1")
	stdin, err := server.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	stdout, err := server.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := server.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = stdin.Close(); _ = server.Wait() })
	url, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	return sqs.New(sqs.Options{
		Region: memsqs.DefaultRegion, BaseEndpoint: aws.String(strings.TrimSpace(url)),
		Credentials: credentials.NewStaticCredentialsProvider("local", "local", ""),
	})
}

// filled makes a queue of n messages and returns its URL.
func filled(b *testing.B, client *sqs.Client, n int) string {
	queue, err := client.CreateQueue(b.Context(), &sqs.CreateQueueInput{QueueName: aws.String("bench")})
	if err != nil {
		b.Fatal(err)
	}
	for sent := 0; sent < n; {
		var entries []types.SendMessageBatchRequestEntry
		for ; len(entries) < 10 && sent < n; sent++ {
			entries = append(entries, types.SendMessageBatchRequestEntry{Id: aws.String(strconv.Itoa(sent)), MessageBody: aws.String("job")})
		}
		if _, err := client.SendMessageBatch(b.Context(), &sqs.SendMessageBatchInput{QueueUrl: queue.QueueUrl, Entries: entries}); err != nil {
			b.Fatal(err)
		}
	}
	return *queue.QueueUrl
}

// left returns how many messages the queue has, visible or in flight.
func left(b *testing.B, client *sqs.Client, queueURL string) string {
	out, err := client.GetQueueAttributes(b.Context(), &sqs.GetQueueAttributesInput{
		QueueUrl: &queueURL, AttributeNames: []types.QueueAttributeName{"ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"},
	})
	if err != nil {
		b.Fatal(err)
	}
	visible, inFlight := out.Attributes["ApproximateNumberOfMessages"], out.Attributes["ApproximateNumberOfMessagesNotVisible"]
	if visible == "0" {
		return inFlight
	}
	return visible + " visible, " + inFlight
}

// cpu returns the user and system time that this process has used.
func cpu(b *testing.B) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
