package policy_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rousehq/rouse/internal/policy"
)

// A timeline is a text file: a line "policy KEY=VALUE …" with settings, then a
// line a tick,
//
//	10s  visible=5 running=1  => 1 warming
//
// with the time since the start, what changed since the line before, and the
// expected target and reason. "10s..60s/10s" stands for one tick each 10 s. The
// desired count follows the decisions unless it is given; outcome=failed makes
// the action fail; "KEY=?" makes a signal unknown.
type timeline struct {
	t      *testing.T
	policy policy.Policy
	state  policy.State
	seen   map[string]string
	line   string
}

var start = time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC) // a Monday

func TestTimelines(t *testing.T) {
	files, err := filepath.Glob("testdata/timelines/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no timelines: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) { runTimeline(t, file) })
	}
}

func runTimeline(t *testing.T, file string) {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	tl := &timeline{t: t, seen: map[string]string{"visible": "0", "in_flight": "0", "delayed": "0", "desired": "0"}}
	scanner := bufio.NewScanner(f)
	for n := 1; scanner.Scan(); n++ {
		line, _, _ := strings.Cut(scanner.Text(), "#")
		if fields := strings.Fields(line); len(fields) > 0 {
			tl.line = fmt.Sprintf("%s:%d", filepath.Base(file), n)
			tl.run(fields)
		}
	}
}

func (tl *timeline) run(fields []string) {
	tl.t.Helper()
	if fields[0] == "policy" {
		tl.policy = tl.build(fields[1:])
		return
	}
	delete(tl.seen, "outcome")
	arrow := len(fields) - 3
	if arrow < 1 || fields[arrow] != "=>" {
		tl.t.Fatalf("%s: want \"TIME KEY=VALUE … => TARGET REASON\"", tl.line)
	}
	for _, field := range fields[1:arrow] {
		key, value, _ := strings.Cut(field, "=")
		tl.seen[key] = value
	}
	for _, at := range tl.times(fields[0]) {
		tl.tick(at, fields[arrow+1], fields[arrow+2])
	}
}

func (tl *timeline) build(settings []string) policy.Policy {
	var pairs []string
	for _, setting := range settings {
		key, value, _ := strings.Cut(setting, "=")
		pairs = append(pairs, fmt.Sprintf("%q:%s", key, value))
	}
	var config policy.Config
	if err := json.Unmarshal([]byte("{"+strings.Join(pairs, ",")+"}"), &config); err != nil {
		tl.t.Fatalf("%s: %v", tl.line, err)
	}
	p, err := policy.New(config)
	if err != nil {
		tl.t.Fatalf("%s: %v", tl.line, err)
	}
	return p
}

func (tl *timeline) times(text string) []time.Duration {
	from, rest, isRange := strings.Cut(text, "..")
	first := tl.duration(from)
	if !isRange {
		return []time.Duration{first}
	}
	to, every, _ := strings.Cut(rest, "/")
	var times []time.Duration
	for at := first; at <= tl.duration(to); at += tl.duration(every) {
		times = append(times, at)
	}
	return times
}

func (tl *timeline) duration(text string) time.Duration {
	d, err := time.ParseDuration(text)
	if err != nil {
		tl.t.Fatalf("%s: %v", tl.line, err)
	}
	return d
}

func (tl *timeline) tick(at time.Duration, target, reason string) {
	tl.t.Helper()
	now := start.Add(at)
	desired := tl.seen["desired"]
	state, d := tl.policy.Decide(tl.state, tl.observation(), now)
	if got := fmt.Sprintf("%d %s", d.Target, d.Reason); got != target+" "+reason {
		tl.t.Errorf("%s: at %v: got %s, want %s %s\n terms %+v\n state %+v", tl.line, at, got, target, reason, d.Terms, state)
	}
	if d.Change != (strconv.Itoa(d.Target) != desired) {
		tl.t.Errorf("%s: at %v: change is %t at desired %s", tl.line, at, d.Change, desired)
	}
	tl.checkConditions(d)
	tl.state = tl.policy.Record(state, d, tl.act(d), now)
}

// act carries the decision out, unless the line says that acting fails.
func (tl *timeline) act(d policy.Decision) policy.Outcome {
	if outcome := tl.seen["outcome"]; outcome != "" {
		return policy.Outcome(outcome)
	}
	before, _ := strconv.Atoi(tl.seen["desired"])
	tl.seen["desired"] = strconv.Itoa(d.Target)
	switch {
	case !d.Change:
		return policy.OutcomeNoop
	case d.Target > before:
		return policy.OutcomeAdded
	}
	return policy.OutcomeRemoved
}

func (tl *timeline) checkConditions(d policy.Decision) {
	tl.t.Helper()
	want, ok := tl.seen["conditions"]
	if !ok {
		return
	}
	delete(tl.seen, "conditions")
	var got []string
	for _, c := range d.Conditions {
		got = append(got, string(c))
	}
	if strings.Join(got, ",") != want {
		tl.t.Errorf("%s: conditions are %q, want %q", tl.line, strings.Join(got, ","), want)
	}
}

func (tl *timeline) observation() policy.Observation {
	o := policy.Observation{
		OldestAge:    signal[float64](tl, "age"),
		Ready:        signal[int](tl, "ready"),
		Busy:         signal[int](tl, "busy"),
		SlotsPerTask: signal[int](tl, "slots"),
		ServiceTime:  signal[float64](tl, "service_time"),
		Completed:    signal[int](tl, "completed"),
		Starts:       signal[int](tl, "starts"),
		Groups:       signal[int](tl, "groups"),
		QueueDelay:   signal[float64](tl, "queue_delay"),
		Override:     tl.override(),
	}
	if tl.seen["queue"] != "?" {
		o.Queue = policy.Known(policy.Queue{Visible: tl.number("visible"), InFlight: tl.number("in_flight"), Delayed: tl.number("delayed")})
	}
	if tl.seen["service"] != "?" {
		o.Service = policy.Known(policy.Service{
			Desired: tl.number("desired"), Running: tl.running(), Pending: tl.number("pending"),
			Deploying: tl.seen["deploying"] == "true", Revision: tl.seen["revision"],
		})
	}
	return o
}

// running is the count given, or else all that are desired.
func (tl *timeline) running() int {
	if tl.seen["running"] == "" || tl.seen["running"] == "all" {
		return max(0, tl.number("desired")-tl.number("pending"))
	}
	return tl.number("running")
}

func (tl *timeline) override() policy.Signal[policy.Override] {
	mode, until, _ := strings.Cut(tl.seen["override"], "@")
	if mode == "" {
		return policy.Signal[policy.Override]{}
	}
	o := policy.Override{Mode: policy.OverridePause}
	if until != "" {
		o.Until = policy.At(start.Add(tl.duration(until)))
	}
	if mode != "pause" {
		o.Mode = policy.OverrideCount
		o.Count, _ = strconv.Atoi(mode)
	}
	return policy.Known(o)
}

func (tl *timeline) number(key string) int {
	n, err := strconv.Atoi(tl.seen[key])
	if err != nil && tl.seen[key] != "" {
		tl.t.Fatalf("%s: %s=%s: %v", tl.line, key, tl.seen[key], err)
	}
	return n
}

func signal[T int | float64](tl *timeline, key string) policy.Signal[T] {
	text := tl.seen[key]
	if text == "" || text == "?" {
		return policy.Signal[T]{}
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		tl.t.Fatalf("%s: %s=%s: %v", tl.line, key, text, err)
	}
	return policy.Known(T(f))
}
