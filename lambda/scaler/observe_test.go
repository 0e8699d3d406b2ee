package scaler

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ecs/types"
	"github.com/google/go-cmp/cmp"

	"github.com/rousehq/rouse/internal/policy"
	"github.com/rousehq/rouse/internal/workload"
)

func TestOldestAge(t *testing.T) {
	known := policy.Known[float64]
	unknown := policy.Signal[float64]{}
	const now, never = policy.Instant(1_000_000), policy.Instant(0)
	tests := []struct {
		name           string
		metric, waited policy.Signal[float64]
		noneVisibleAt  policy.Instant
		want           policy.Signal[float64]
	}{
		{"nothing is known", unknown, unknown, never, unknown},
		{"an empty queue alone makes no age known", unknown, unknown, now - 30_000, unknown},
		{"CloudWatch alone", known(90), unknown, never, known(90)},
		{"workers alone", unknown, known(12), never, known(12)},
		{"the lesser of both: CloudWatch", known(9), known(12), never, known(9)},
		{"the lesser of both: workers", known(90), known(12), never, known(12)},
		{"nothing waited since before the queue was empty", known(90), known(60), now - 30_000, known(30)},
		{"an older emptiness says nothing", known(20), unknown, now - 30_000, known(20)},
		{"nothing waits now", known(90), unknown, now, known(0)},
		{"emptiness in the future", known(90), unknown, now + 5_000, known(0)},
	}
	for _, test := range tests {
		if got := oldestAge(test.metric, test.waited, test.noneVisibleAt, now); got != test.want {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
}

func TestMetricAgeTakesNoNonsense(t *testing.T) {
	m := metricAge{MeasuredAt: 100, Seconds: 5}
	for _, seconds := range []float64{-1, math.NaN(), math.Inf(1)} {
		if got := m.newer(200, seconds); got != m {
			t.Errorf("took %g", seconds)
		}
	}
	if got := m.newer(90, 7); got != m {
		t.Error("took an older age")
	}
	if got := m.newer(110, 0); got.Seconds != 0 || got.MeasuredAt != 110 {
		t.Error("refused an age of 0")
	}
}

func TestSurvey(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	beat := func(task string, secondsAgo int, edits ...func(*workload.Heartbeat)) string {
		h := workload.Heartbeat{Task: task, BeatAt: policy.At(now.Add(-time.Duration(secondsAgo) * time.Second)), IntervalSeconds: 10, Ready: true, Slots: 4}
		for _, edit := range edits {
			edit(&h)
		}
		body, _ := json.Marshal(h)
		return string(body)
	}
	completed := func(n int64) func(*workload.Heartbeat) { return func(h *workload.Heartbeat) { h.Completed = n } }
	seconds := func(s float64) func(*workload.Heartbeat) {
		return func(h *workload.Heartbeat) { h.ServiceSeconds = s }
	}
	waited := func(s float64) func(*workload.Heartbeat) {
		return func(h *workload.Heartbeat) { h.WaitSeconds = policy.Known(s) }
	}
	holding := func(h *workload.Heartbeat) { h.Busy, h.Groups = 2, 1 }
	tests := []struct {
		name     string
		bodies   []string
		counters map[string]int64
		fifo     bool
		running  int
		want     policy.Observation
		jobs     int
		err      string
	}{
		{name: "nobody reports: everything is unknown", running: 2},
		{name: "only stale heartbeats: everything is unknown", bodies: []string{beat("a", 30, holding)}, running: 1},
		{name: "ready and busy are counted", bodies: []string{beat("a", 1, holding), beat("b", 29), beat("c", 2, func(h *workload.Heartbeat) { h.Ready = false })}, running: 3,
			want: policy.Observation{Ready: policy.Known(2), Busy: policy.Known(1), SlotsPerTask: policy.Known(4)}},
		{name: "completed jobs are counted since the previous tick, of a new task from 0, of a restarted one from 0",
			bodies:   []string{beat("a", 1, completed(110)), beat("new", 1, completed(3)), beat("again", 1, completed(2))},
			counters: map[string]int64{"a": 100, "again": 50, "left": 9}, running: 3, jobs: 10 + 3 + 2,
			want: policy.Observation{Ready: policy.Known(3), Busy: policy.Known(0), SlotsPerTask: policy.Known(4)}},
		{name: "the mean handler time weighs each task by its jobs",
			bodies: []string{beat("a", 1, completed(2), seconds(1)), beat("b", 1, completed(0), seconds(5)), beat("c", 1)}, running: 3, jobs: 2,
			want: policy.Observation{Ready: policy.Known(3), Busy: policy.Known(0), SlotsPerTask: policy.Known(4), ServiceTime: policy.Known(2.0)}},
		{name: "groups are known on a FIFO queue if every task reports", bodies: []string{beat("a", 1, holding), beat("b", 1, holding)}, fifo: true, running: 2,
			want: policy.Observation{Ready: policy.Known(2), Busy: policy.Known(2), SlotsPerTask: policy.Known(4), Groups: policy.Known(2)}},
		{name: "groups of a fleet that reports in part are unknown", bodies: []string{beat("a", 1, holding)}, fifo: true, running: 2,
			want: policy.Observation{Ready: policy.Known(1), Busy: policy.Known(1), SlotsPerTask: policy.Known(4)}},
		{name: "what cannot be true is left out", running: 1, err: "read heartbeats: 4 of 5 are malformed",
			bodies: []string{"{", `{"task":"a","busy":"many"}`, beat("b", 1, func(h *workload.Heartbeat) { h.Busy = -1 }), beat("future", -3600, waited(3)), beat("a", 1)},
			want:   policy.Observation{Ready: policy.Known(1), Busy: policy.Known(0), SlotsPerTask: policy.Known(4)}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f, err := survey(test.bodies, test.counters, now)
			if fmt.Sprint(err) != test.err && (err != nil || test.err != "") {
				t.Errorf("error: %v", err)
			}
			var got policy.Observation
			f.describe(&got, test.running, test.fifo)
			if got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
			if f.completed != test.jobs {
				t.Errorf("completed %d, want %d", f.completed, test.jobs)
			}
		})
	}
	f, _ := survey([]string{beat("a", 1, waited(3)), beat("b", 1, waited(8)), beat("c", 40, waited(99)), beat("d", 1)}, nil, now)
	if f.waited != policy.Known(8.0) {
		t.Errorf("waited %v, want the longest of the fresh ones", f.waited)
	}
}

func TestCountStarts(t *testing.T) {
	event := func(at int64, message string) types.ServiceEvent {
		return types.ServiceEvent{CreatedAt: aws.Time(time.UnixMilli(at)), Message: &message}
	}
	events := []types.ServiceEvent{
		event(500, "(service reports) has reached a steady state."),
		event(400, "(service reports) has started 12 tasks: (task a) (task b)."),
		event(300, "(service reports) has started 1 tasks: (task c)."),
		event(200, "(service reports) has stopped 2 running tasks: (task d)."),
		event(100, "(service reports) has started 1 task: (task d)."),
	}
	tests := []struct {
		name   string
		events []types.ServiceEvent
		since  policy.Instant
		want   policy.Signal[int]
		newest policy.Instant
	}{
		{"all are new", events, 99, policy.Known(14), 500},
		{"one was counted", events, 100, policy.Known(13), 500},
		{"all were counted", events, 500, policy.Known(0), 500},
		{"a service that tells nothing", nil, 100, policy.Signal[int]{}, 100},
	}
	for _, test := range tests {
		if got, newest := countStarts(test.events, test.since); got != test.want || newest != test.newest {
			t.Errorf("%s: %v, %d", test.name, got, newest)
		}
	}
}

func TestForeignWrites(t *testing.T) {
	const minute = 60_000
	var w writes
	tick := func(now policy.Instant, desired int, outcome policy.Outcome, target int) bool {
		w = w.seen(desired, now)
		w = w.wrote(outcome, target)
		return w.foreign()
	}
	steps := []struct {
		name    string
		now     policy.Instant
		desired int
		outcome policy.Outcome
		target  int
		want    bool
	}{
		{"the first sight is nobody's change", 1 * minute, 5, policy.OutcomeAdded, 8, false},
		{"our own change", 2 * minute, 8, policy.OutcomeFailed, 9, false},
		{"our own change that failed and was carried out", 3 * minute, 9, policy.OutcomeNoop, 9, false},
		{"a foreign one", 4 * minute, 2, policy.OutcomeNoop, 2, false},
		{"it stands", 5 * minute, 2, policy.OutcomeNoop, 2, false},
		{"a second", 6 * minute, 3, policy.OutcomeNoop, 3, false},
		{"a third", 7 * minute, 4, policy.OutcomeNoop, 4, true},
		{"the window is over", 37 * minute, 4, policy.OutcomeNoop, 4, false},
	}
	for _, step := range steps {
		if got := tick(step.now, step.desired, step.outcome, step.target); got != step.want {
			t.Errorf("%s: %t, %+v", step.name, got, w)
		}
	}
}

// The state record must fit into one item of the table (400 KB) with the largest fleet.
func TestTheStateOfTheLargestFleetFitsIntoOneItem(t *testing.T) {
	m := memory{Completed: map[string]int64{}}
	for i := range 5000 {
		m.Completed[fmt.Sprintf("%032x", i)] = math.MaxInt32
	}
	body, err := m.encode()
	if err != nil || len(body) > 350_000 {
		t.Errorf("%d bytes, %v", len(body), err)
	}
}

func FuzzRecall(f *testing.F) {
	f.Add(`{"policy":{"version":1},"completed":{"a":1},"writes":{"expected":3}}`)
	f.Add(`{"metric":{"asked_at":9e99}}`)
	f.Add("null")
	f.Fuzz(func(t *testing.T, body string) {
		m, err := recall(body)
		if err != nil {
			if diff := cmp.Diff(memory{}, m, cmp.AllowUnexported(policy.Signal[int]{})); diff != "" {
				t.Errorf("a broken body left something behind: %s", diff)
			}
			return
		}
		encoded, err := m.encode()
		if err != nil {
			t.Fatal(err)
		}
		again, err := recall(encoded)
		if err != nil {
			t.Fatal(err)
		}
		if twice, _ := again.encode(); twice != encoded {
			t.Errorf("%s became %s", encoded, twice)
		}
	})
}

func TestParseOverrideIsStrict(t *testing.T) {
	for body, says := range map[string]string{
		`{"mode":"stop"}`:                    `mode: is "stop"`,
		`{"mode":"count","count":-1}`:        "must be 0 or more",
		`{"mode":"pause","until":-5}`:        "must be 0 or more",
		`{"mode":"pause","reason":"lunch"}`:  "unknown field",
		`{"mode":"count","count":"several"}`: "count",
		`[]`:                                 "read override",
	} {
		if _, err := parseOverride(body); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", body, err)
		}
	}
	if o, err := parseOverride(""); err != nil || o.IsKnown() {
		t.Errorf("no override: %v, %v", o, err)
	}
}
