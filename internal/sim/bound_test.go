package sim_test

import (
	"testing"
	"time"

	"github.com/rousehq/rouse/internal/sim"
)

func TestTheBoundByHand(t *testing.T) {
	// An SLO of 14 s and two minutes: 134 s apart they cannot share a minute.
	for _, c := range []struct {
		name   string
		at     []time.Duration
		starts int
		hours  float64
	}{
		{"one message is billed for a minute", seconds(0), 1, 60.0 / 3600},
		{"two that are close share it", seconds(0, 133), 1, 60.0 / 3600},
		{"two that are apart do not", seconds(0, 134), 2, 120.0 / 3600},
		{"much work is billed as it is", make([]time.Duration, 100), 1, 1000.0 / 3600},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, err := sim.LowerBound(plain(10*time.Minute, c.at...))
			if err != nil || b.Starts != c.starts {
				t.Errorf("got %+v, %v, want %d starts", b, err, c.starts)
			}
			near(t, "task-hours", b.TaskHours(), c.hours, 1e-12)
		})
	}
}
