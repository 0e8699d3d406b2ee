package worker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

const (
	granted   = `{"protection":{"ProtectionEnabled":true,"ExpirationDate":"2030-01-01T00:00:00Z","TaskArn":"arn:aws:ecs:eu-west-1:0:task/c/t1"}}`
	dropped   = `{"protection":{"ProtectionEnabled":false,"TaskArn":"arn:aws:ecs:eu-west-1:0:task/c/t1"}}`
	blocked   = `{"failure":{"Arn":"arn","Reason":"DEPLOYMENT_BLOCKED","Detail":"a deployment waits"}}`
	throttled = `{"requestID":"r","error":{"Arn":"arn","Code":"ThrottlingException","Message":"slow down"}}`
)

// fakeAgent is the ECS agent, and whatever else is asked over HTTP, inside a bubble.
type fakeAgent struct {
	mu      sync.Mutex
	replies func() (int, string, error) // overrides the agent's own answer
	calls   []string                    // "on" and "off", with the time
	began   time.Time
}

func (a *fakeAgent) RoundTrip(r *http.Request) (*http.Response, error) {
	body, _ := io.ReadAll(r.Body)
	a.mu.Lock()
	defer a.mu.Unlock()
	on := strings.Contains(string(body), "true")
	a.calls = append(a.calls, fmt.Sprintf("%s %v", map[bool]string{true: "on", false: "off"}[on], time.Since(a.began)))
	status, text := 200, dropped
	if on {
		text = granted
	}
	if a.replies != nil {
		var err error
		if status, text, err = a.replies(); err != nil {
			return nil, err
		}
	}
	return &http.Response{StatusCode: status, Body: io.NopCloser(strings.NewReader(text)), Header: http.Header{}, Request: r}, nil
}

func (a *fakeAgent) answer(f func() (int, string, error)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.replies = f
}

func (a *fakeAgent) log() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]string(nil), a.calls...)
}

func protectedConfig(q *fakeQueue, a *fakeAgent) Config {
	c := testConfig(q)
	a.began = time.Now()
	c.AgentURI = "http://agent.test"
	c.Clients.HTTP = &http.Client{Transport: a}
	return c
}

// C04: a refusal, in whatever form, starts nothing.
func TestC04_RefusedProtectionStartsNothing(t *testing.T) {
	rows := map[string]func() (int, string, error){
		"a failure with status 200":    func() (int, string, error) { return 200, blocked, nil },
		"an error":                     func() (int, string, error) { return 400, throttled, nil },
		"a status without a body":      func() (int, string, error) { return 500, "", nil },
		"an empty object":              func() (int, string, error) { return 200, "{}", nil },
		"confirmation of the opposite": func() (int, string, error) { return 200, dropped, nil },
		"an unreachable agent":         func() (int, string, error) { return 0, "", errors.New("connection refused") },
	}
	for name, reply := range rows {
		t.Run(name, func(t *testing.T) { synctest.Test(t, func(t *testing.T) { refuses(t, reply) }) })
	}
}

func refuses(t *testing.T, reply func() (int, string, error)) {
	q, a := new(fakeQueue), new(fakeAgent)
	q.put("a", "b", "c")
	a.answer(reply)
	c := protectedConfig(q, a)
	c.PoolSize = 10
	var started atomic.Int32
	w, err := newWorker(t.Context(), c, HandlerFunc(func(context.Context, Message) error { started.Add(1); return nil }))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- w.run(ctx) }()
	after(500 * time.Millisecond)
	changes := read(q, func(q *fakeQueue) []changed { return q.changes })
	if started.Load() != 0 || len(changes) != 3 || changes[0].delay != 0 {
		t.Errorf("%d started and %d given back, want 0 and 3 at once", started.Load(), len(changes))
	}
	if state, cause := w.gate.state(); state != quiescing || cause == "" {
		t.Errorf("readiness says %q (%s), want quiescing and why", state, cause)
	}
	after(time.Hour)
	if n := read(q, func(q *fakeQueue) int { return q.handed }); n != 3 {
		t.Errorf("%d messages received while refused, want only the first 3", n)
	}
	if n := len(a.log()); n < 60 || n > 140 {
		t.Errorf("the agent was asked %d times in an hour, want back-off up to a minute", n)
	}
	a.answer(nil)
	after(2 * time.Minute)
	if started.Load() != 3 {
		t.Errorf("%d started once the agent agreed, want 3", started.Load())
	}
	cancel()
	<-ended
}

func TestProtectionIsOnlyAskedForOnEdges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, a := new(fakeQueue), new(fakeAgent)
		handler, _ := work(300 * time.Millisecond)
		r := start(t, protectedConfig(q, a), handler)
		for range 20 { // 20 jobs with gaps of 0.2 s
			q.put("x")
			after(500 * time.Millisecond)
		}
		after(10 * time.Second)
		if got := a.log(); len(got) != 2 || !strings.HasPrefix(got[0], "on") || !strings.HasPrefix(got[1], "off") {
			t.Errorf("calls %q, want one on and one off", got)
		}
		r.end(t)
		if n := len(a.log()); n != 2 {
			t.Errorf("%d calls after the stop of an unprotected worker, want no further one", n)
		}
	})
}

func TestProtectionIsRenewedForALongJob(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, a := new(fakeQueue), new(fakeAgent)
		q.put("x")
		c := protectedConfig(q, a)
		c.JobTimeoutSeconds = 43200
		handler, _ := work(5 * time.Hour)
		r := start(t, c, handler)
		after(5*time.Hour - time.Minute)
		if n := len(a.log()); n != 10 {
			t.Errorf("%d calls in five hours, want one each half hour", n)
		}
		r.end(t)
		if got := a.log(); !strings.HasPrefix(got[len(got)-1], "off") {
			t.Errorf("last call %q, want the protection dropped at the stop", got[len(got)-1])
		}
	})
}

// A renewal that is refused lets the running job go on and claims nothing new.
func TestC04_RefusedRenewalKeepsTheRunningJob(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, a := new(fakeQueue), new(fakeAgent)
		q.put("long")
		c := protectedConfig(q, a)
		c.PoolSize = 2
		handler, causes := work(50 * time.Minute)
		r := start(t, c, handler)
		after(time.Minute)
		a.answer(func() (int, string, error) { return 200, blocked, nil })
		after(40 * time.Minute)
		q.put("new")
		after(5 * time.Minute)
		if n := read(q, func(q *fakeQueue) int { return q.handed }); n > 2 {
			t.Errorf("%d messages received, want no claim that goes on after a refusal", n)
		}
		after(5 * time.Minute)
		if got := read(q, func(q *fakeQueue) []string { return q.deleted }); len(got) != 1 || got[0] != "long" || len(causes) != 0 {
			t.Errorf("deleted %q, want the long job, uncancelled", got)
		}
		r.end(t)
	})
}

func TestStopDuringTheCallForProtectionGivesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := new(fakeQueue)
		q.put("x")
		c := protectedConfig(q, new(fakeAgent))
		asked := make(chan struct{})
		c.Clients.HTTP = &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			close(asked)
			<-r.Context().Done()
			return nil, r.Context().Err()
		})}
		r := start(t, c, HandlerFunc(func(context.Context, Message) error { t.Error("started"); return nil }))
		<-asked
		if took := r.end(t); took > time.Second {
			t.Errorf("the stop took %v", took)
		}
		if len(q.changes) != 1 || q.changes[0].delay != 0 {
			t.Errorf("changes %v, want the message given back", q.changes)
		}
	})
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
