package workload_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rousehq/rouse/internal/policy"
	"github.com/rousehq/rouse/internal/workload"
)

const minimal = `{"version":1,"name":"reports","queue_url":"https://sqs.example/1/reports","cluster":"c","service":"s"}`

func TestParseFillsThePolicysDefaults(t *testing.T) {
	d, err := workload.Parse([]byte(minimal))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(policy.Default(), d.Policy); diff != "" {
		t.Error(diff)
	}
}

func TestDocumentSurvivesJSON(t *testing.T) {
	want, err := workload.Parse([]byte(strings.TrimSuffix(minimal, "}") + `,"dlq_url":"https://sqs.example/1/dlq","slots_per_task":4,"policy":{"scale_to_zero":true,"backlog_per_task":"auto"}}`))
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := workload.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestParseReportsEverythingAtOnce(t *testing.T) {
	_, err := workload.Parse([]byte(`{
		"version": 2, "name": "Reports!", "queue_url": "reports", "dlq_url": "ftp://x/y", "service": 7,
		"slots_per_task": 5000, "policy": {"max_tasks": 0, "kp": "much", "speed": 1}}`))
	if err == nil {
		t.Fatal("accepted")
	}
	for _, want := range []string{
		`version: is "2", must be 1`, `name: is "Reports!"`, `queue_url: is "reports"`, `dlq_url: is "ftp://x/y"`,
		`service: is a number, must be a string`, `cluster: is ""`, `slots_per_task: is "5000"`,
		`policy.max_tasks: is 0`, `policy.kp: is "much"`, `policy.speed: is not a setting`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not say %q:\n%v", want, err)
		}
	}
}

func TestParseRefusesWhatIsNoDocument(t *testing.T) {
	for _, text := range []string{"", "null", "[]", `"x"`, minimal + minimal, minimal + "x", "{", strings.Replace(minimal, "version", "Versions", 1)} {
		if d, err := workload.Parse([]byte(text)); err == nil {
			t.Errorf("%q was read as %+v", text, d)
		}
	}
}

func TestTheDLQIsAnotherQueue(t *testing.T) {
	text := strings.TrimSuffix(minimal, "}") + `,"dlq_url":"https://sqs.example/1/reports"}`
	if _, err := workload.Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), "another queue") {
		t.Errorf("got %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(minimal))
	f.Add([]byte(`{"policy":{"schedules":[{}]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := workload.Parse(data)
		if err == nil && d.Validate() != nil {
			t.Errorf("%q was accepted although %v", data, d.Validate())
		}
	})
}

func TestNames(t *testing.T) {
	if got := workload.QueueName("https://sqs.example/123/reports.fifo"); got != "reports.fifo" {
		t.Errorf("queue name is %q", got)
	}
	if got := workload.TaskID("arn:aws:ecs:r:1:task/cluster/abc"); got != "abc" {
		t.Errorf("task id is %q", got)
	}
}

func TestAHeartbeatIsFreshForThreeIntervals(t *testing.T) {
	now := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	h := workload.Heartbeat{IntervalSeconds: 10, BeatAt: policy.At(now)}
	if !h.Fresh(now.Add(29 * time.Second)) {
		t.Error("stale after 29 s")
	}
	if h.Fresh(now.Add(30 * time.Second)) {
		t.Error("fresh after 30 s")
	}
	if !h.Fresh(now.Add(-time.Minute)) {
		t.Error("stale because the worker's clock is ahead")
	}
}
