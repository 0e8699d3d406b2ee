//go:build unix

package adapter

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rousehq/rouse/worker"
)

func shell(t *testing.T, script string) (*Exec, *bytes.Buffer) {
	t.Helper()
	var log bytes.Buffer
	e := &Exec{Args: []string{"sh", "-c", script}, Logger: slog.New(slog.NewJSONHandler(&log, nil))}
	if err := e.Check(); err != nil {
		t.Fatal(err)
	}
	return e, &log
}

func TestExitCodes(t *testing.T) {
	rows := []struct {
		name, script string
		failed       bool
		permanent    bool
		reason       string
	}{
		{"0 is done", "exit 0", false, false, ""},
		{"65 is permanent", "echo no such report >&2; exit 65", true, true, "exit status 65: no such report"},
		{"75 is retried", "exit 75", true, false, "exit status 75"},
		{"1 is retried", "echo out; echo broken >&2; exit 1", true, false, "exit status 1: broken"},
		{"a signal is retried", "kill -9 $$", true, false, "signal: killed"},
		{"the reason is bounded", "head -c 100000 /dev/zero | tr '\\0' x >&2; exit 1", true, false, strings.Repeat("x", maxTail)},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			e, _ := shell(t, row.script)
			err := e.Handle(t.Context(), worker.Message{ID: "m"})
			if (err != nil) != row.failed {
				t.Fatalf("Handle returned %v", err)
			}
			if err != nil && (!strings.Contains(err.Error(), row.reason) || len(err.Error()) > 2*maxTail) {
				t.Errorf("the error is %q, want it to have %q", err, row.reason)
			}
			if got := worker.IsPermanent(err); got != row.permanent {
				t.Errorf("permanent is %v, want %v", got, row.permanent)
			}
		})
	}
}

func TestBodyArrivesOnStandardInput(t *testing.T) {
	body := strings.Repeat("0123456789abcdef", 1<<16) // 1 MiB
	out := filepath.Join(t.TempDir(), "body")
	e, _ := shell(t, `cat > "$OUT"`)
	e.Environ = append(os.Environ(), "OUT="+out)
	if err := e.Handle(t.Context(), worker.Message{Body: body}); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(out); err != nil || string(got) != body {
		t.Errorf("the command read %d bytes (%v), want %d", len(got), err, len(body))
	}
}

func TestCommandThatDoesNotReadItsBodySucceeds(t *testing.T) {
	e, _ := shell(t, "exit 0")
	if err := e.Handle(t.Context(), worker.Message{Body: strings.Repeat("x", 1<<20)}); err != nil {
		t.Error(err)
	}
}

func TestEnvironment(t *testing.T) {
	inherited := []string{"PATH=/bin", "AWS_REGION=eu-west-1", "ECS_AGENT_URI=http://agent", "ROUSE_MESSAGE_ID=forged", "ROUSE_ATTRIBUTE_ADMIN=1", "ROUSE_TABLE=t"}
	m := worker.Message{
		ID: "m1", ReceiveCount: 3, GroupID: "g", SentAt: time.UnixMilli(1_700_000_000_123), TraceHeader: "Root=1",
		Attributes: map[string]worker.Attribute{
			"PATH":             {DataType: "String", Text: "/evil"},
			"LD_PRELOAD":       {DataType: "String", Text: "/evil.so"},
			"x=y\nPATH":        {DataType: "String", Text: "a\nb"},
			"customer.id":      {DataType: "Number.int", Text: "7"},
			"customer-id":      {DataType: "Number", Text: "8"},
			"photo":            {DataType: "Binary.png", Binary: []byte{0, 1, 255}},
			"null":             {DataType: "String", Text: "a\x00b"},
			"ünïcode":          {DataType: "String", Text: "ü"},
			"large":            {DataType: "String", Text: strings.Repeat("x", maxValue+1)},
			"ROUSE_MESSAGE_ID": {DataType: "String", Text: "forged"},
		},
	}
	want := []string{
		"PATH=/bin", "AWS_REGION=eu-west-1", "ROUSE_TABLE=t",
		"ROUSE_MESSAGE_ID=m1", "ROUSE_RECEIVE_COUNT=3", "ROUSE_SENT_AT=2023-11-14T22:13:20.123Z", "ROUSE_GROUP_ID=g", "_X_AMZN_TRACE_ID=Root=1",
		"ROUSE_ATTRIBUTE_LD_PRELOAD=/evil.so", "ROUSE_ATTRIBUTE_PATH=/evil", "ROUSE_ATTRIBUTE_ROUSE_MESSAGE_ID=forged",
		"ROUSE_ATTRIBUTE_CUSTOMER_ID=8", "ROUSE_ATTRIBUTE_NULL=ab", "ROUSE_ATTRIBUTE_PHOTO=AAH/",
		"ROUSE_ATTRIBUTE_X_Y_PATH=a\nb", "ROUSE_ATTRIBUTE__N_CODE=ü", "ROUSE_ATTRIBUTES_OMITTED=CUSTOMER_ID,LARGE",
	}
	got := environment(inherited, m)
	if strings.Join(got, "\x00") != strings.Join(want, "\x00") {
		t.Errorf("environment:\n%q\nwant:\n%q", got, want)
	}
}

// Attributes as large as SQS allows must not keep the command from starting.
func TestLargestAttributesDoNotKeepTheCommandFromStarting(t *testing.T) {
	m := worker.Message{Attributes: make(map[string]worker.Attribute)}
	for i := range 10 {
		m.Attributes["a"+strconv.Itoa(i)] = worker.Attribute{DataType: "String", Text: strings.Repeat("x", 100*1024)}
	}
	e, _ := shell(t, `test -n "$ROUSE_ATTRIBUTES_OMITTED"`)
	if err := e.Handle(t.Context(), m); err != nil {
		t.Error(err)
	}
}

func TestCancellationEndsTheWholeGroup(t *testing.T) {
	rows := map[string]struct {
		script string
		within time.Duration
	}{
		"a command that obeys":           {`sleep 100 & echo $! > "$PID"; echo started; wait`, killAfter},
		"a command that ignores SIGTERM": {`trap '' TERM; (trap '' TERM; sleep 100) & echo $! > "$PID"; echo started; while :; do sleep 1; done`, 2 * killAfter},
	}
	for name, row := range rows {
		t.Run(name, func(t *testing.T) {
			pid := filepath.Join(t.TempDir(), "pid")
			ctx, cancel := context.WithCancelCause(t.Context())
			e, _ := shell(t, row.script)
			started := make(chan struct{})
			e.Logger = slog.New(slog.NewJSONHandler(writerFunc(func(p []byte) { close(started) }), nil))
			e.Environ = append(os.Environ(), "PID="+pid)
			ended := make(chan error, 1)
			go func() { ended <- e.Handle(ctx, worker.Message{}) }()
			<-started
			begun := time.Now()
			cancel(worker.ErrStopping)
			if err := <-ended; !errors.Is(err, worker.ErrStopping) {
				t.Errorf("Handle returned %v, want the cause", err)
			}
			if took := time.Since(begun); took > row.within {
				t.Errorf("took %v, want at most %v", took, row.within)
			}
			expectDead(t, pid)
		})
	}
}

// A command that leaves a process behind must not leave it to the worker.
func TestWhatACommandLeavesBehindIsKilled(t *testing.T) {
	pid := filepath.Join(t.TempDir(), "pid")
	e, _ := shell(t, `sleep 100 >/dev/null 2>&1 & echo $! > "$PID"`)
	e.Environ = append(os.Environ(), "PID="+pid)
	if err := e.Handle(t.Context(), worker.Message{}); err != nil {
		t.Fatal(err)
	}
	expectDead(t, pid)
}

// expectDead fails unless the process whose id is in file is gone or a zombie.
func expectDead(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	for range 100 { // SIGKILL was sent; the kernel may need a moment
		state, err := exec.Command("ps", "-o", "stat=", "-p", strconv.Itoa(pid)).Output()
		if err != nil || strings.HasPrefix(strings.TrimSpace(string(state)), "Z") {
			return
		}
	}
	_ = syscall.Kill(pid, syscall.SIGKILL)
	t.Errorf("process %d is alive", pid)
}

type writerFunc func([]byte)

func (f writerFunc) Write(p []byte) (int, error) { f(p); return len(p), nil }

func TestOutputIsLoggedLineByLineWithinBounds(t *testing.T) {
	e, log := shell(t, `printf 'one\ntwo\n\nthree'; head -c 20000 /dev/zero | tr '\0' y; echo; i=0; while [ $i -lt 50 ]; do head -c 8000 /dev/zero | tr '\0' z; echo; i=$((i+1)); done`)
	if err := e.Handle(t.Context(), worker.Message{ID: "m", Body: "secret"}); err != nil {
		t.Fatal(err)
	}
	text := log.String()
	for _, want := range []string{`"line":"one"`, `"line":"two"`, `"stream":"stdout"`, `"message_id":"m"`, `"msg":"job output omitted"`} {
		if !strings.Contains(text, want) {
			t.Errorf("the log lacks %s", want)
		}
	}
	if len(text) > maxOutput+maxLine+50*200 {
		t.Errorf("%d bytes were logged, want at most %d and the lines' frames", len(text), maxOutput)
	}
	if strings.Contains(text, "secret") {
		t.Error("the body was logged")
	}
}

func TestCheck(t *testing.T) {
	for _, args := range [][]string{nil, {""}, {"no-such-command-anywhere"}} {
		if err := (&Exec{Args: args}).Check(); err == nil {
			t.Errorf("Check of %q found nothing wrong", args)
		}
	}
}
