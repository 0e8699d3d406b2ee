package policy_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rousehq/rouse/internal/policy"
)

func TestDefaultsAreValidAndWhatEmptyJSONMeans(t *testing.T) {
	if _, err := policy.New(policy.Default()); err != nil {
		t.Error(err)
	}
	var c policy.Config
	if err := json.Unmarshal([]byte(`{}`), &c); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(policy.Default(), c); diff != "" {
		t.Error(diff)
	}
}

func TestConfigSurvivesJSON(t *testing.T) {
	want := policy.Default()
	want.BacklogPerTask = policy.Auto
	want.Schedules = []policy.Schedule{{Start: "08:00", End: "07:00", Floor: 2}}
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got policy.Config
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Every number that is out of its range by one, below and above, is refused by
// an error that names the setting, the value and the range.
func TestEveryRangeIsEnforced(t *testing.T) {
	for _, s := range policy.Settings() {
		if s.Min == 0 && s.Max == 0 {
			continue
		}
		for _, value := range []float64{s.Min - 1, s.Max + 1} {
			number := strconv.FormatFloat(value, 'f', -1, 64)
			text := fmt.Sprintf(`{%q: %s}`, s.Name, number)
			var c policy.Config
			err := json.Unmarshal([]byte(text), &c)
			if err == nil {
				err = c.Validate()
			}
			want := fmt.Sprintf("policy.%s: is %s, must be %s", s.Name, number, s.Allowed)
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: got %v, want an error with %q", text, err, want)
			}
		}
	}
}

func TestEveryWrongTypeIsReportedAtOnce(t *testing.T) {
	var pairs []string
	for _, s := range policy.Settings() {
		pairs = append(pairs, fmt.Sprintf(`%q: {"wrong":"type"}`, s.Name))
	}
	var c policy.Config
	err := json.Unmarshal([]byte("{"+strings.Join(pairs, ",")+`,"max_task":1}`), &c)
	if err == nil {
		t.Fatal("wrong types were accepted")
	}
	for _, s := range policy.Settings() {
		if want := "policy." + s.Name + ": is {"; !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not say %q", want)
		}
	}
	if want := "policy.max_task: is not a setting"; !strings.Contains(err.Error(), want) {
		t.Errorf("the error does not say %q", want)
	}
}

func TestValuesThatAreNoneAreRefused(t *testing.T) {
	for _, text := range []string{
		`{"backlog_per_task":0}`, `{"backlog_per_task":"automatic"}`, `{"max_tasks":null}`, `{"max_tasks":1.5}`,
		`{"max_tasks":"5"}`, `{"schedules":[{"from":"08:00"}]}`, `{"delayed":"later"}`, `[]`, `{"kp":1e999}`,
	} {
		var c policy.Config
		err := json.Unmarshal([]byte(text), &c)
		if err == nil {
			err = c.Validate()
		}
		if err == nil {
			t.Errorf("%s was accepted", text)
		}
	}
}

func TestContradictionsAreReportedTogether(t *testing.T) {
	c := policy.Default()
	c.MinTasks, c.WakeLimit, c.BrakeRetrySeconds = 11, 12, 4000
	c.Schedules = []policy.Schedule{{Days: []string{"monday"}, Start: "8", End: "24:00", Timezone: "Mars/Base", Floor: 99, Ceiling: -1}}
	_, err := policy.New(c)
	if err == nil {
		t.Fatal("accepted")
	}
	for _, want := range []string{
		"min_tasks: is 11", "wake_limit: is 12", "brake_retry_seconds: is 4000",
		`schedules[0].days: is "monday"`, `schedules[0].start: is "8"`, `schedules[0].end: is "24:00"`,
		`schedules[0].timezone: is "Mars/Base"`, `schedules[0].floor: is "99"`, `schedules[0].ceiling: is "-1"`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not say %q:\n%v", want, err)
		}
	}
}

// Each reason is expected by a line of some timeline, and the timelines are all
// run: so each is reachable.
func TestEveryReasonIsReachable(t *testing.T) {
	files, _ := filepath.Glob("testdata/timelines/*.txt")
	var all strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			line, _, _ = strings.Cut(line, "#")
			all.WriteString(strings.TrimSpace(line) + "\n")
		}
	}
	for _, reason := range policy.Reasons() {
		if !strings.Contains(all.String(), " "+string(reason)+"\n") {
			t.Errorf("no timeline reaches %q", reason)
		}
	}
}
