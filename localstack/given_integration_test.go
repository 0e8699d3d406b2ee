//go:build integration

package localstack_test

import (
	"os"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ecs"
	"github.com/aws/aws-sdk-go-v2/service/ecs/types"

	"github.com/rousehq/rouse/localstack"
	"github.com/rousehq/rouse/localstack/taskrunner"
)

// With AWS_ENDPOINT_URL set no endpoint is started, and the services that the
// given one holds are run all the same.
func TestTheEndpointThatIsGivenIsUsed(t *testing.T) {
	given, err := localstack.Start(t.Context(), localstack.Options{NoTerraform: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(given.Close)
	t.Setenv(localstack.EndpointVariable, given.Endpoint())
	worker := taskrunner.Program{Command: []string{os.Args[0]}, Environment: []string{"PART=worker"}}
	cloud, err := localstack.Start(t.Context(), localstack.Options{NoTerraform: true, NoContainers: true, Programs: map[string]taskrunner.Program{"given:1": worker}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cloud.Close)
	if cloud.Endpoint() != given.Endpoint() || cloud.API != nil || cloud.Queues != nil {
		t.Errorf("the endpoint is %s with an API of its own: %t, want %s", cloud.Endpoint(), cloud.API != nil, given.Endpoint())
	}
	serve(t, ecs.NewFromConfig(cloud.AWSConfig()), "given:1")
	deadline := time.Now().Add(30 * time.Second)
	for running := false; !running; time.Sleep(100 * time.Millisecond) {
		for _, task := range cloud.Tasks("jobs") {
			running = running || task.LastStatus == taskrunner.StatusRunning
		}
		if time.Now().After(deadline) {
			t.Fatalf("no task runs: %+v", cloud.Tasks())
		}
	}
}

// serve makes a service of one task.
func serve(t *testing.T, client *ecs.Client, image string) {
	t.Helper()
	if _, err := client.CreateCluster(t.Context(), &ecs.CreateClusterInput{ClusterName: aws.String("given")}); err != nil {
		t.Fatal(err)
	}
	_, err := client.RegisterTaskDefinition(t.Context(), &ecs.RegisterTaskDefinitionInput{
		Family: aws.String("jobs"), NetworkMode: types.NetworkModeAwsvpc, Cpu: aws.String("256"), Memory: aws.String("512"),
		ContainerDefinitions: []types.ContainerDefinition{{Name: aws.String("worker"), Image: &image, Essential: aws.Bool(true), StopTimeout: aws.Int32(5)}},
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = client.CreateService(t.Context(), &ecs.CreateServiceInput{
		Cluster: aws.String("given"), ServiceName: aws.String("jobs"), TaskDefinition: aws.String("jobs"), DesiredCount: aws.Int32(1), LaunchType: types.LaunchTypeFargate,
	})
	if err != nil {
		t.Fatal(err)
	}
}
