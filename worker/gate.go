package worker

import (
	"context"
	"sync"
)

// condition is a reason for which nothing may be claimed.
type condition string

// The conditions, the one that is reported first being first.
const (
	draining  condition = "draining"  // the worker stops
	starting  condition = "starting"  // it has not been ready yet
	unready   condition = "unready"   // it was ready and is no longer
	exhausted condition = "exhausted" // too many handlers never returned
	quiescing condition = "quiescing" // scale-in protection is refused
)

var conditions = []condition{draining, starting, unready, exhausted, quiescing}

// gate is open while no condition stands. Claiming waits at it; whoever finds a
// condition shuts it. It is safe for concurrent use.
type gate struct {
	onChange func()

	mu     sync.Mutex
	shut   map[condition]string // with what is known of the cause
	opened chan struct{}        // closed while the gate is open
}

// newGate returns a gate that is shut because the worker is starting.
func newGate(onChange func()) *gate {
	return &gate{onChange: onChange, shut: map[condition]string{starting: "readiness not checked yet"}, opened: make(chan struct{})}
}

// close shuts the gate for a condition and reports whether that is new.
func (g *gate) close(c condition, cause string) bool {
	g.mu.Lock()
	_, stood := g.shut[c]
	if len(g.shut) == 0 {
		g.opened = make(chan struct{})
	}
	g.shut[c] = cause
	g.mu.Unlock()
	if !stood {
		g.onChange()
	}
	return !stood
}

// clear ends a condition and reports whether it stood.
func (g *gate) clear(c condition) bool {
	g.mu.Lock()
	_, stood := g.shut[c]
	delete(g.shut, c)
	if stood && len(g.shut) == 0 {
		close(g.opened)
	}
	g.mu.Unlock()
	if stood {
		g.onChange()
	}
	return stood
}

// wait returns when the gate is open, or with the context's error.
func (g *gate) wait(ctx context.Context) error {
	g.mu.Lock()
	opened := g.opened
	g.mu.Unlock()
	select {
	case <-opened:
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// state returns the first condition that stands and its cause; both are empty
// when the gate is open.
func (g *gate) state() (condition, string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, c := range conditions {
		if cause, stands := g.shut[c]; stands {
			return c, cause
		}
	}
	return "", ""
}

// open reports whether messages may be claimed.
func (g *gate) open() bool {
	c, _ := g.state()
	return c == ""
}
