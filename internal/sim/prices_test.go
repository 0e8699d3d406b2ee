package sim_test

import (
	"testing"
	"time"

	"github.com/rousehq/rouse/internal/policy"
	"github.com/rousehq/rouse/internal/sim"
)

func TestOverheadsByHand(t *testing.T) {
	p := sim.USEast1()
	const minutes = 730 * 60
	// 50 s of each minute at 128 MB are 273,750 GB-s, $3.65; each minute is an
	// invocation and a schedule, every 10 s a read of the queue.
	loop := 273750*0.0000133334 + minutes*(0.2+1.0)/1e6 + minutes*5*0.4/1e6
	near(t, "buildkite", (&sim.Buildkite{}).Overhead(p).PerMonth, loop, 1e-9)
	near(t, "keda", (&sim.KEDA{}).Overhead(p).PerMonth, minutes*(2+4)*0.4/1e6, 1e-9)
	near(t, "target tracking", (&sim.TargetTracking{}).Overhead(p).PerMonth, 0.5, 1e-9)
	near(t, "step scaling", (&sim.StepScaling{}).Overhead(p).PerMonth, 0.2, 1e-9)
	near(t, "fixed", sim.Fixed(3).Overhead(p).PerMonth, 0, 0)

	// Six ticks a minute, the last at 50 s; two reads and a write each, and a lease
	// taken and given back a minute; ten metrics; an age asked for each minute.
	r, err := sim.NewRouse(policy.Default(), 10*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	lambda := minutes*51*0.125*0.0000133334 + minutes*1.2/1e6 + minutes*5.1*0.4/1e6
	table := minutes * (12*0.125 + 8*0.625) / 1e6
	o := r.Overhead(p)
	near(t, "rouse", o.PerMonth, lambda+table+10*0.30+minutes*10.0/1e6, 1e-9)
	near(t, "heartbeats", o.PerTaskHour, 360*0.625/1e6, 1e-12)
}

func TestTasksCostWhatTheirSizeSays(t *testing.T) {
	for name, c := range map[string]struct {
		size sim.Size
		want float64
	}{
		"arm":  {sim.Size{VCPU: 1, MemoryGB: 2, ARM: true}, 0.03238 + 2*0.00356},
		"x86":  {sim.Size{VCPU: 1, MemoryGB: 2}, 0.04048 + 2*0.004445},
		"spot": {sim.Size{VCPU: 1, MemoryGB: 2, Spot: true}, 0.4 * (0.04048 + 2*0.004445)},
	} {
		s := plain(time.Hour)
		s.Size = c.size
		near(t, name, replay(t, s, sim.Fixed(1), nil).Monthly.Tasks, 730*c.want, 1e-9)
	}
}
