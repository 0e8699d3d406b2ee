package schedule

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/scheduler"
)

func TestSchedulesAreReadWithTheirTargets(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/schedules":
			_, _ = io.WriteString(w, `{"Schedules":[{"Name":"tick","GroupName":"default"},{"Name":"gone","GroupName":"default"},{"Name":"off","GroupName":"default"}]}`)
		case "/schedules/tick":
			_, _ = io.WriteString(w, `{"Arn":"arn:tick","ScheduleExpression":"rate(1 minute)","State":"ENABLED","Target":{"Arn":"arn:f","RoleArn":"arn:r","Input":"{\"a\":1}"}}`)
		case "/schedules/off":
			_, _ = io.WriteString(w, `{"Arn":"arn:off","ScheduleExpression":"rate(1 hour)","State":"DISABLED","Target":{"Arn":"arn:f","RoleArn":"arn:r"}}`)
		default:
			w.Header().Set("X-Amzn-ErrorType", "ResourceNotFoundException")
			w.WriteHeader(http.StatusNotFound)
			_, _ = io.WriteString(w, `{"Message":"deleted meanwhile"}`)
		}
	}))
	defer server.Close()
	client := scheduler.New(scheduler.Options{
		Region: "us-east-1", BaseEndpoint: aws.String(server.URL), RetryMaxAttempts: 1,
		Credentials: credentials.NewStaticCredentialsProvider("test", "test", ""),
	})
	got, err := FromScheduler(client).Schedules(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 {
		t.Fatalf("%d schedules, want 2", len(got))
	}
	if s := got[0]; s.Key != "arn:tick" || !s.Enabled || s.Target != "arn:f" || string(s.Input) != `{"a":1}` {
		t.Errorf("first = %+v", s)
	}
	if s := got[1]; s.Enabled || string(s.Input) != "{}" {
		t.Errorf("second = %+v", s)
	}
}
