package worker

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// routes serves what orchestrators and people ask of a worker:
//
//	/healthz  200, or 503 and why the process should be replaced
//	/readyz   200, or 503 and why nothing is claimed: "starting: …", "quiescing: …", "draining: …"
//	/metrics  Prometheus
func routes(h *health, g *gate, m *metrics) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		if err := h.check(time.Now()); err != nil {
			say(w, http.StatusServiceUnavailable, err.Error())
			return
		}
		say(w, http.StatusOK, "ok")
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if state, cause := g.state(); state != "" {
			say(w, http.StatusServiceUnavailable, string(state)+": "+cause)
			return
		}
		say(w, http.StatusOK, "ready")
	})
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{}))
	return mux
}

func say(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text+"\n") // a client that left is nobody's problem
}

// serve listens on address and serves until the returned function is called. An
// empty address serves nothing.
func serve(ctx context.Context, address string, handler http.Handler) (stop func(), err error) {
	if address == "" {
		return func() {}, nil
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("serve WORKER_HTTP_ADDRESS: %w", err)
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 5 * time.Second}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(listener) // always returns ErrServerClosed after Close
	}()
	return func() {
		_ = server.Close() // nothing is left to be done about its error
		<-done
	}, nil
}
