package memsqs_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"github.com/rousehq/rouse/localstack/memsqs"
)

// call makes one call without the SDK and returns the answer.
func call(client *http.Client, url, op, body string) []byte {
	r, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	r.Header.Set("X-Amz-Target", "AmazonSQS."+op)
	resp, err := client.Do(r)
	if err != nil {
		panic(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		panic(fmt.Sprintf("%s: %d %s %v", op, resp.StatusCode, answer, err))
	}
	return answer
}

func batchOf(queueURL, body string) string {
	var b bytes.Buffer
	b.WriteString(`{"QueueUrl":"` + queueURL + `","Entries":[`)
	for i := range 10 {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`{"Id":"` + strconv.Itoa(i) + `","MessageBody":"` + body + `"}`)
	}
	b.WriteString("]}")
	return b.String()
}

// BenchmarkHTTP sends, receives and deletes 256-byte messages in batches of ten over a real socket, with as many
// clients as GOMAXPROCS, without the SDK.
func BenchmarkHTTP(b *testing.B) {
	s, sdk := overHTTP(b)
	out, err := sdk.CreateQueue(b.Context(), &sqs.CreateQueueInput{QueueName: aws.String("jobs")})
	if err != nil {
		b.Fatal(err)
	}
	send := batchOf(*out.QueueUrl, strings.Repeat("x", 256))
	receive := `{"MaxNumberOfMessages":10,"QueueUrl":"` + *out.QueueUrl + `"}`
	host := strings.TrimSuffix(*out.QueueUrl, "/000000000000/jobs")
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			call(client, host, "SendMessageBatch", send)
			call(client, host, "DeleteMessageBatch", deletionOf(*out.QueueUrl, call(client, host, "ReceiveMessage", receive)))
		}
	})
	report(b, 10*int64(b.N))
	if c, err := s.Counts("jobs"); err != nil || c != (memsqs.Counts{}) {
		b.Errorf("left behind: %+v, %v", c, err)
	}
}

func deletionOf(queueURL string, received []byte) string {
	var r struct {
		Messages []struct{ ReceiptHandle string }
	}
	if err := json.Unmarshal(received, &r); err != nil {
		panic(err)
	}
	var b bytes.Buffer
	b.WriteString(`{"QueueUrl":"` + queueURL + `","Entries":[`)
	for i, m := range r.Messages {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`{"Id":"` + strconv.Itoa(i) + `","ReceiptHandle":"` + m.ReceiptHandle + `"}`)
	}
	b.WriteString("]}")
	return b.String()
}

// BenchmarkSDK does the same through the SDK's client. What counts is what was deleted, since the client may lose the
// answer to a receive and try again, which leaves the first answer's messages in flight.
func BenchmarkSDK(b *testing.B) {
	_, client := overHTTP(b)
	out, err := client.CreateQueue(b.Context(), &sqs.CreateQueueInput{QueueName: aws.String("jobs")})
	if err != nil {
		b.Fatal(err)
	}
	var entries []types.SendMessageBatchRequestEntry
	for i := range 10 {
		entries = append(entries, types.SendMessageBatchRequestEntry{
			Id: aws.String(strconv.Itoa(i)), MessageBody: aws.String(strings.Repeat("x", 256)),
		})
	}
	var deleted atomic.Int64
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			n, err := round(b, client, out.QueueUrl, entries)
			if err != nil {
				b.Error(err)
			}
			deleted.Add(n)
		}
	})
	report(b, deleted.Load())
}

// round sends, receives and deletes once, and returns how many messages it deleted.
func round(b *testing.B, client *sqs.Client, queue *string, entries []types.SendMessageBatchRequestEntry) (int64, error) {
	if _, err := client.SendMessageBatch(b.Context(), &sqs.SendMessageBatchInput{QueueUrl: queue, Entries: entries}); err != nil {
		return 0, err
	}
	got, err := client.ReceiveMessage(b.Context(), &sqs.ReceiveMessageInput{QueueUrl: queue, MaxNumberOfMessages: 10})
	if err != nil || len(got.Messages) == 0 {
		return 0, err
	}
	deletes := make([]types.DeleteMessageBatchRequestEntry, len(got.Messages))
	for i, m := range got.Messages {
		deletes[i] = types.DeleteMessageBatchRequestEntry{Id: entries[i].Id, ReceiptHandle: m.ReceiptHandle}
	}
	out, err := client.DeleteMessageBatch(b.Context(), &sqs.DeleteMessageBatchInput{QueueUrl: queue, Entries: deletes})
	if err != nil {
		return 0, err
	}
	return int64(len(out.Successful)), nil
}

// report prints the rate.
func report(b *testing.B, messages int64) {
	b.Helper()
	b.ReportMetric(float64(messages)/b.Elapsed().Seconds(), "msg/s")
}
