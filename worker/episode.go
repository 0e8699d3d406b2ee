package worker

import (
	"log/slog"
	"sync"
	"time"
)

// episode turns a series of failures of one operation into two log lines: one
// when it begins and one when it is over. It is safe for concurrent use.
type episode struct {
	log  *slog.Logger
	name string // what is failing, as a fixed message: "receive"

	mu       sync.Mutex
	failures int
	since    time.Time
}

func newEpisode(log *slog.Logger, name string) *episode { return &episode{log: log, name: name} }

// failed notes a failure.
func (e *episode) failed(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.failures++
	if e.failures == 1 {
		e.since = time.Now()
		e.log.Warn(e.name+" failing", "error", err)
	}
}

// succeeded ends the episode, if there is one.
func (e *episode) succeeded() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.failures > 0 {
		e.log.Info(e.name+" recovered", "failures", e.failures, "seconds", time.Since(e.since).Seconds())
	}
	e.failures = 0
}
