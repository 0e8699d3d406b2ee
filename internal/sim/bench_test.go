package sim_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/rousehq/rouse/internal/policy"
	"github.com/rousehq/rouse/internal/sim"
)

// BenchmarkRun replays a week of a million messages. What it allocates is the
// size of the backlog and the fleet, whatever the length of the week.
func BenchmarkRun(b *testing.B) {
	const week = 7 * 24 * time.Hour
	s := plain(week)
	s.Arrivals = sim.Diurnal(1e6/week.Seconds(), week)
	s.Service = sim.Exponential(2 * time.Second)
	s.Slots = 4
	config := policy.Default()
	config.ScaleToZero = true
	b.ReportAllocs()
	messages := 0
	for b.Loop() {
		c, err := sim.NewRouse(config, 10*time.Second)
		if err != nil {
			b.Fatal(err)
		}
		r, err := sim.Run(b.Context(), s, c, nil)
		if err != nil {
			b.Fatal(err)
		}
		messages += r.Messages
	}
	b.ReportMetric(float64(messages)/b.Elapsed().Seconds(), "messages/s")
}

// Memory must not grow with the trace: eight times the duration may allocate
// little more than the simple one.
func TestMemoryDoesNotGrowWithTheTrace(t *testing.T) {
	allocated := func(duration time.Duration) uint64 {
		s := plain(duration)
		s.Arrivals = sim.Steady(2, duration)
		s.Service = sim.Constant(time.Second)
		c := sim.Fixed(5)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		replay(t, s, c, nil)
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	allocated(time.Hour)
	short, long := allocated(time.Hour), allocated(8*time.Hour)
	if long > short+short/4 {
		t.Errorf("%d bytes for an hour, %d for eight", short, long)
	}
}

func ExampleRun() {
	setup := sim.Default()
	setup.Arrivals = sim.Moments("two messages", 10*time.Minute, 0, 5*time.Second)
	setup.ColdStart = sim.Constant(30 * time.Second)
	setup.Service = sim.Constant(10 * time.Second)
	setup.SLO = time.Minute

	config := policy.Default()
	config.ScaleToZero = true
	rouse, err := sim.NewRouse(config, 10*time.Second)
	if err != nil {
		panic(err)
	}
	result, err := sim.Run(context.Background(), setup, rouse, nil)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d messages, longest wait %v, %d misses, %.3f task-hours\n",
		result.Completed, result.Max, result.Misses, result.TaskHours)
	// Output: 2 messages, longest wait 35s, 0 misses, 0.031 task-hours
}
