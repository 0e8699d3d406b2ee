package worker

import (
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

// pulse shows that one claim loop is alive. Waiting for readiness or for a slot
// is no sign of trouble; a step that should be short and does not end is.
type pulse struct {
	since   atomic.Int64 // Unix nanoseconds of the step under way; 0 if there is none
	failing atomic.Int64 // Unix nanoseconds of the first failure in a row; 0 if the last claim was good
}

// begin says that a step which should end soon is under way.
func (p *pulse) begin() { p.since.Store(time.Now().UnixNano()) }

// end says that the step has ended, and how.
func (p *pulse) end(err error) {
	p.since.Store(0)
	if err == nil {
		p.failing.Store(0)
	} else {
		p.failing.CompareAndSwap(0, time.Now().UnixNano())
	}
}

// health decides whether the process should be replaced.
type health struct {
	pulses []*pulse
	stall  time.Duration
	wait   time.Duration // of a long poll, which is no stall
	slots  *slots
	gate   *gate
}

// check returns why the process is not healthy at now, or nil. A worker that
// cannot receive is unhealthy only while it has nothing to lose: running jobs are
// never killed because the queue does not answer.
func (h *health) check(now time.Time) error {
	if state, cause := h.gate.state(); state == exhausted {
		return errors.New(cause)
	}
	for _, p := range h.pulses {
		if stuck := age(&p.since, now); stuck > h.stall+h.wait {
			return fmt.Errorf("claim loop stuck for %v", stuck.Round(time.Second))
		}
		if failing := age(&p.failing, now); failing > h.stall && h.slots.busy() == 0 {
			return fmt.Errorf("no receive has succeeded for %v", failing.Round(time.Second))
		}
	}
	return nil
}

func age(mark *atomic.Int64, now time.Time) time.Duration {
	at := mark.Load()
	if at == 0 {
		return 0
	}
	return now.Sub(time.Unix(0, at))
}
