package sim_test

import (
	"math"
	"testing"
	"time"

	"github.com/rousehq/rouse/internal/sim"
)

func TestShapesSendWhatTheySay(t *testing.T) {
	const hour = time.Hour
	for _, c := range []struct {
		arrivals sim.Arrivals
		want     float64
	}{
		{sim.Steady(3, hour), 3 * 3600},
		{sim.Steady(250, 10*time.Minute), 250 * 600},
		{sim.Diurnal(2, 24*hour), 2 * 86400},
		{sim.Burst(50, hour), 50 * 360},
		{sim.Batch(100, 10*time.Minute, hour), 600},
		{sim.Sparse(30*time.Second, 24*hour), 2880},
		{sim.OnOff(4, 5*time.Minute, 15*time.Minute, hour), 4 * 900},
		{sim.Flash(1, 21, hour), 3600 + 20*180/math.Ln2*(1-math.Exp2(-40.0/3))},
	} {
		n, err := c.arrivals.Count(7)
		if err != nil {
			t.Fatal(err)
		}
		if deviation := math.Abs(float64(n)-c.want) / math.Sqrt(c.want); deviation > 4 {
			t.Errorf("%s: %d messages, want %.0f: %.1f standard deviations off", c.arrivals.Name, n, c.want, deviation)
		}
	}
}

func TestPeakRateIsThatOfTheBusiestWindow(t *testing.T) {
	rate, err := sim.Burst(50, time.Hour).PeakRate(1, time.Minute)
	if err != nil || rate < 50 || rate > 55 {
		t.Errorf("got %v, %v, want about 50", rate, err)
	}
	day, err := sim.Moments("lone", time.Hour, time.Minute).PeakRate(1, time.Minute)
	if err != nil || day != 1.0/60 {
		t.Errorf("got %v, %v, want 1/60", day, err)
	}
}

func TestMomentsOutOfOrderFailTheRun(t *testing.T) {
	if _, err := sim.Run(t.Context(), plain(time.Minute, seconds(5, 4)...), sim.Fixed(1), nil); err == nil {
		t.Error("no error")
	}
}

func TestDistributionsHaveTheirMean(t *testing.T) {
	const mean = 10 * time.Second
	for _, d := range []sim.Distribution{
		sim.Constant(mean), sim.Exponential(mean), sim.LogNormalAround(mean, 0.8), sim.Pareto{Average: mean, Alpha: 3},
	} {
		sum := 0.0
		const n = 1_000_000
		for i := range n {
			sum += d.Quantile((float64(i) + 0.5) / n).Seconds()
		}
		near(t, d.String(), sum/n, 10, 0.05)
		near(t, d.String(), d.Mean().Seconds(), 10, 1e-6)
	}
	cold := sim.LogNormal{Median: 25 * time.Second, P95: 45 * time.Second}
	near(t, "median", cold.Quantile(0.5).Seconds(), 25, 1e-6)
	near(t, "p95", cold.Quantile(0.95).Seconds(), 45, 1e-6)
}
