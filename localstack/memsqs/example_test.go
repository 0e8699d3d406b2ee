package memsqs_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"github.com/rousehq/rouse/localstack/memsqs"
)

// A server without a network: the SDK's client calls its handler.
func ExampleServer_Client() {
	ctx := context.Background()
	server := memsqs.New(memsqs.Options{})
	client := server.Client()

	queue, err := client.CreateQueue(ctx, &sqs.CreateQueueInput{QueueName: aws.String("jobs")})
	if err != nil {
		log.Fatal(err)
	}
	for _, body := range []string{"one", "two"} {
		if _, err := client.SendMessage(ctx, &sqs.SendMessageInput{QueueUrl: queue.QueueUrl, MessageBody: &body}); err != nil {
			log.Fatal(err)
		}
	}
	received, err := client.ReceiveMessage(ctx, &sqs.ReceiveMessageInput{QueueUrl: queue.QueueUrl})
	if err != nil {
		log.Fatal(err)
	}
	counts, _ := server.Counts("jobs")
	fmt.Printf("%s %+v\n", *received.Messages[0].Body, counts)
	// Output: one {Visible:1 InFlight:1 Delayed:0}
}

// A server for other programs: give them its address as AWS_ENDPOINT_URL_SQS.
func ExampleServer_ServeHTTP() {
	endpoint := httptest.NewServer(memsqs.New(memsqs.Options{Region: "eu-central-1"}))
	defer endpoint.Close()

	resp, err := http.Get(endpoint.URL)
	if err != nil {
		log.Fatal(err)
	}
	defer resp.Body.Close()
	fmt.Println(resp.StatusCode, resp.Header.Get("X-Amzn-Query-Error"))
	// Output: 400 AWS.SimpleQueueService.UnsupportedOperation;Sender
}

// Every third receive is slow and then fails, as one that was throttled.
func ExampleServer_SetFault() {
	server := memsqs.New(memsqs.Options{})
	calls := 0
	server.SetFault(func(op, queue string) *memsqs.Fault {
		if op != "ReceiveMessage" {
			return nil
		}
		if calls++; calls%3 != 0 {
			return nil
		}
		return &memsqs.Fault{Delay: time.Second, Err: memsqs.Throttled()}
	})
	// Output:
}
