package main

import (
	"bufio"
	"context"
	"net"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"github.com/rousehq/rouse/localstack/memsqs"
)

// build compiles the command as the image has it.
func build(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "worker")
	command := exec.Command("go", "build", "-o", binary, ".")
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return binary
}

func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// The binary works on a queue with a command for each message, answers its health
// check, and exits 0 on SIGTERM.
func TestBinaryRunsACommandForEachMessage(t *testing.T) {
	binary := build(t)
	server := httptest.NewServer(memsqs.New(memsqs.Options{}))
	defer server.Close()
	client := sqs.New(sqs.Options{Region: "us-east-1", BaseEndpoint: &server.URL, Credentials: credentials.NewStaticCredentialsProvider("local", "local", "")})
	queue, err := client.CreateQueue(t.Context(), &sqs.CreateQueueInput{QueueName: aws.String("jobs")})
	if err != nil {
		t.Fatal(err)
	}
	for _, body := range []string{"one", "two"} {
		_, err := client.SendMessage(t.Context(), &sqs.SendMessageInput{
			QueueUrl: queue.QueueUrl, MessageBody: &body,
			MessageAttributes: map[string]types.MessageAttributeValue{"customer": {DataType: aws.String("String"), StringValue: aws.String("acme")}},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	environment := append(os.Environ(), "AWS_ENDPOINT_URL="+server.URL, "AWS_REGION=us-east-1", "AWS_ACCESS_KEY_ID=local", "AWS_SECRET_ACCESS_KEY=local",
		"ROUSE_WORKLOAD=reports", "ROUSE_QUEUE_URL="+*queue.QueueUrl, "WORKER_HTTP_ADDRESS="+freeAddress(t))
	worker := exec.CommandContext(t.Context(), binary, "exec", "--", "sh", "-c", `read -r body || true; echo "$body of $ROUSE_ATTRIBUTE_CUSTOMER"`)
	worker.Env = environment
	logs, err := worker.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := worker.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = worker.Process.Kill() }) // if it is not told to stop below
	seen := map[string]bool{"one of acme": false, "two of acme": false}
	lines := bufio.NewScanner(logs)
	for missing := len(seen); missing > 0 && lines.Scan(); {
		for want, already := range seen {
			if !already && strings.Contains(lines.Text(), `"line":"`+want+`"`) {
				seen[want] = true
				missing--
			}
		}
	}
	check := exec.Command(binary, "healthcheck")
	check.Env = environment
	if out, err := check.CombinedOutput(); err != nil {
		t.Errorf("healthcheck: %v\n%s", err, out)
	}
	_ = worker.Process.Signal(syscall.SIGTERM)
	for lines.Scan() { // to the end, so that the worker is not held up
	}
	if err := worker.Wait(); err != nil {
		t.Errorf("after SIGTERM: %v, want exit 0", err)
	}
	expectEmpty(t, client, *queue.QueueUrl)
}

func expectEmpty(t *testing.T, client *sqs.Client, queueURL string) {
	t.Helper()
	out, err := client.GetQueueAttributes(context.Background(), &sqs.GetQueueAttributesInput{QueueUrl: &queueURL, AttributeNames: []types.QueueAttributeName{"All"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"} {
		if out.Attributes[name] != "0" {
			t.Errorf("%s is %s, want 0", name, out.Attributes[name])
		}
	}
}

func TestMisuse(t *testing.T) {
	t.Setenv("WORKER_HTTP_ADDRESS", "")
	for _, row := range []struct {
		args []string
		want int
	}{
		{nil, 2}, {[]string{"serve"}, 2}, {[]string{"exec"}, 2}, {[]string{"exec", "true"}, 2}, {[]string{"exec", "--"}, 2},
		{[]string{"exec", "--", "no-such-command-anywhere"}, 2}, {[]string{"exec", "--", "true"}, 2}, // no settings
		{[]string{"healthcheck", "now"}, 2}, {[]string{"healthcheck"}, 1}, {[]string{"help"}, 0},
	} {
		if got := run(row.args); got != row.want {
			t.Errorf("worker %q exits %d, want %d", row.args, got, row.want)
		}
	}
}
