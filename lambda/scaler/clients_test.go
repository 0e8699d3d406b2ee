package scaler

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	ecstypes "github.com/aws/aws-sdk-go-v2/service/ecs/types"
	"github.com/google/go-cmp/cmp"

	"github.com/rousehq/rouse/internal/policy"
	"github.com/rousehq/rouse/internal/workload"
)

// overWire returns a scaler with the SDK's own clients, and what it wrote.
func overWire(t testing.TB, c *cloud) (*Scaler, *wire, *journal) {
	t.Helper()
	w, clients := serve(t, c)
	config := Default()
	config.Table = "rouse"
	j := &journal{t: t}
	s, err := New(config, clients, slog.New(slog.NewJSONHandler(&j.log, nil)), &j.metrics)
	if err != nil {
		t.Fatal(err)
	}
	return s, w, j
}

// tickOnce runs one tick on the real clock, without waiting for another.
func (s *Scaler) tickOnce(ctx context.Context) (Summary, error) {
	v := &invocation{Scaler: s, owner: "tester", leases: map[string]lease{}, failed: map[string]bool{}}
	v.tick(ctx, time.Now())
	v.release(ctx)
	return v.result()
}

func TestOneTickSpeaksEveryServicesProtocol(t *testing.T) {
	c := newCloud()
	c.pageSize = 2
	c.add(t, "reports")
	c.count("reports", 1, 1)
	c.depth("reports", 100, 4, 1)
	now := time.Now()
	c.ages["reports"] = []age{{now.Add(-90 * time.Second), 42}}
	c.services["reports"].Events = []ecstypes.ServiceEvent{{CreatedAt: aws.Time(now), Message: aws.String("(service reports) has started 3 tasks: (task a).")}}
	memory, _ := memory{SightedAt: policy.At(now.Add(-10 * time.Second)), EventAt: 1}.encode()
	c.put("reports", workload.SortState, memory)
	c.beat(workload.Heartbeat{Task: "a", BeatAt: policy.At(now), IntervalSeconds: 10, Ready: true, Busy: 4, Slots: 4, Completed: 6, ServiceSeconds: 2}, "reports")
	s, w, j := overWire(t, c)
	if _, err := s.tickOnce(t.Context()); err != nil {
		t.Fatal(err)
	}
	line := j.last("reports")
	for key, want := range map[string]any{
		"visible": 100.0, "in_flight": 4.0, "delayed": 1.0, "desired": 1.0, "running": 1.0, "pending": 0.0,
		"ready": 1.0, "busy": 1.0, "age_seconds": 42.0, "completed": 6.0, "starts": 3.0, "outcome": "added",
	} {
		if line[key] != want {
			t.Errorf("%s is %v, want %v", key, line[key], want)
		}
	}
	if c.desired("reports") != int32(line["target"].(float64)) {
		t.Errorf("desired is %d: %v", c.desired("reports"), line)
	}
	w.wants(t, "UpdateService", map[string]any{"cluster": "main", "service": "reports", "desiredCount": line["target"]})
	w.wants(t, "DescribeServices", map[string]any{"cluster": "main", "services": []any{"reports"}, "include": []any{"TAGS"}})
}

// wants compares the body of the one request of an operation, field by field.
func (w *wire) wants(t *testing.T, op string, want map[string]any) {
	t.Helper()
	if n := len(w.bodies[op]); n != 1 {
		t.Fatalf("%d requests of %s", n, op)
	}
	var got map[string]any
	if err := json.Unmarshal([]byte(w.bodies[op][0]), &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s: %s", op, diff)
	}
}

// The answer to a write is lost, the SDK writes again, and the condition
// fails on what the first attempt wrote: the lease is ours all the same.
func TestAWriteWhoseAnswerWasLostIsNoLostLease(t *testing.T) {
	c := newCloud()
	c.add(t, "reports")
	c.depth("reports", 1, 0, 0)
	s, w, j := overWire(t, c)
	lost := 0
	w.spoil = func(op string, answer http.ResponseWriter) bool {
		if op != "UpdateItem" || lost > 0 {
			return false
		}
		lost++
		body := w.bodies[op][0]
		if _, err := w.dispatch(t.Context(), op, []byte(body)); err != nil {
			t.Error(err)
		}
		answer.WriteHeader(http.StatusInternalServerError)
		return true
	}
	if _, err := s.tickOnce(t.Context()); err != nil {
		t.Fatal(err)
	}
	if line := j.last("reports"); line["outcome"] != "added" || c.desired("reports") != 1 {
		t.Errorf("%v", line)
	}
}

func TestServicesAreDescribedByTensAndByCluster(t *testing.T) {
	c := newCloud()
	for i := range 23 {
		c.add(t, fmt.Sprintf("work-%02d", i), func(d *workload.Document) {
			if i >= 12 {
				d.Cluster = "other"
				d.Service = "arn:aws:ecs:eu-west-1:1:service/other/" + d.Name
			}
		})
	}
	for name, service := range c.services {
		service.ServiceArn = aws.String(name)
		delete(c.services, name)
		c.services[lastElement(name)] = service
	}
	s, w, _ := overWire(t, c)
	if _, err := s.tickOnce(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := len(w.bodies["DescribeServices"]); n != 2+2 {
		t.Errorf("%d calls for 12 services of one cluster and 11 of another, want 4", n)
	}
}

func TestAServiceThatSpoilsItsBatchIsReadByItself(t *testing.T) {
	for _, code := range []string{"InvalidParameterException", "AccessDeniedException"} {
		t.Run(code, func(t *testing.T) {
			c := newCloud()
			for _, name := range []string{"first", "spoiler", "third"} {
				c.add(t, name)
				c.depth(name, 1, 0, 0)
			}
			c.fault = func(_ context.Context, op, target string) error {
				if op == "DescribeServices" && strings.Contains(target, "spoiler") {
					return apiError(code)
				}
				return nil
			}
			s, _, j := overWire(t, c)
			summary, err := s.tickOnce(t.Context())
			if err == nil || cmp.Diff([]string{"spoiler"}, summary.Failed) != "" {
				t.Errorf("failed: %v, %v", summary.Failed, err)
			}
			if !strings.Contains(fmt.Sprint(j.last("spoiler")["error"]), code) {
				t.Errorf("%v", j.last("spoiler"))
			}
			if c.desired("first") != 1 || c.desired("third") != 1 || c.desired("spoiler") != 0 {
				t.Errorf("desired %d, %d, %d", c.desired("first"), c.desired("third"), c.desired("spoiler"))
			}
		})
	}
}

func TestAThrottledCallIsRepeatedWithinTheTick(t *testing.T) {
	c := newCloud()
	c.add(t, "reports")
	c.depth("reports", 1, 0, 0)
	s, w, _ := overWire(t, c)
	var refused sync.Map
	w.spoil = func(op string, answer http.ResponseWriter) bool {
		if _, before := refused.LoadOrStore(op, true); before {
			return false
		}
		reply(answer, http.StatusBadRequest, map[string]string{"__type": "ThrottlingException", "message": "slower"})
		return true
	}
	if _, err := s.tickOnce(t.Context()); err != nil || c.desired("reports") != 1 {
		t.Errorf("%v, desired %d", err, c.desired("reports"))
	}
}

func TestTheMetricsLineIsEmbeddedMetricFormat(t *testing.T) {
	c := newCloud()
	c.add(t, "reports")
	c.depth("reports", 7, 0, 0)
	s, _, j := overWire(t, c)
	if _, err := s.tickOnce(t.Context()); err != nil {
		t.Fatal(err)
	}
	var line struct {
		AWS struct {
			Timestamp         int64
			CloudWatchMetrics []struct {
				Namespace  string
				Dimensions [][]string
				Metrics    []struct{ Name, Unit string }
			}
		} `json:"_aws"`
	}
	text := j.metrics.Bytes()
	if bytes.Count(text, []byte("\n")) != 1 {
		t.Fatalf("not one line: %s", text)
	}
	if err := json.Unmarshal(text, &line); err != nil {
		t.Fatal(err)
	}
	directive := line.AWS.CloudWatchMetrics[0]
	if directive.Namespace != "Rouse" || cmp.Diff([][]string{{"Workload"}}, directive.Dimensions) != "" || line.AWS.Timestamp < 1e12 {
		t.Errorf("%s", text)
	}
	var root map[string]any
	_ = json.Unmarshal(text, &root)
	for _, m := range directive.Metrics {
		if _, ok := root[m.Name].(float64); !ok {
			t.Errorf("%s is announced and missing in %s", m.Name, text)
		}
	}
	if len(root) != len(directive.Metrics)+2 || root["Workload"] != "reports" || root["Visible"] != 7.0 || root["Target"] != 1.0 {
		t.Errorf("%s", text)
	}
}

func TestMetricName(t *testing.T) {
	for c, want := range map[policy.Condition]string{policy.ConditionAtMax: "AtMax", policy.ConditionBlind: "Blind", conditionForeignWriter: "ForeignWriter"} {
		if got := metricName(c); got != want {
			t.Errorf("%s is %s", c, got)
		}
	}
}

// A tick over 100 workloads must take less than a second: SDK clients, HTTP and all.
func BenchmarkTickOf100Workloads(b *testing.B) {
	c := newCloud()
	for i := range 100 {
		name := fmt.Sprintf("work-%03d", i)
		c.add(b, name)
		c.count(name, 2, 2)
		c.depth(name, 15, 8, 0)
		for task := range 2 {
			c.beat(workload.Heartbeat{Task: fmt.Sprintf("%032x", task), BeatAt: policy.At(time.Now()), IntervalSeconds: 60, Ready: true, Busy: 4, Slots: 4}, name)
		}
	}
	w, clients := serve(b, c)
	config := Default()
	config.Table = "rouse"
	s, err := New(config, clients, slog.New(slog.NewJSONHandler(io.Discard, nil)), io.Discard)
	if err != nil {
		b.Fatal(err)
	}
	v := &invocation{Scaler: s, owner: "tester", leases: map[string]lease{}, failed: map[string]bool{}}
	for b.Loop() {
		v.tick(b.Context(), time.Now())
	}
	if _, err := v.result(); err != nil {
		b.Fatal(err)
	}
	calls := 0
	for _, bodies := range w.bodies {
		calls += len(bodies)
	}
	b.ReportMetric(float64(calls)/float64(v.summary.Ticks), "calls/tick")
}
