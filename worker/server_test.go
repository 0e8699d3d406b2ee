package worker

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
)

// C45: a claim loop that is stuck, or that fails for long while there is nothing to lose.
func TestC45_HealthFailsWhenTheClaimLoopIsStuck(t *testing.T) {
	release := make(chan struct{})
	rows := map[string]struct {
		receive func(context.Context, *sqs.ReceiveMessageInput) (*sqs.ReceiveMessageOutput, error)
		healthy bool
	}{
		"a receive that never returns": {func(context.Context, *sqs.ReceiveMessageInput) (*sqs.ReceiveMessageOutput, error) {
			<-release
			return nil, errors.New("released")
		}, false},
		"receives that always fail": {func(context.Context, *sqs.ReceiveMessageInput) (*sqs.ReceiveMessageOutput, error) {
			return nil, errors.New("denied")
		}, false},
		"an empty queue": {func(ctx context.Context, in *sqs.ReceiveMessageInput) (*sqs.ReceiveMessageOutput, error) {
			return new(fakeQueue).take(ctx, in)
		}, true},
	}
	for name, row := range rows {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				release = make(chan struct{})
				q := &fakeQueue{onReceive: row.receive}
				w, err := newWorker(t.Context(), testConfig(q), HandlerFunc(done))
				if err != nil {
					t.Fatal(err)
				}
				ctx, cancel := context.WithCancel(t.Context())
				ended := make(chan error)
				go func() { ended <- w.run(ctx) }()
				after(100 * time.Second)
				if err := w.health.check(time.Now()); err != nil {
					t.Errorf("unhealthy after 100 s: %v", err)
				}
				after(100 * time.Second)
				if err := w.health.check(time.Now()); (err == nil) != row.healthy {
					t.Errorf("after 200 s the health is %v, want healthy: %v", err, row.healthy)
				}
				close(release)
				cancel()
				<-ended
			})
		})
	}
}

// A job that runs for hours and takes the only slot is no stall.
func TestC45_BusyWorkerIsHealthy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := new(fakeQueue)
		q.put("x")
		c := testConfig(q)
		c.JobTimeoutSeconds = 43200
		handler, _ := work(3 * time.Hour)
		w, err := newWorker(t.Context(), c, handler)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- w.run(ctx) }()
		after(2 * time.Hour)
		if err := w.health.check(time.Now()); err != nil {
			t.Error(err)
		}
		cancel()
		<-ended
	})
}

func TestRoutesAndHealthcheck(t *testing.T) {
	w, err := newWorker(t.Context(), testConfig(new(fakeQueue)), HandlerFunc(done))
	if err != nil {
		t.Fatal(err)
	}
	defer w.pool.Close()
	server := httptest.NewServer(routes(w.health, w.gate, w.metrics))
	defer server.Close()
	expect := func(path string, status int, want string) {
		t.Helper()
		response, err := http.Get(server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		body, _ := io.ReadAll(response.Body)
		if response.StatusCode != status || !strings.Contains(string(body), want) {
			t.Errorf("%s answers %d %s, want %d %q", path, response.StatusCode, body, status, want)
		}
	}
	address := server.Listener.Addr().String()
	expect("/readyz", 503, "starting: ")
	w.gate.clear(starting)
	expect("/readyz", 200, "ready")
	w.gate.close(quiescing, "DEPLOYMENT_BLOCKED")
	expect("/readyz", 503, "quiescing: DEPLOYMENT_BLOCKED")
	expect("/healthz", 200, "ok")
	expect("/metrics", 200, `rouse_worker_jobs_total{outcome="succeeded"} 0`)
	if err := Healthcheck(t.Context(), address); err != nil {
		t.Error(err)
	}
	w.gate.close(exhausted, "1 handlers ignore their cancelled context")
	expect("/healthz", 503, "ignore their cancelled context")
	if err := Healthcheck(t.Context(), address); err == nil || !strings.Contains(err.Error(), "ignore") {
		t.Errorf("Healthcheck returned %v, want the worker's words", err)
	}
}
