// Package moto starts moto_server, the AWS double that stands behind the local cloud's endpoint and keeps what the
// endpoint does not serve itself: DynamoDB, IAM, ECS definitions, Lambda functions, schedules, metrics, logs.
package moto

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"time"

	"github.com/rousehq/rouse/localstack/process"
)

// Version is the moto_server release whose gaps the endpoint fills.
const Version = "5.2.1"

const (
	program      = "moto_server"
	startTimeout = 30 * time.Second
	stopGrace    = 2 * time.Second
	probePeriod  = 50 * time.Millisecond
)

// ErrMissing says that moto_server is not on PATH, and what to type.
var ErrMissing = errors.New("moto_server is not on PATH; run: python3 -m pip install 'moto[server]==" + Version + "'")

// Server is a running moto_server that listens on loopback only.
type Server struct {
	url   *url.URL
	group *process.Group
}

// Look returns the path of moto_server, or ErrMissing.
func Look() (string, error) {
	path, err := exec.LookPath(program)
	if err != nil {
		return "", ErrMissing
	}
	return path, nil
}

// Start starts moto_server on a free port and returns once it answers. Its log goes to output; nil drops it.
func Start(ctx context.Context, output io.Writer) (*Server, error) {
	path, err := Look()
	if err != nil {
		return nil, err
	}
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(path, "-H", "127.0.0.1", "-p", strconv.Itoa(port))
	cmd.Env = append(os.Environ(), "AWS_ACCESS_KEY_ID=test", "AWS_SECRET_ACCESS_KEY=test", "PYTHONUNBUFFERED=1")
	cmd.Stdout, cmd.Stderr = output, output
	group, err := process.Start(cmd)
	if err != nil {
		return nil, err
	}
	s := &Server{url: &url.URL{Scheme: "http", Host: net.JoinHostPort("127.0.0.1", strconv.Itoa(port))}, group: group}
	if err := s.awaitReady(ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// URL is where the server listens.
func (s *Server) URL() *url.URL { return s.url }

// Done is closed when the server has ended, by Close or by itself.
func (s *Server) Done() <-chan struct{} { return s.group.Done() }

// Close stops the server within a few seconds.
func (s *Server) Close() { s.group.Stop(stopGrace) }

func (s *Server) awaitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	probe := time.NewTicker(probePeriod)
	defer probe.Stop()
	for !s.answers(ctx) {
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for moto_server on %s: %w", s.url, ctx.Err())
		case <-s.group.Done():
			return fmt.Errorf("start moto_server: it exited with code %d", s.group.Wait().Code)
		case <-probe.C:
		}
	}
	return nil
}

func (s *Server) answers(ctx context.Context) bool {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url.JoinPath("moto-api", "data.json").String(), nil)
	if err != nil {
		return false
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

// freePort asks the system for a port. Another program may take it before moto_server does; then Start fails.
func freePort() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("find a free port: %w", err)
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port, nil
}
