package sim_test

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/rousehq/rouse/internal/sim"
)

// script is a controller that sets counts at known times.
type script map[time.Duration]int

func (script) Period() time.Duration            { return time.Second }
func (script) Overhead(sim.Prices) sim.Overhead { return sim.Overhead{} }
func (s script) Decide(seen sim.Sight) int {
	if n, ok := s[seen.Now]; ok {
		return n
	}
	return seen.Desired
}

// plain is a setup without chance: a cold start of 20 s, 10 s a message, one slot.
func plain(duration time.Duration, at ...time.Duration) sim.Setup {
	s := sim.Default()
	s.Arrivals = sim.Moments("moments", duration, at...)
	s.ColdStart = sim.Constant(20 * time.Second)
	s.Service = sim.Constant(10 * time.Second)
	s.SLO = 14 * time.Second
	return s
}

func seconds(n ...float64) []time.Duration {
	d := make([]time.Duration, len(n))
	for i, s := range n {
		d[i] = time.Duration(s * float64(time.Second))
	}
	return d
}

func replay(t *testing.T, s sim.Setup, c sim.Controller, sampler func(sim.Sample)) sim.Result {
	t.Helper()
	r, err := sim.Run(context.Background(), s, c, sampler)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Three tasks are ready at 20 s. Messages of 0, 5 and 6 s wait 20, 15 and 14 s
// and are done at 30 s; those of 30 s, 31 s and 31 s wait for nothing; that of
// 32 s waits 8 s for the first of them.
func TestThreeTasksByHand(t *testing.T) {
	s := plain(time.Minute, seconds(0, 5, 6, 30, 31, 31, 32)...)
	r := replay(t, s, sim.Fixed(3), nil)

	if r.Messages != 7 || r.Completed != 7 || r.Receives != 7 || r.Left != 0 {
		t.Errorf("messages: %+v", r)
	}
	if r.Max != 20*time.Second || r.Misses != 2 {
		t.Errorf("max %v and %d misses, want 20s and 2", r.Max, r.Misses)
	}
	near(t, "p50", r.P50.Seconds(), 8, 0.004*8)
	near(t, "p95", r.P95.Seconds(), 20, 0.004*20)
	if r.ColdStarts != 3 || r.MaxTasks != 3 || r.Actions != 1 || r.Reversals != 0 {
		t.Errorf("fleet: %+v", r)
	}
	if r.Elapsed != time.Minute {
		t.Errorf("elapsed %v, want 1m", r.Elapsed)
	}
	near(t, "task-hours", r.TaskHours, 3.0/60, 1e-12)
	near(t, "tasks a month", r.Monthly.Tasks, 3*730*(0.5*0.03238+1*0.00356), 1e-9)
	perMinute := 0.40 / 1e6 * (7*3 + 3.0/60*180)
	near(t, "queue a month", r.Monthly.Queue, perMinute*60*730, 1e-9)
}

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if math.Abs(got-want) > within {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func TestATaskIsBilledForAMinuteAtLeast(t *testing.T) {
	s := plain(5 * time.Minute)
	r := replay(t, s, script{0: 1, 30 * time.Second: 0, 60 * time.Second: 1, 150 * time.Second: 0}, nil)
	near(t, "task-hours", r.TaskHours, (60.0+90)/3600, 1e-12)
	if r.Actions != 4 || r.Reversals != 3 || r.ColdStarts != 2 {
		t.Errorf("got %d actions, %d reversals, %d starts, want 4, 3, 2", r.Actions, r.Reversals, r.ColdStarts)
	}
}

func TestScaleInStopsIdleTasksFirstAndLetsBusyOnesFinish(t *testing.T) {
	s := plain(2*time.Minute, seconds(20, 21, 50)...)
	counts := map[time.Duration]int{}
	// At 22 s two of three are busy. The third goes at once; of the others one finishes
	// its message at 30 s or 31 s and takes no other; that of 50 s finds no task at all.
	r := replay(t, s, script{0: 3, 22 * time.Second: 1, 25 * time.Second: 0, 60 * time.Second: 1}, func(p sim.Sample) {
		counts[p.At] = p.InFlight
	})
	if counts[25*time.Second] != 2 || counts[31*time.Second] != 0 {
		t.Errorf("in flight: %d at 25 s, %d at 31 s, want 2 and 0", counts[25*time.Second], counts[31*time.Second])
	}
	if r.Receives != 3 || r.Completed != 3 || r.Max != 30*time.Second {
		t.Errorf("got %+v, want 3 receives of 3 and a wait of 30s (from 50 s to 80 s)", r)
	}
	near(t, "task-hours", r.TaskHours, 4*60.0/3600, 1e-12)
}

func TestLaunchesAreLimited(t *testing.T) {
	s := plain(time.Minute, make([]time.Duration, 250)...)
	s.ColdStart = sim.Constant(time.Second)
	s.Service = sim.Constant(time.Minute)
	r := replay(t, s, sim.Fixed(250), nil)
	// 100 at once, the other 150 at 20 a second: the last at 7.5 s, ready at 8.5 s.
	near(t, "last wait", r.Max.Seconds(), 8.5, 0.001)
	near(t, "p50", r.P50.Seconds(), 1+25.0/20, 0.02)
}

func TestACancelledStartIsBilledAndNeverWorks(t *testing.T) {
	s := plain(time.Minute, seconds(5)...)
	s.Overtime = 0
	r := replay(t, s, script{0: 2, 10 * time.Second: 0}, nil)
	if r.Receives != 0 || r.Left != 1 || r.Misses != 1 || r.Max != 55*time.Second {
		t.Errorf("got %+v, want the message left behind after 55s", r)
	}
	near(t, "task-hours", r.TaskHours, 2.0/60, 1e-12)
}

func TestAFailedAttemptComesBackAfterVisibilityUntilItIsDead(t *testing.T) {
	s := plain(10*time.Minute, 0)
	s.FailureShare, s.MaxReceives, s.Visibility = 1, 3, 30*time.Second
	inFlight := map[time.Duration]int{}
	r := replay(t, s, sim.Fixed(1), func(p sim.Sample) { inFlight[p.At] = p.InFlight })
	// Attempts 20–30, 60–70 and 100–110 s; the message is in flight all the while.
	if r.Receives != 3 || r.Dead != 1 || r.Completed != 0 || r.Left != 0 {
		t.Errorf("got %+v, want 3 receives and a dead message", r)
	}
	if inFlight[time.Minute] != 1 || inFlight[2*time.Minute] != 0 {
		t.Errorf("in flight at 1m: %d, at 2m: %d, want 1 and 0", inFlight[time.Minute], inFlight[2*time.Minute])
	}
	if r.Max != 20*time.Second {
		t.Errorf("waited %v, want 20s: the first receive counts", r.Max)
	}
}

func TestABottleneckCapsTheThroughput(t *testing.T) {
	s := plain(10*time.Minute, make([]time.Duration, 100)...)
	s.Service = sim.Constant(time.Second)
	s.Bottleneck = 2
	done := time.Duration(0)
	replay(t, s, sim.Fixed(50), func(p sim.Sample) {
		if done == 0 && p.At > 0 && p.Visible+p.InFlight == 0 {
			done = p.At
		}
	})
	if done != 2*time.Minute { // 100 jobs at 2/s after 21 s end at 70.5 s; sampled once a minute
		t.Errorf("done at %v, want 2m", done)
	}
}

func TestTheBooksStayOpenUntilTheLastMessageHasLeft(t *testing.T) {
	s := plain(15*time.Second, seconds(0)...)
	if r := replay(t, s, sim.Fixed(1), nil); r.Elapsed != 30*time.Second {
		t.Errorf("elapsed %v, want 30s", r.Elapsed)
	}
	s.Overtime = 10 * time.Second
	if r := replay(t, s, sim.Fixed(1), nil); r.Elapsed != 25*time.Second || r.Left != 1 {
		t.Errorf("elapsed %v with %d left, want 25s with 1", r.Elapsed, r.Left)
	}
}

func TestASetupTellsAllItsProblems(t *testing.T) {
	_, err := sim.Run(context.Background(), sim.Setup{}, sim.Fixed(1), nil)
	for _, name := range []string{"arrivals", "service", "slots", "SLO", "cold start", "launch limit", "max receives"} {
		if err == nil || !contains(err.Error(), "setup: "+name+": ") {
			t.Errorf("the error does not name %s: %v", name, err)
		}
	}
}

func TestARunEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := sim.Run(ctx, plain(time.Minute), sim.Fixed(1), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}
