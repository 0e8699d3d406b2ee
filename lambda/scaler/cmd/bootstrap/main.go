// Command bootstrap is the Lambda function's main: it builds the AWS clients
// and hands each invocation to the scaler. Its settings are environment
// variables; a wrong one ends it before anything is touched.
package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"time"
	_ "time/tzdata" // schedules name time zones, and the runtime has no database of them

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	awsconfig "github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/ecs"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"github.com/rousehq/rouse/lambda/scaler"
)

func main() {
	s, err := build(context.Background())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	lambda.Start(s.Run) // what the schedule sends says nothing
}

func build(ctx context.Context) (*scaler.Scaler, error) {
	config, err := scaler.Parse(os.Getenv)
	if err != nil {
		return nil, fmt.Errorf("read settings: %w", err)
	}
	cloud, err := awsconfig.LoadDefaultConfig(ctx,
		awsconfig.WithRetryer(retryer),
		awsconfig.WithHTTPClient(httpClient(config.Concurrency)),
	)
	if err != nil {
		return nil, fmt.Errorf("load AWS configuration: %w", err)
	}
	clients := scaler.Clients{
		Table:    dynamodb.NewFromConfig(cloud),
		Queues:   sqs.NewFromConfig(cloud),
		Services: ecs.NewFromConfig(cloud),
		Metrics:  cloudwatch.NewFromConfig(cloud),
	}
	log := slog.New(slog.NewJSONHandler(os.Stdout, &slog.HandlerOptions{Level: config.Level()}))
	return scaler.New(config, clients, log, os.Stdout)
}

// retryer tries a call three times within the second: the next tick is the better retry.
func retryer() aws.Retryer {
	return retry.AddWithMaxBackoffDelay(retry.NewStandard(), 300*time.Millisecond)
}

// httpClient keeps a connection for each call that may be under way, where the
// default would close all but ten after each burst.
func httpClient(concurrency int) *awshttp.BuildableClient {
	return awshttp.NewBuildableClient().WithTransportOptions(func(t *http.Transport) {
		t.MaxIdleConnsPerHost = concurrency
	})
}
