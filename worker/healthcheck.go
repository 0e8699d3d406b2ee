package worker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// Healthcheck asks the worker that serves on address, a WORKER_HTTP_ADDRESS, on
// this host for its /healthz. It returns nil if the worker is healthy, and an
// error with the worker's own words if it is not. A container's health check
// calls it through "worker healthcheck", which needs no shell and no curl.
func Healthcheck(ctx context.Context, address string) error {
	if address == "" {
		return errors.New("WORKER_HTTP_ADDRESS is empty: the worker serves no health check")
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return wrong("WORKER_HTTP_ADDRESS", address, "[host]:port")
	}
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	url := "http://" + net.JoinHostPort(local(host), port) + "/healthz"
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return fmt.Errorf("healthcheck: %w", err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("healthcheck: %w", err)
	}
	defer response.Body.Close()
	return verdictOf(response)
}

func verdictOf(response *http.Response) error {
	if response.StatusCode == http.StatusOK {
		return nil
	}
	body, _ := io.ReadAll(io.LimitReader(response.Body, 1024)) // the status alone says enough
	return fmt.Errorf("unhealthy: %s", strings.TrimSpace(string(body)))
}

// local turns the address that a server listens on into one to reach it at.
func local(host string) string {
	switch host {
	case "", "0.0.0.0":
		return "127.0.0.1"
	case "::":
		return "::1"
	default:
		return host
	}
}
