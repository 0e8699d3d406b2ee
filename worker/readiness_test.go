package worker

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// readier is a handler with a dependency that may be down.
type readier struct {
	Handler
	down atomic.Bool
}

func (r *readier) Ready(context.Context) error {
	if r.down.Load() {
		return errors.New("database: connection refused")
	}
	return nil
}

// C38: a dependency is down for a minute after the start, and again later.
func TestC38_NothingIsClaimedWhileADependencyIsDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := new(fakeQueue)
		q.put("first")
		inner, causes := work(time.Minute)
		handler := &readier{Handler: inner}
		handler.down.Store(true)
		c := testConfig(q)
		c.PoolSize = 2
		r := start(t, c, handler)
		after(time.Minute)
		if n := read(q, func(q *fakeQueue) int { return q.receives }); n != 0 {
			t.Fatalf("%d receives before the worker was ready, want none", n)
		}
		handler.down.Store(false)
		after(readyBackoff.max)
		if n := read(q, func(q *fakeQueue) int { return q.handed }); n != 1 {
			t.Fatalf("%d messages received once ready, want 1", n)
		}
		handler.down.Store(true)
		after(25 * time.Second) // noticed, and the poll under way has ended
		q.put("second")
		after(35 * time.Second)
		if n := read(q, func(q *fakeQueue) int { return q.handed }); n != 1 {
			t.Errorf("%d messages received while unready, want claiming paused", n)
		}
		if got := read(q, func(q *fakeQueue) []string { return q.deleted }); len(got) != 1 || len(causes) != 0 {
			t.Errorf("deleted %q, want the running job to have finished", got)
		}
		handler.down.Store(false)
		after(70 * time.Second)
		if n := read(q, func(q *fakeQueue) int { return len(q.deleted) }); n != 2 {
			t.Errorf("%d jobs done after the dependency came back, want 2", n)
		}
		r.end(t)
	})
}

func TestC38_RunFailsIfNeverReady(t *testing.T) {
	rows := map[string]Handler{
		"the check fails":       &neverReady{err: errors.New("no model")},
		"the check never ends":  &neverReady{hang: true},
		"the check only panics": &neverReady{panic: true},
	}
	for name, handler := range rows {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				q := new(fakeQueue)
				q.put("x")
				c := testConfig(q)
				c.ReadyTimeoutSeconds = 30
				begun := time.Now()
				err := Run(t.Context(), c, handler)
				if err == nil || !strings.Contains(err.Error(), "not ready after 30s") {
					t.Errorf("Run returned %v, want that it was not ready in time", err)
				}
				if took := time.Since(begun); took > 31*time.Second {
					t.Errorf("Run took %v", took)
				}
				if q.receives != 0 {
					t.Errorf("%d receives, want none", q.receives)
				}
			})
		})
	}
}

type neverReady struct {
	err         error
	hang, panic bool
}

func (*neverReady) Handle(context.Context, Message) error { return nil }

func (n *neverReady) Ready(ctx context.Context) error {
	if n.panic {
		panic("boom")
	}
	if n.hang {
		<-ctx.Done()
		return ctx.Err()
	}
	return n.err
}

func TestStopWhileStartingIsNoError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, testConfig(new(fakeQueue)), &neverReady{err: errors.New("no")})
		after(10 * time.Second)
		r.end(t)
	})
}

func TestReadinessChecksOfTheSettings(t *testing.T) {
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/up" {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	defer up.Close()
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	rows := []struct {
		name string
		c    Config
		want string
	}{
		{"nothing to check", Config{}, ""},
		{"a port that accepts", Config{ReadyTCP: []string{up.Listener.Addr().String()}}, ""},
		{"a port that refuses", Config{ReadyTCP: []string{closed.Addr().String()}}, "tcp " + closed.Addr().String()},
		{"a URL that answers 200", Config{ReadyHTTP: []string{up.URL + "/up"}}, ""},
		{"a URL that answers 503", Config{ReadyHTTP: []string{up.URL + "/down"}}, "http " + up.URL + "/down: answers status 503"},
		{"all must pass", Config{ReadyTCP: []string{up.Listener.Addr().String()}, ReadyHTTP: []string{up.URL + "/down"}}, "status 503"},
	}
	for _, row := range rows {
		r := readiness{checks: checks(row.c, HandlerFunc(done), up.Client())}
		err := r.check(t.Context())
		if (err == nil) != (row.want == "") || err != nil && !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v, want %q", row.name, err, row.want)
		}
	}
}
