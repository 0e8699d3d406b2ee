package sim_test

import (
	"testing"
	"time"

	"github.com/rousehq/rouse/internal/sim"
)

func TestBuildkiteWithoutCooldowns(t *testing.T) {
	follow(t, &sim.Buildkite{PerTask: 4, Max: 20}, 0, []look{
		{at: 0, visible: 1, want: 1},
		{at: 10, visible: 9, inFlight: 4, want: 4}, // ⌈13 ÷ 4⌉
		{at: 20, visible: 900, want: 20},
		{at: 30, want: 0},
		{at: 40, visible: 5, want: 2},
		{at: 50, visible: 50, want: 2}, // the Lambda has ended
		{at: 60, visible: 50, want: 13},
	})
}

func TestBuildkiteWithTheCooldownsOfItsTemplate(t *testing.T) {
	b := &sim.Buildkite{PerTask: 1, Max: 20, CooldownOut: 300 * time.Second, CooldownIn: 3600 * time.Second}
	follow(t, b, 0, []look{
		{at: 0, visible: 2, want: 2},
		{at: 10, visible: 9, want: 2},
		{at: 290 + 10, visible: 9, want: 9},
		{at: 310, visible: 1, want: 1}, // the first shrink
		{at: 320, want: 1},
		{at: 620, visible: 3, want: 3},
		{at: 3900, want: 3},
		{at: 3910, want: 0},
	})
}
