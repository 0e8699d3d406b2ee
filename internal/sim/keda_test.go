package sim_test

import (
	"testing"
	"time"

	"github.com/rousehq/rouse/internal/sim"
)

// look is one row of a peer's sequence: what it sees at a second, and what it wants.
type look struct {
	at                int
	visible, inFlight int
	running           int
	want              int
}

// follow lets a controller see each row; the desired count follows what it says.
func follow(t *testing.T, c sim.Controller, desired int, looks []look) {
	t.Helper()
	for _, l := range looks {
		now := time.Duration(l.at) * time.Second
		got := c.Decide(sim.Sight{Now: now, Visible: l.visible, InFlight: l.inFlight, Desired: desired, Running: l.running, Slots: 1})
		if got != l.want {
			t.Fatalf("at %d s: got %d, want %d (%+v)", l.at, got, l.want, l)
		}
		desired = got
	}
}

func TestKEDAWakesOnItsOwnLoopAndDoublesFromFour(t *testing.T) {
	follow(t, &sim.KEDA{QueueLength: 5, Max: 100}, 0, []look{
		{at: 0, want: 0},
		{at: 15, visible: 200, want: 0}, // KEDA's loop is every 30 s
		{at: 30, visible: 200, want: 1},
		{at: 45, visible: 200, want: 4},
		{at: 60, visible: 200, want: 8},
		{at: 75, visible: 200, want: 16},
		{at: 90, visible: 200, want: 32},
		{at: 105, visible: 200, want: 40}, // 200 ÷ 5
	})
}

func TestKEDAHoldsWithinTheToleranceAndCountsWhatIsInFlight(t *testing.T) {
	follow(t, &sim.KEDA{QueueLength: 5, Max: 100}, 10, []look{
		{at: 15, visible: 30, inFlight: 24, want: 10}, // 54 ÷ 50 = 1.08
		{at: 30, visible: 30, inFlight: 26, want: 12}, // 56 ÷ 50 is beyond
	})
}

func TestKEDAShrinksToTheMostOfFiveMinutes(t *testing.T) {
	k := &sim.KEDA{QueueLength: 5, Max: 100}
	var looks []look
	looks = append(looks, look{at: 0, visible: 100, want: 20}, look{at: 15, visible: 10, want: 20})
	for at := 30; at < 300; at += 15 {
		looks = append(looks, look{at: at, visible: 10, want: 20})
	}
	looks = append(looks, look{at: 300, visible: 10, want: 2})
	follow(t, k, 20, looks)
}

func TestKEDAGoesToZeroFiveMinutesAfterTheLastActivity(t *testing.T) {
	k := &sim.KEDA{QueueLength: 5, Max: 100}
	looks := []look{{at: 0, visible: 1, want: 1}}
	for at := 15; at <= 300; at += 15 {
		looks = append(looks, look{at: at, want: 1})
	}
	looks = append(looks, look{at: 315, want: 1}, look{at: 330, want: 0})
	follow(t, k, 0, looks)
}
