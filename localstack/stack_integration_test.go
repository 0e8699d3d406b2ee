//go:build integration

package localstack_test

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	lambdago "github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	cwtypes "github.com/aws/aws-sdk-go-v2/service/cloudwatch/types"
	"github.com/aws/aws-sdk-go-v2/service/ecs"
	"github.com/aws/aws-sdk-go-v2/service/ecs/types"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"github.com/rousehq/rouse/localstack"
	"github.com/rousehq/rouse/localstack/taskrunner"
	"github.com/rousehq/rouse/localstack/terraform"
)

// TestMain lets the test binary be the function's bootstrap and the worker.
func TestMain(m *testing.M) {
	switch {
	case os.Getenv("AWS_LAMBDA_RUNTIME_API") != "":
		lambdago.Start(func(context.Context) (string, error) { return os.Getenv("GREETING"), nil })
	case os.Getenv("PART") == "worker" && os.Args[1] == "healthcheck":
		os.Exit(0)
	case os.Getenv("PART") == "worker":
		stop := make(chan os.Signal, 1)
		signal.Notify(stop, syscall.SIGTERM)
		<-stop
	default:
		os.Exit(m.Run())
	}
}

// stack is the fixture, applied to a cloud of its own.
type stack struct {
	cloud *localstack.Cloud
	tf    *terraform.Stack
	vars  map[string]any
	ecs   *ecs.Client
}

func newStack(t *testing.T, queues bool) *stack {
	t.Helper()
	worker := taskrunner.Program{Command: []string{os.Args[0]}, Environment: []string{"PART=worker"}, Files: map[string]string{"/worker": os.Args[0]}}
	cloud, err := localstack.Start(t.Context(), localstack.Options{
		Programs:   map[string]taskrunner.Program{"fleet-worker:1": worker, "fleet-worker:2": worker},
		StartDelay: time.Second,
		AgePeriod:  time.Second,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cloud.Close)
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/stack")); err != nil {
		t.Fatal(err)
	}
	tf, err := cloud.Stack(terraform.Options{Dir: dir, Progress: t.Output()})
	if err != nil {
		t.Fatal(err)
	}
	if err := tf.Init(t.Context()); err != nil {
		t.Fatal(err)
	}
	return &stack{cloud: cloud, tf: tf, ecs: ecs.NewFromConfig(cloud.AWSConfig()), vars: map[string]any{
		"function_zip": functionZip(t),
		"architecture": map[string]string{"amd64": "x86_64", "arm64": "arm64"}[runtime.GOARCH],
		"queues":       queues,
	}}
}

func functionZip(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "function.zip")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	archive := zip.NewWriter(file)
	bootstrap, err := archive.Create("bootstrap")
	if err == nil {
		_, err = fmt.Fprintf(bootstrap, "#!/bin/sh\nexec %q\n", os.Args[0])
	}
	if err = errors.Join(err, archive.Close(), file.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

func (s *stack) apply(t *testing.T) {
	t.Helper()
	if err := s.tf.Apply(t.Context(), s.vars); err != nil {
		t.Fatal(err)
	}
}

func (s *stack) wantEmptyPlan(t *testing.T) {
	t.Helper()
	plan, err := s.tf.Plan(t.Context(), s.vars)
	if err != nil {
		t.Fatal(err)
	}
	if !plan.Empty() {
		t.Errorf("the plan after an apply is not empty:\n%s", strings.Join(plan.Changes, "\n"))
	}
}

func (s *stack) service(t *testing.T) types.Service {
	t.Helper()
	output, err := s.ecs.DescribeServices(t.Context(), &ecs.DescribeServicesInput{Cluster: aws.String("fleet"), Services: []string{"worker"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(output.Services) != 1 {
		t.Fatalf("%d services, want 1", len(output.Services))
	}
	return output.Services[0]
}

func (s *stack) scale(t *testing.T, desired int32) {
	t.Helper()
	_, err := s.ecs.UpdateService(t.Context(), &ecs.UpdateServiceInput{Cluster: aws.String("fleet"), Service: aws.String("worker"), DesiredCount: &desired})
	if err != nil {
		t.Fatal(err)
	}
}

// eventually waits for what real processes bring about.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.After(30 * time.Second); !holds(); {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("not within 30 s: %s", what)
		}
	}
}

// The AWS provider creates the whole stack, reads it back unchanged, changes it and destroys it, while functions and
// tasks really run.
func TestTheStackLivesOnTheLocalCloud(t *testing.T) {
	s := newStack(t, true)
	s.apply(t)
	s.wantEmptyPlan(t)

	eventually(t, "the schedule invokes the function", func() bool { return len(s.cloud.Invocations("fleet-tick")) > 0 })
	if invocation := s.cloud.Invocations("fleet-tick")[0]; invocation.Failed || string(invocation.Output) != `"hello"` {
		t.Errorf("invocation = %s, failed %v; want hello", invocation.Output, invocation.Failed)
	}
	s.checkInvoke(t)
	s.checkAge(t)
	s.checkTasks(t)
	s.checkDeployment(t)

	if err := s.tf.Destroy(t.Context(), s.vars); err != nil {
		t.Fatal(err)
	}
	for _, task := range s.cloud.Tasks() {
		if task.LastStatus != taskrunner.StatusStopped || task.Killed {
			t.Errorf("task %s is %s, killed %v; want stopped, never killed", task.ID, task.LastStatus, task.Killed)
		}
	}
}

func (s *stack) checkInvoke(t *testing.T) {
	t.Helper()
	output, err := lambda.NewFromConfig(s.cloud.AWSConfig()).Invoke(t.Context(), &lambda.InvokeInput{FunctionName: aws.String("fleet-tick")})
	if err != nil {
		t.Fatal(err)
	}
	if string(output.Payload) != `"hello"` {
		t.Errorf("Invoke answered %s, want hello", output.Payload)
	}
}

func (s *stack) checkAge(t *testing.T) {
	t.Helper()
	queues := sqs.NewFromConfig(s.cloud.AWSConfig())
	url, err := queues.GetQueueUrl(t.Context(), &sqs.GetQueueUrlInput{QueueName: aws.String("jobs")})
	if err == nil {
		_, err = queues.SendMessage(t.Context(), &sqs.SendMessageInput{QueueUrl: url.QueueUrl, MessageBody: aws.String("job")})
	}
	if err != nil {
		t.Fatal(err)
	}
	metrics := cloudwatch.NewFromConfig(s.cloud.AWSConfig())
	eventually(t, "the queue's age is a metric", func() bool { return oldestAge(t, metrics) > 0 })
}

func oldestAge(t *testing.T, metrics *cloudwatch.Client) float64 {
	t.Helper()
	output, err := metrics.GetMetricData(t.Context(), &cloudwatch.GetMetricDataInput{
		StartTime: aws.Time(time.Now().Add(-5 * time.Minute)),
		EndTime:   aws.Time(time.Now().Add(time.Minute)),
		MetricDataQueries: []cwtypes.MetricDataQuery{{Id: aws.String("age"), MetricStat: &cwtypes.MetricStat{
			Period: aws.Int32(60),
			Stat:   aws.String("Maximum"),
			Metric: &cwtypes.Metric{
				Namespace:  aws.String("AWS/SQS"),
				MetricName: aws.String("ApproximateAgeOfOldestMessage"),
				Dimensions: []cwtypes.Dimension{{Name: aws.String("QueueName"), Value: aws.String("jobs")}},
			},
		}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, result := range output.MetricDataResults {
		if len(result.Values) > 0 && time.Since(result.Timestamps[0]) < 10*time.Minute {
			return result.Values[0]
		}
	}
	return 0
}

func (s *stack) checkTasks(t *testing.T) {
	t.Helper()
	s.scale(t, 2)
	if service := s.service(t); service.PendingCount != 2 || service.RunningCount != 0 {
		t.Errorf("pending %d, running %d right after UpdateService; want 2, 0", service.PendingCount, service.RunningCount)
	}
	eventually(t, "two tasks run", func() bool { return s.service(t).RunningCount == 2 })
	list, err := s.ecs.ListTasks(t.Context(), &ecs.ListTasksInput{Cluster: aws.String("fleet"), ServiceName: aws.String("worker")})
	if err != nil || len(list.TaskArns) != 2 {
		t.Fatalf("ListTasks = %v, %v; want two", list, err)
	}
	described, err := s.ecs.DescribeTasks(t.Context(), &ecs.DescribeTasksInput{Cluster: aws.String("fleet"), Tasks: list.TaskArns})
	if err != nil || len(described.Tasks) != 2 || aws.ToString(described.Tasks[0].LastStatus) != "RUNNING" {
		t.Errorf("DescribeTasks = %+v, %v; want two running", described, err)
	}
	if n := s.cloud.API.Recorder.Count("ecs", "UpdateService"); n != 1 {
		t.Errorf("%d UpdateService calls recorded, want 1", n)
	}
}

// checkDeployment applies another image at 2 tasks, as C30 asks: the count stays, the plan after it is empty.
func (s *stack) checkDeployment(t *testing.T) {
	t.Helper()
	s.vars["image"] = "fleet-worker:2"
	s.apply(t)
	if service := s.service(t); service.DesiredCount != 2 || len(service.Deployments) != 2 || service.Deployments[0].RolloutState != types.DeploymentRolloutStateInProgress {
		t.Errorf("desired %d, deployments %+v; want 2, and the first of two in progress", service.DesiredCount, service.Deployments)
	}
	eventually(t, "the deployment completes", func() bool {
		service := s.service(t)
		return len(service.Deployments) == 1 && service.Deployments[0].RolloutState == types.DeploymentRolloutStateCompleted
	})
	s.wantEmptyPlan(t)
}
