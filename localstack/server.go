package localstack

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// closeTimeout bounds the wait for requests under way when the cloud closes.
const closeTimeout = time.Second

// server is an HTTP server on loopback. Its address is known before it has anything to serve.
type server struct {
	listener net.Listener
	http     *http.Server
}

// listen takes a loopback port; 0 takes any free one.
func listen(port int, logger *slog.Logger) (*server, error) {
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", fmt.Sprint(port)))
	if err != nil {
		return nil, fmt.Errorf("listen on loopback: %w", err)
	}
	return &server{listener: listener, http: &http.Server{
		ReadHeaderTimeout: 10 * time.Second,
		ErrorLog:          slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
	}}, nil
}

func (s *server) url() string { return "http://" + s.listener.Addr().String() }

func (s *server) serve(handler http.Handler) {
	s.http.Handler = handler
	go func() { _ = s.http.Serve(s.listener) }()
}

// close waits a moment for requests under way, then cuts them off.
func (s *server) close() {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	if s.http.Shutdown(ctx) != nil {
		_ = s.http.Close()
	}
	_ = s.listener.Close()
}
