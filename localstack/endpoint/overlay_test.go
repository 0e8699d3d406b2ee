package endpoint

import (
	"context"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ecs"
	"github.com/aws/aws-sdk-go-v2/service/ecs/types"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	lambdatypes "github.com/aws/aws-sdk-go-v2/service/lambda/types"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rousehq/rouse/localstack/taskrunner"
)

// crew is a Fleet as a test sets it.
type crew struct {
	status    taskrunner.Status
	tasks     []taskrunner.Task
	refreshed int
}

func (c *crew) Refresh(context.Context) error                 { c.refreshed++; return nil }
func (c *crew) Service(string) (taskrunner.Status, bool)      { return c.status, true }
func (c *crew) Tasks() []taskrunner.Task                      { return c.tasks }
func (c *crew) StopTask(id, _ string) (taskrunner.Task, bool) { return c.tasks[0], id == c.tasks[0].ID }
func over(c *crew, invoke Invoke) func(*Endpoint) *Endpoint {
	return func(e *Endpoint) *Endpoint { return e.Overlay(c, invoke) }
}
func upstreamService(status string) string {
	return `{"serviceArn":"arn:s","serviceName":"worker","status":"` + status + `","desiredCount":3,"runningCount":3,"taskDefinition":"arn:d","launchType":"FARGATE"}`
}
func describe(t *testing.T, config aws.Config) types.Service {
	t.Helper()
	output, err := ecs.NewFromConfig(config).DescribeServices(t.Context(), &ecs.DescribeServicesInput{Services: []string{"worker"}})
	if err != nil {
		t.Fatal(err)
	}
	return output.Services[0]
}

func TestServicesTellWhatReallyRuns(t *testing.T) {
	fleet := &crew{status: taskrunner.Status{
		Running: 1, Pending: 2,
		Deployments: []taskrunner.Deployment{{ID: "ecs-svc/1", Status: "PRIMARY", RolloutState: taskrunner.RolloutInProgress, Desired: 3, Running: 1, Pending: 2, Failed: 4}},
		Events:      []taskrunner.Event{{ID: "e", At: time.Unix(1777896000, 0), Message: "(service worker) has started 1 tasks"}},
	}}
	_, _, config := serve(t, map[string]string{"DescribeServices": `{"services":[` + upstreamService("ACTIVE") + `],"failures":[]}`}, over(fleet, nil))
	got := describe(t, config)
	if got.RunningCount != 1 || got.PendingCount != 2 || got.DesiredCount != 3 {
		t.Errorf("running %d, pending %d, desired %d; want 1, 2, 3", got.RunningCount, got.PendingCount, got.DesiredCount)
	}
	if d := got.Deployments[0]; d.RolloutState != types.DeploymentRolloutStateInProgress || d.FailedTasks != 4 {
		t.Errorf("deployment = %+v", d)
	}
	if !got.Events[0].CreatedAt.Equal(time.Unix(1777896000, 0)) {
		t.Errorf("event = %+v", got.Events[0])
	}
}

func TestADeletedServiceDrainsWhileTasksAreLeft(t *testing.T) {
	fleet := &crew{status: taskrunner.Status{Stopping: 1}}
	_, _, config := serve(t, map[string]string{"DescribeServices": `{"services":[` + upstreamService("INACTIVE") + `],"failures":[]}`}, over(fleet, nil))
	if status := aws.ToString(describe(t, config).Status); status != "DRAINING" {
		t.Errorf("status = %s, want DRAINING", status)
	}
	fleet.status.Stopping = 0
	if status := aws.ToString(describe(t, config).Status); status != "INACTIVE" {
		t.Errorf("status = %s, want INACTIVE", status)
	}
}

// What a client wrote about a service is what it reads back, though the upstream forgets it; an update changes only
// what it names.
func TestServiceFieldsReadBackAsWritten(t *testing.T) {
	service := `{"service":` + upstreamService("ACTIVE") + `}`
	fleet := &crew{}
	_, _, config := serve(t, map[string]string{
		"CreateService": service, "UpdateService": service,
		"DescribeServices": `{"services":[` + upstreamService("ACTIVE") + `],"failures":[]}`,
	}, over(fleet, nil))
	client := ecs.NewFromConfig(config)
	_, err := client.CreateService(t.Context(), &ecs.CreateServiceInput{
		ServiceName:          aws.String("worker"),
		EnableECSManagedTags: true,
		DeploymentConfiguration: &types.DeploymentConfiguration{
			DeploymentCircuitBreaker: &types.DeploymentCircuitBreaker{Enable: true, Rollback: true},
		},
	})
	if err == nil {
		_, err = client.UpdateService(t.Context(), &ecs.UpdateServiceInput{Service: aws.String("worker"), PropagateTags: types.PropagateTagsService})
	}
	if err != nil {
		t.Fatal(err)
	}
	got := describe(t, config)
	want := &types.DeploymentConfiguration{
		DeploymentCircuitBreaker: &types.DeploymentCircuitBreaker{Enable: true, Rollback: true},
		MaximumPercent:           aws.Int32(200), MinimumHealthyPercent: aws.Int32(100),
	}
	if diff := cmp.Diff(want, got.DeploymentConfiguration, cmpopts.IgnoreUnexported(types.DeploymentConfiguration{}, types.DeploymentCircuitBreaker{})); diff != "" {
		t.Errorf("deployment configuration (-want +got):\n%s", diff)
	}
	if !got.EnableECSManagedTags || got.PropagateTags != types.PropagateTagsService {
		t.Errorf("managed tags %v, propagate %s; want true, SERVICE", got.EnableECSManagedTags, got.PropagateTags)
	}
	if fleet.refreshed != 2 {
		t.Errorf("the fleet was refreshed %d times, want 2: by each change before its answer", fleet.refreshed)
	}
}

func TestTasksAreThoseOfTheRunner(t *testing.T) {
	running := taskrunner.Task{ID: "1", ARN: "arn:task/fleet/1", Cluster: "arn:cluster/fleet", Service: "worker", Container: "worker", LastStatus: "RUNNING", DesiredStatus: "RUNNING", Started: time.Now()}
	stopped := running
	stopped.ID, stopped.ARN, stopped.LastStatus, stopped.DesiredStatus, stopped.ExitCode = "2", "arn:task/fleet/2", "STOPPED", "STOPPED", 3
	_, _, config := serve(t, nil, over(&crew{tasks: []taskrunner.Task{running, stopped}}, nil))
	client := ecs.NewFromConfig(config)
	list, err := client.ListTasks(t.Context(), &ecs.ListTasksInput{Cluster: aws.String("fleet"), ServiceName: aws.String("worker")})
	if err != nil || !cmp.Equal(list.TaskArns, []string{running.ARN}) {
		t.Errorf("ListTasks = %v, %v; want the running one", list, err)
	}
	output, err := client.DescribeTasks(t.Context(), &ecs.DescribeTasksInput{Cluster: aws.String("fleet"), Tasks: []string{stopped.ARN, "3"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(output.Tasks) != 1 || aws.ToInt32(output.Tasks[0].Containers[0].ExitCode) != 3 || len(output.Failures) != 1 {
		t.Errorf("DescribeTasks = %+v, failures %+v; want one task with exit code 3, one failure", output.Tasks, output.Failures)
	}
	if _, err := client.StopTask(t.Context(), &ecs.StopTaskInput{Task: aws.String("3")}); err == nil {
		t.Error("StopTask of an unknown task answered no error")
	}
}

func TestFunctionsKeepTheirCodeAndRun(t *testing.T) {
	configuration := `{"FunctionName":"tick","FunctionArn":"arn:aws:lambda:us-east-1:1:function:tick","Timeout":60}`
	run := func(_ context.Context, name string, payload []byte) ([]byte, string, error) {
		return []byte(`"` + name + `"`), map[bool]string{true: "Unhandled"}[string(payload) == `"fail"`], nil
	}
	_, _, config := serve(t, map[string]string{
		"POST /2015-03-31/functions":     configuration,
		"GET /2015-03-31/functions/tick": `{"Configuration":` + configuration + `}`,
	}, over(&crew{}, run))
	client := lambda.NewFromConfig(config)
	created, err := client.CreateFunction(t.Context(), &lambda.CreateFunctionInput{
		FunctionName: aws.String("tick"), Role: aws.String("arn"), Code: &lambdatypes.FunctionCode{ZipFile: []byte("the zip")},
		LoggingConfig: &lambdatypes.LoggingConfig{LogFormat: lambdatypes.LogFormatJson},
	})
	if err != nil || created.LoggingConfig.LogFormat != lambdatypes.LogFormatJson || aws.ToString(created.LoggingConfig.LogGroup) != "/aws/lambda/tick" {
		t.Fatalf("CreateFunction = %+v, %v", created, err)
	}
	got, err := client.GetFunction(t.Context(), &lambda.GetFunctionInput{FunctionName: aws.String("tick")})
	if err != nil || got.Configuration.LoggingConfig.LogFormat != lambdatypes.LogFormatJson {
		t.Fatalf("GetFunction = %+v, %v", got, err)
	}
	resp, err := http.Get(*got.Code.Location)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if code, _ := io.ReadAll(resp.Body); string(code) != "the zip" {
		t.Errorf("code = %q", code)
	}
	for payload, want := range map[string]string{`"go"`: "", `"fail"`: "Unhandled"} {
		output, err := client.Invoke(t.Context(), &lambda.InvokeInput{FunctionName: aws.String("tick"), Payload: []byte(payload)})
		if err != nil || string(output.Payload) != `"tick"` || aws.ToString(output.FunctionError) != want {
			t.Errorf("Invoke(%s) = %s, %q, %v", payload, output.Payload, aws.ToString(output.FunctionError), err)
		}
	}
}
