package sim_test

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/rousehq/rouse/internal/policy"
	"github.com/rousehq/rouse/internal/sim"
)

func contains(s, part string) bool { return strings.Contains(s, part) }

// contenders are all controllers there are.
func contenders() []sim.Contender {
	return append(sim.Peers(), sim.RouseContender("rouse", policy.Default(), 10*time.Second))
}

// draw returns a setup from all over the place.
func draw(seed uint64) sim.Setup {
	r := rand.New(rand.NewPCG(seed, 2))
	s := sim.Default()
	s.Seed = seed
	duration := time.Duration(1+r.IntN(30)) * time.Minute
	s.Arrivals = [...]sim.Arrivals{
		sim.Steady(r.Float64()*5, duration),
		sim.Diurnal(r.Float64()*5, duration),
		sim.Burst(r.Float64()*20, duration),
		sim.Batch(r.Float64()*100, 7*time.Minute, duration),
		sim.Sparse(time.Duration(1+r.IntN(300))*time.Second, duration),
		sim.OnOff(r.Float64()*5, 3*time.Minute, 5*time.Minute, duration),
		sim.Flash(0.1, r.Float64()*10, duration),
	}[seed%7]
	mean := time.Duration(1+r.IntN(10000)) * time.Millisecond
	s.Service = [...]sim.Distribution{
		sim.Constant(mean), sim.Exponential(mean), sim.LogNormalAround(mean, 1), sim.Pareto{Average: mean, Alpha: 1.5},
	}[r.IntN(4)]
	s.Slots = 1 + r.IntN(10)
	s.SLO = time.Minute
	s.FailureShare = [...]float64{0, 0, 0.1, 0.9}[r.IntN(4)]
	s.Bottleneck = [...]float64{0, 0, 3}[r.IntN(3)]
	s.Overtime = time.Duration(r.IntN(2)) * time.Hour
	return s
}

// drawCase derives a case from a drawn setup.
func drawCase(t *testing.T, seed uint64) sim.Case {
	t.Helper()
	s := draw(seed)
	c, err := sim.NewCase(s, sim.Workload{Service: s.Service, Slots: s.Slots, SLO: s.SLO})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func run(t *testing.T, c sim.Case, contender sim.Contender) sim.Result {
	t.Helper()
	controller, err := contender.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return replay(t, c.Setup, controller, nil)
}

func TestEveryMessageLeavesOnce(t *testing.T) {
	for seed := range uint64(28) {
		c := drawCase(t, seed)
		want, err := c.Setup.Arrivals.Count(c.Setup.Seed)
		if err != nil {
			t.Fatal(err)
		}
		for _, contender := range contenders() {
			r := run(t, c, contender)
			if r.Messages != want || r.Completed+r.Dead+r.Left != want {
				t.Errorf("seed %d, %s: %d messages: %+v", seed, contender.Name, want, r)
			}
			if r.Receives < r.Completed+r.Dead || r.MaxTasks > max(c.MaxTasks, 5000) {
				t.Errorf("seed %d, %s: %+v", seed, contender.Name, r)
			}
		}
	}
}

func TestEqualSetupsGiveEqualResults(t *testing.T) {
	for seed := range uint64(7) {
		c := drawCase(t, seed)
		for _, contender := range contenders() {
			if a, b := run(t, c, contender), run(t, c, contender); !reflect.DeepEqual(a, b) {
				t.Errorf("seed %d, %s: %+v and %+v", seed, contender.Name, a, b)
			}
		}
	}
}

func TestSeedsMakeADifference(t *testing.T) {
	a, b := drawCase(t, 14), drawCase(t, 14)
	b.Setup.Seed++
	fixed := sim.Contender{New: func(sim.Case) (sim.Controller, error) { return sim.Fixed(1), nil }}
	if x, y := run(t, a, fixed), run(t, b, fixed); reflect.DeepEqual(x, y) {
		t.Errorf("seeds 14 and 15 give the same: %+v", x)
	}
}

// The bound is below everything that has no miss and leaves nothing.
func TestNobodyIsBelowTheBound(t *testing.T) {
	for seed := range uint64(28) {
		c := drawCase(t, seed)
		c.Setup.Overtime = 6 * time.Hour
		bound, err := sim.LowerBound(c.Setup)
		if err != nil {
			t.Fatal(err)
		}
		for _, contender := range contenders() {
			r := run(t, c, contender)
			if r.Misses == 0 && r.Left == 0 && r.TaskHours < bound.TaskHours() {
				t.Errorf("seed %d, %s: %.3f task-hours, the bound is %.3f", seed, contender.Name, r.TaskHours, bound.TaskHours())
			}
		}
	}
}
