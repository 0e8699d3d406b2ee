package worker

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// checkTimeout bounds one readiness check.
const checkTimeout = 5 * time.Second

var readyBackoff = backoff{base: 500 * time.Millisecond, max: 5 * time.Second}

// check is one thing that must be so before messages are claimed.
type check struct {
	name string
	run  func(context.Context) error
}

// checks lists what the handler and the settings ask for.
func checks(c Config, handler Handler, client *http.Client) []check {
	var all []check
	if readier, ok := handler.(Readier); ok {
		all = append(all, check{"handler", readier.Ready})
	}
	for _, address := range c.ReadyTCP {
		all = append(all, check{"tcp " + address, func(ctx context.Context) error { return dial(ctx, address) }})
	}
	for _, url := range c.ReadyHTTP {
		all = append(all, check{"http " + url, func(ctx context.Context) error { return get(ctx, client, url) }})
	}
	return all
}

func dial(ctx context.Context, address string) error {
	connection, err := new(net.Dialer).DialContext(ctx, "tcp", address)
	if err != nil {
		return err
	}
	return connection.Close()
}

// get succeeds if url answers 2xx.
func get(ctx context.Context, client *http.Client, url string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	response.Body.Close()
	if response.StatusCode/100 != 2 {
		return fmt.Errorf("answers status %d, must be 2xx", response.StatusCode)
	}
	return nil
}

// readiness shuts the gate while a check fails.
//
//	starting ──all pass──▶ ready ◀──all pass── unready
//	   │ timeout             └──one fails──▶──────┘
//	   ▼
//	  Run returns an error, nothing was claimed
type readiness struct {
	checks   []check
	timeout  time.Duration
	interval time.Duration
	gate     *gate
	log      *slog.Logger
}

// await opens the gate when all checks have passed once. It returns an error if
// that takes longer than the timeout, and ctx's if the worker is told to stop.
func (r *readiness) await(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, r.timeout, fmt.Errorf("not ready after %v", r.timeout))
	defer cancel()
	begun := time.Now()
	for n := 1; ; n++ {
		err := r.check(ctx)
		if err == nil {
			r.gate.clear(starting)
			r.log.Info("ready", "seconds", time.Since(begun).Seconds())
			return nil
		}
		r.gate.close(starting, err.Error())
		if !sleep(ctx, readyBackoff.delay(n)) {
			return fmt.Errorf("%w: %w", context.Cause(ctx), err)
		}
	}
}

// watch goes on checking until ctx is done.
func (r *readiness) watch(ctx context.Context) {
	failures := 0
	for sleep(ctx, r.pause(failures)) {
		err := r.check(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			failures++
			if r.gate.close(unready, err.Error()) {
				r.log.Warn("unready", "error", err)
			}
		default:
			failures = 0
			if r.gate.clear(unready) {
				r.log.Info("ready again")
			}
		}
	}
}

// pause is the time to the next check: the interval, or sooner after a failure.
func (r *readiness) pause(failures int) time.Duration {
	if failures == 0 {
		return r.interval
	}
	return min(r.interval, readyBackoff.delay(failures))
}

// check returns the first failure.
func (r *readiness) check(ctx context.Context) error {
	for _, c := range r.checks {
		if err := bounded(ctx, c.run); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return nil
}

// bounded calls f with the time of one check, and does not wait longer for it
// even if it ignores its context.
func bounded(ctx context.Context, f func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	done := make(chan error, 1)
	go func() {
		err := errExited
		defer func() {
			if v := recover(); v != nil {
				err = panicError{v}
			}
			done <- err
		}()
		err = f(ctx)
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}
