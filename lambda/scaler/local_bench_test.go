//go:build integration

package scaler

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	dynamotypes "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/ecs"
	ecstypes "github.com/aws/aws-sdk-go-v2/service/ecs/types"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"github.com/rousehq/rouse/internal/policy"
	"github.com/rousehq/rouse/internal/workload"
	"github.com/rousehq/rouse/localstack"
)

// BenchmarkTickOf100WorkloadsLocally runs the ticks of one invocation over 100
// workloads at zero against the local cloud: real queues, services and a table,
// whose double takes some milliseconds a call, one at a time.
func BenchmarkTickOf100WorkloadsLocally(b *testing.B) {
	cloud, err := localstack.Start(b.Context(), localstack.Options{NoTerraform: true, NoContainers: true})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(cloud.Close)
	config := cloud.AWSConfig()
	table, queues, services := dynamodb.NewFromConfig(config), sqs.NewFromConfig(config), ecs.NewFromConfig(config)
	makeTable(b, table)
	makeCluster(b, services)
	for i := range 100 {
		makeWorkload(b, fmt.Sprintf("w%02d-x", i), table, queues, services)
	}
	c := Default()
	c.Table = "rouse"
	s, err := New(c, Clients{Table: table, Queues: queues, Services: services, Metrics: cloudwatch.NewFromConfig(config)}, slog.New(slog.DiscardHandler), io.Discard)
	if err != nil {
		b.Fatal(err)
	}
	v := &invocation{Scaler: s, owner: "bench", leases: map[string]lease{}, failed: map[string]bool{}}
	v.config.TickSeconds = 60 // the double may be slow; what it took is the result
	for b.Loop() {
		v.tick(b.Context(), time.Now())
	}
	if summary, err := v.result(); err != nil || summary.Workloads != 100 {
		b.Fatalf("%+v: %v", summary, err)
	}
}

func makeTable(b *testing.B, client *dynamodb.Client) {
	b.Helper()
	text := func(name string) dynamotypes.AttributeDefinition {
		return dynamotypes.AttributeDefinition{AttributeName: &name, AttributeType: dynamotypes.ScalarAttributeTypeS}
	}
	keys := func(hash, sort string) []dynamotypes.KeySchemaElement {
		return []dynamotypes.KeySchemaElement{{AttributeName: &hash, KeyType: dynamotypes.KeyTypeHash}, {AttributeName: &sort, KeyType: dynamotypes.KeyTypeRange}}
	}
	_, err := client.CreateTable(b.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String("rouse"), BillingMode: dynamotypes.BillingModePayPerRequest,
		AttributeDefinitions: []dynamotypes.AttributeDefinition{
			text(workload.AttributePartition), text(workload.AttributeSort), text(workload.AttributeKind), text(workload.AttributeWorkload),
		},
		KeySchema: keys(workload.AttributePartition, workload.AttributeSort),
		GlobalSecondaryIndexes: []dynamotypes.GlobalSecondaryIndex{{
			IndexName: aws.String(workload.SpecIndex), KeySchema: keys(workload.AttributeKind, workload.AttributeWorkload),
			Projection: &dynamotypes.Projection{ProjectionType: dynamotypes.ProjectionTypeAll},
		}},
	})
	if err != nil {
		b.Fatal(err)
	}
}

func makeCluster(b *testing.B, client *ecs.Client) {
	b.Helper()
	_, err := client.CreateCluster(b.Context(), &ecs.CreateClusterInput{ClusterName: aws.String("c")})
	if err != nil {
		b.Fatal(err)
	}
	_, err = client.RegisterTaskDefinition(b.Context(), &ecs.RegisterTaskDefinitionInput{
		Family: aws.String("t"), ContainerDefinitions: []ecstypes.ContainerDefinition{{Name: aws.String("worker"), Image: aws.String("none"), Memory: aws.Int32(128)}},
	})
	if err != nil {
		b.Fatal(err)
	}
}

func makeWorkload(b *testing.B, name string, table *dynamodb.Client, queues *sqs.Client, services *ecs.Client) {
	b.Helper()
	queue, err := queues.CreateQueue(b.Context(), &sqs.CreateQueueInput{QueueName: &name})
	if err != nil {
		b.Fatal(err)
	}
	_, err = services.CreateService(b.Context(), &ecs.CreateServiceInput{
		Cluster: aws.String("c"), ServiceName: &name, TaskDefinition: aws.String("t"), DesiredCount: aws.Int32(0),
		Tags: []ecstypes.Tag{{Key: aws.String(workload.ServiceTag), Value: &name}},
	})
	if err != nil {
		b.Fatal(err)
	}
	d := workload.Document{Version: workload.DocumentVersion, Name: name, QueueURL: *queue.QueueUrl, Cluster: "c", Service: name, Policy: policy.Default()}
	d.Policy.ScaleToZero = true
	putSpec(b.Context(), b, table, d)
}

func putSpec(ctx context.Context, b *testing.B, table *dynamodb.Client, d workload.Document) {
	b.Helper()
	document, err := json.Marshal(d)
	if err != nil {
		b.Fatal(err)
	}
	item := map[string]dynamotypes.AttributeValue{}
	for attribute, value := range map[string]string{
		workload.AttributePartition: workload.PartitionKey(d.Name), workload.AttributeSort: workload.SortSpec,
		workload.AttributeKind: workload.KindSpec, workload.AttributeWorkload: d.Name, workload.AttributeDocument: string(document),
	} {
		item[attribute] = &dynamotypes.AttributeValueMemberS{Value: value}
	}
	if _, err := table.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("rouse"), Item: item}); err != nil {
		b.Fatal(err)
	}
}
