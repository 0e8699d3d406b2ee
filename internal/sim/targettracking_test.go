package sim_test

import (
	"testing"
	"time"

	"github.com/rousehq/rouse/internal/sim"
)

func tracking() *sim.TargetTracking {
	return &sim.TargetTracking{Target: 10, Max: 100, CooldownOut: 300 * time.Second, CooldownIn: 300 * time.Second}
}

// A step to ten times the target, just after the datapoint of the minute, needs
// three datapoints and the minute until the last of them is published. A larger
// one then waits for the cool-down.
func TestTargetTrackingTriggersOnTheThirdDatapoint(t *testing.T) {
	follow(t, tracking(), 1, []look{
		{at: 0, running: 1, visible: 5, want: 1},
		{at: 60, running: 1, visible: 100, want: 1},
		{at: 120, running: 1, visible: 100, want: 1},
		{at: 180, running: 1, visible: 100, want: 1},
		{at: 240, running: 1, visible: 100, want: 10}, // 1 × 100 ÷ 10
		{at: 300, running: 10, visible: 400, want: 10},
		{at: 360, running: 10, visible: 400, want: 10},
		{at: 420, running: 10, visible: 400, want: 10},
		{at: 480, running: 10, visible: 400, want: 10},
		{at: 540, running: 10, visible: 400, want: 40},
	})
}

func TestTargetTrackingShrinksAfterFifteenDatapoints(t *testing.T) {
	var looks []look
	for minute := range 15 {
		looks = append(looks, look{at: 60 * minute, running: 10, visible: 50, want: 10})
	}
	// 10 × 5 ÷ 10
	looks = append(looks, look{at: 900, running: 10, visible: 50, want: 5})
	follow(t, tracking(), 10, looks)
}

func TestTargetTrackingWakesToOneTask(t *testing.T) {
	follow(t, tracking(), 0, []look{
		{at: 0, visible: 500, want: 0}, {at: 60, visible: 500, want: 0},
		{at: 120, visible: 500, want: 0}, {at: 180, visible: 500, want: 1},
	})
}

func TestCopilotNeverWakesForOneMessageIfItsTargetIsOne(t *testing.T) {
	var looks []look
	for minute := range 60 {
		looks = append(looks, look{at: 60 * minute, visible: 1, want: 0})
	}
	follow(t, sim.NewCopilot(10*time.Second, 10*time.Second, 0, 10), 0, looks)
}

func TestCopilotRoundsTheBacklogUp(t *testing.T) {
	c := sim.NewCopilot(25*time.Second, 10*time.Second, 0, 50)
	if c.Target != 3 {
		t.Fatalf("target %v, want 3", c.Target)
	}
	// 10 ÷ 3 is 3.3, and 4 to Copilot: above its target.
	follow(t, c, 3, []look{
		{at: 0, running: 3, visible: 10, want: 3}, {at: 60, running: 3, visible: 10, want: 3},
		{at: 120, running: 3, visible: 10, want: 3}, {at: 180, running: 3, visible: 10, want: 4},
	})
}

func TestStepScalingAddsTheDifferenceDuringTheCooldown(t *testing.T) {
	s := &sim.StepScaling{Steps: sim.CDKSteps(), Min: 1, Max: 50, Cooldown: 300 * time.Second}
	follow(t, s, 1, []look{
		{at: 0, visible: 100, want: 1},  // not published yet
		{at: 60, visible: 500, want: 2}, // the 100: one more
		{at: 120, visible: 99, want: 6}, // the 500: five, of which one was added
		{at: 180, visible: 0, want: 6},  // the 99: nothing
		{at: 240, visible: 0, want: 6},  // the 0: blocked by the cool-down
		{at: 300, visible: 0, want: 6},
		{at: 360, visible: 0, want: 6},
		{at: 420, visible: 0, want: 5}, // 300 s after the scale-out
		{at: 480, visible: 0, want: 5}, // and its own cool-down
	})
}
