package taskrunner

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/ecs"
)

// ecsAnswers serves fixed answers by operation to a real client.
func ecsAnswers(t *testing.T, answers map[string]string) *ECS {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
		w.Header().Set("Content-Type", "application/x-amz-json-1.1")
		if answers[operation] == "" {
			w.WriteHeader(http.StatusBadRequest)
		}
		_, _ = io.WriteString(w, answers[operation])
	}))
	t.Cleanup(server.Close)
	return FromECS(ecs.New(ecs.Options{
		Region: "us-east-1", BaseEndpoint: aws.String(server.URL), RetryMaxAttempts: 1,
		Credentials: credentials.NewStaticCredentialsProvider("test", "test", ""),
	}))
}

func taskDefinition(container string) map[string]string {
	return map[string]string{"DescribeTaskDefinition": fmt.Sprintf(
		`{"taskDefinition":{"taskDefinitionArn":"arn","family":"worker","revision":7,"containerDefinitions":[%s]}}`, container)}
}

func TestDefinitionReadsTheContainer(t *testing.T) {
	source := ecsAnswers(t, taskDefinition(`{"name":"worker","image":"jobs:1","entryPoint":["/worker"],"command":["exec"],
		"stopTimeout":110,"environment":[{"name":"A","value":"1"}],"secrets":[{"name":"TOKEN","valueFrom":"arn:x"}],
		"healthCheck":{"command":["CMD","/worker","healthcheck"],"interval":10,"startPeriod":20}}`))
	got, err := source.Definition(context.Background(), "arn")
	if err != nil {
		t.Fatal(err)
	}
	if got.Image != "jobs:1" || got.Revision != 7 || got.StopTimeout != 110*time.Second || got.Environment["A"] != "1" {
		t.Errorf("definition = %+v", got)
	}
	if h := got.Health; !slices.Equal(h.Command, []string{"/worker", "healthcheck"}) || h.Interval != 10*time.Second ||
		h.Timeout != 5*time.Second || h.Retries != 3 || h.StartPeriod != 20*time.Second {
		t.Errorf("health check = %+v", h)
	}
	if len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0], "TOKEN") {
		t.Errorf("warnings = %q, want one that names the secret", got.Warnings)
	}
}

func TestDefinitionsThatCannotBeRunAreErrors(t *testing.T) {
	for _, test := range []struct{ name, containers, want string }{
		{"two containers", `{"name":"a"},{"name":"b"}`, "has 2 containers"},
		{"a health check in no form of ECS's", `{"name":"a","healthCheck":{"command":["/worker"]}}`, "must begin with CMD"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := ecsAnswers(t, taskDefinition(test.containers)).Definition(context.Background(), "arn")
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("err = %v, want %q", err, test.want)
			}
		})
	}
}

func TestServicesAreReadWithTheirDeploymentSettings(t *testing.T) {
	source := ecsAnswers(t, map[string]string{
		"ListClusters": `{"clusterArns":["arn:c"]}`,
		"ListServices": `{"serviceArns":["arn:s"]}`,
		"DescribeServices": `{"services":[{"serviceArn":"arn:s","serviceName":"s","clusterArn":"arn:c","status":"ACTIVE",
			"desiredCount":4,"taskDefinition":"arn:d","deployments":[{"id":"ecs-svc/1"}],"deploymentConfiguration":
			{"maximumPercent":150,"minimumHealthyPercent":50,"deploymentCircuitBreaker":{"enable":true,"rollback":true}}}]}`,
	})
	got, err := source.Services(context.Background())
	want := Service{
		ARN: "arn:s", Name: "s", Cluster: "arn:c", TaskDefinition: "arn:d", Desired: 4, Active: true, Force: "ecs-svc/1",
		Breaker: true, Rollback: true, MinHealthyPercent: 50, MaxPercent: 150,
	}
	if err != nil || len(got) != 1 || got[0] != want {
		t.Errorf("services = %+v, %v; want %+v", got, err, want)
	}
}

func TestAServiceListThatCannotBeReadIsAnError(t *testing.T) {
	if services, err := ecsAnswers(t, nil).Services(context.Background()); err == nil {
		t.Errorf("services = %v without an error", services)
	}
}

func TestArgumentsOfAProgramThatStandsForAnImage(t *testing.T) {
	program := Program{Command: []string{"/here/worker"}, Files: map[string]string{"/usr/bin/job": "/here/job"}}
	for _, test := range []struct {
		name           string
		entry, command []string
		want           []string
	}{
		{"the image's own entry point", nil, []string{"run"}, []string{"/here/worker", "run"}},
		{"an entry point of the same name", []string{"/worker", "exec"}, []string{"--"}, []string{"/here/worker", "exec", "--"}},
		{"an entry point with a counterpart", []string{"/usr/bin/job"}, nil, []string{"/here/job"}},
		{"an entry point without", []string{"/bin/other"}, nil, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := program.argv(Definition{EntryPoint: test.entry, Command: test.command})
			if !slices.Equal(got, test.want) || (err != nil) != (test.want == nil) {
				t.Errorf("argv = %q, %v; want %q", got, err, test.want)
			}
		})
	}
}

func TestDockerArgumentsHoldNoValues(t *testing.T) {
	got := dockerArgs("rouse-1", Spec{
		Definition:  Definition{Image: "jobs:1", EntryPoint: []string{"/worker", "exec"}, Command: []string{"--", "job"}},
		Environment: map[string]string{"TOKEN": "hidden"},
	})
	want := []string{"run", "--name", "rouse-1", "--network", "host", "--sig-proxy=false", "--env", "TOKEN", "--entrypoint", "/worker", "jobs:1", "exec", "--", "job"}
	if !slices.Equal(got, want) {
		t.Errorf("args = %q, want %q", got, want)
	}
}
