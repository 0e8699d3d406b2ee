package demo

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rousehq/rouse/internal/workload"
	"github.com/rousehq/rouse/localstack/rig"
)

func TestEveryOptionOutOfRangeIsReportedAtOnce(t *testing.T) {
	err := Options{Jobs: 0, Work: time.Hour, Tick: 61, Idle: -1, MaxTasks: 101, Slots: 0, StartDelay: -1, Timeout: time.Second}.Validate()
	if err == nil {
		t.Fatal("accepted")
	}
	for _, name := range []string{"-jobs: is 0", "-work: is 1h0m0s", "-tick: is 61", "-idle: is -1", "-max-tasks: is 101", "-slots: is 0", "-start-delay: is -1ns", "-timeout: is 1s"} {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("the error does not say %q:\n%v", name, err)
		}
	}
	if err := Default().Validate(); err != nil {
		t.Errorf("the defaults: %v", err)
	}
}

func TestTheBooksTellOnceTwiceAndNever(t *testing.T) {
	results := map[string]rig.Result{
		"a": {Result: workload.Result{Job: "a"}, Completions: 1},
		"b": {Result: workload.Result{Job: "b"}, Completions: 2},
	}
	got := audit([]string{"a", "b", "d", "c"}, results)
	want := accounts{once: 1, repeated: []string{"b"}, missing: []string{"c", "d"}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(accounts{})); diff != "" {
		t.Error(diff)
	}
}

// A panel is taken back line by line, so none of its lines may wrap.
func TestNoLineOfThePanelWraps(t *testing.T) {
	var out strings.Builder
	s := newScreen(&out, 20)
	if _, err := s.Write([]byte(strings.Repeat("long ", 40) + "\n")); err != nil {
		t.Fatal(err)
	}
	s.view(view{at: time.Second, done: 3}, 10)
	s.line("the end")
	for line := range strings.Lines(out.String()) {
		text := line[strings.LastIndexByte(line, 'J')+1:]
		if n := len([]rune(strings.TrimSuffix(text, "\n"))); n >= 20 {
			t.Errorf("%d characters: %q", n, text)
		}
	}
	if got := strings.Count(out.String(), "\x1b["); got != 4 { // two panels taken back, up and erase each
		t.Errorf("%d control sequences, want 4", got)
	}
}

func TestPlainOutputSaysWhatChanged(t *testing.T) {
	var out strings.Builder
	s := newScreen(&out, 0)
	for i := range 20 {
		s.view(view{at: time.Duration(i) * 500 * time.Millisecond, done: i / 10}, 2)
	}
	if got := strings.Count(out.String(), "\n"); got != 2 {
		t.Errorf("%d lines for two states in ten seconds:\n%s", got, out.String())
	}
	if strings.Contains(out.String(), "\x1b") {
		t.Error("a control sequence in plain output")
	}
}
