package sim_test

import (
	"testing"
	"time"

	"github.com/rousehq/rouse/internal/sim"
)

func TestKnativeLawPanicsAndCalmsDown(t *testing.T) {
	law := sim.KnativeLaw{Target: 10}
	for _, c := range []struct {
		at                time.Duration
		stable, panicking float64
		ready, want       int
	}{
		{0, 15, 15, 1, 2},        // ⌈1.5⌉; two for one ready is the panic threshold
		{2, 5, 5, 2, 2},          // panicking: no shrinking
		{4, 30, 90, 2, 9},        // and by the greater mean
		{62, 30, 30, 9, 9},       // calm since 4 s, but not for longer than 60 s
		{66, 30, 30, 9, 4},       // calm: 3 are wanted, at most half of 9 may go
		{68, 0, 0, 1, 0},         // ⌊1 ÷ 2⌋
		{70, 19, 19, 1, 2},       // panic again
		{72, 19, 90000, 1, 1000}, // at most × 1000
	} {
		if got := law.Scale(c.at*time.Second, c.stable, c.panicking, c.ready); got != c.want {
			t.Fatalf("at %d s: got %d, want %d", c.at, got, c.want)
		}
	}
}

func TestKnativeGoesToZeroAfterWindowAndGrace(t *testing.T) {
	k := sim.NewKnative(10, 0, 100)
	looks := []look{{at: 0, visible: 1, want: 1}}
	for at := 2; at < 60; at += 2 { // the window still holds the message
		looks = append(looks, look{at: at, running: 1, want: 1})
	}
	for at := 60; at < 90; at += 2 { // grace
		looks = append(looks, look{at: at, running: 1, want: 1})
	}
	looks = append(looks, look{at: 90, running: 1, want: 0}, look{at: 92, want: 0})
	follow(t, k, 0, looks)
}

func TestFixedIsFixed(t *testing.T) {
	follow(t, sim.Fixed(3), 0, []look{{at: 0, want: 3}, {at: 60, visible: 1000, want: 3}})
}
