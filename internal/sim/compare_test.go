package sim_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/rousehq/rouse/internal/policy"
	"github.com/rousehq/rouse/internal/sim"
)

func row(contender string, misses int, hours float64) sim.Row {
	return sim.Row{
		Case: "c", Contender: contender, Rouse: strings.HasPrefix(contender, "rouse"),
		Result: sim.Result{Misses: misses, TaskHours: hours},
	}
}

func TestDominanceWantsBothAndOneStrictly(t *testing.T) {
	for _, c := range []struct {
		a, b sim.Row
		want bool
	}{
		{row("a", 1, 2), row("b", 1, 2), false},
		{row("a", 0, 2), row("b", 1, 2), true},
		{row("a", 1, 1), row("b", 1, 2), true},
		{row("a", 0, 3), row("b", 1, 2), false},
		{row("a", 2, 1), row("b", 1, 2), false},
	} {
		if got := c.a.Dominates(c.b); got != c.want {
			t.Errorf("%+v dominates %+v: %v", c.a.Result, c.b.Result, got)
		}
	}
}

func TestGapsTellTheNearestPoint(t *testing.T) {
	c := sim.Comparison{Rows: []sim.Row{
		row("rouse swift", 1, 5), row("rouse thrifty", 9, 2),
		row("beaten", 10, 2), row("cheaper", 3, 4), row("safer", 0, 7),
	}}
	gaps := c.Gaps()
	if len(gaps) != 2 {
		t.Fatalf("got %+v, want 2 gaps", gaps)
	}
	if g := gaps[0]; g.Peer.Contender != "cheaper" || g.Nearest.Contender != "rouse swift" || g.Misses != 0 || g.TaskHours != 1 {
		t.Errorf("got %+v", g)
	}
	if g := gaps[1]; g.Peer.Contender != "safer" || g.Nearest.Contender != "rouse swift" || g.Misses != 1 || g.TaskHours != -2 {
		t.Errorf("got %+v", g)
	}
}

func TestCoversChoosesWhatAddsMost(t *testing.T) {
	c := sim.Comparison{Rows: []sim.Row{
		row("rouse a", 5, 5), row("rouse b", 2, 6), row("rouse c", 9, 1),
		row("p", 6, 6), row("q", 5, 7), row("r", 2, 7), row("s", 9, 2),
	}}
	want := []sim.Cover{{Contender: "rouse b", Alone: 3, Beyond: 3}, {Contender: "rouse c", Alone: 1, Beyond: 1}}
	if got := c.Covers(3); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestCompareRunsEveryContenderInEveryCase(t *testing.T) {
	setup := sim.Default()
	setup.Arrivals = sim.OnOff(2, 5*time.Minute, 10*time.Minute, time.Hour)
	var cases []sim.Case
	for _, w := range sim.Workloads() {
		c, err := sim.NewCase(setup, w)
		if err != nil {
			t.Fatal(err)
		}
		cases = append(cases, c)
	}
	all := contenders()
	var progress []int
	a, err := sim.Compare(context.Background(), cases, all, func(finished, total int) {
		if total != len(cases)*len(all) {
			t.Errorf("total %d", total)
		}
		progress = append(progress, finished)
	})
	if err != nil {
		t.Fatal(err)
	}
	b, err := sim.Compare(context.Background(), cases, all, nil)
	if err != nil || !reflect.DeepEqual(a, b) {
		t.Errorf("two comparisons differ, or %v", err)
	}
	if len(progress) != len(a.Rows) || progress[len(progress)-1] != len(a.Rows) {
		t.Errorf("progress %v", progress)
	}
	var table, gaps strings.Builder
	if err := errors.Join(a.WriteTable(&table), a.WriteGaps(&gaps)); err != nil {
		t.Fatal(err)
	}
	for i, r := range a.Rows {
		if r.Case != cases[i/len(all)].Name || r.Contender != all[i%len(all)].Name || !strings.Contains(table.String(), r.Contender) {
			t.Errorf("row %d is %s in %s", i, r.Contender, r.Case)
		}
	}
	if strings.Count(gaps.String(), "\n") != len(a.Gaps()) {
		t.Errorf("%d gaps, but:\n%s", len(a.Gaps()), &gaps)
	}
}

func TestCompareTellsWhatCannotRun(t *testing.T) {
	setup := sim.Default()
	setup.Arrivals = sim.Steady(1, time.Minute)
	c, err := sim.NewCase(setup, sim.Workloads()[0])
	if err != nil {
		t.Fatal(err)
	}
	bad := sim.RouseContender("rouse bad", policy.Config{}, 10*time.Second)
	if _, err := sim.Compare(context.Background(), []sim.Case{c}, []sim.Contender{bad}, nil); err == nil || !strings.Contains(err.Error(), "rouse bad") {
		t.Errorf("got %v, want an error that names the contender", err)
	}
	if _, err := sim.NewCase(setup, sim.Workload{}); err == nil {
		t.Error("a case without a workload is taken")
	}
}

func TestASlowerStartMeansLongerWaits(t *testing.T) {
	setup := sim.Default()
	setup.Arrivals = sim.OnOff(2, 5*time.Minute, 10*time.Minute, 4*time.Hour)
	c, err := sim.NewCase(setup, sim.Workloads()[1])
	if err != nil {
		t.Fatal(err)
	}
	contender := sim.RouseContender("rouse", policy.Default(), 10*time.Second)
	last := sim.Result{}
	for _, median := range []time.Duration{10 * time.Second, time.Minute, 2 * time.Minute} {
		r := run(t, c.WithColdStart(median), contender)
		if r.Max <= last.Max || r.P95 <= last.P95 {
			t.Errorf("cold start %v: p95 %v, max %v; a quicker one: %v, %v", median, r.P95, r.Max, last.P95, last.Max)
		}
		last = r
	}
}
