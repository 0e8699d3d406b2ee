package main

import (
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
)

// A contender that loses tasks would win.
func TestEachContenderRunsEachTask(t *testing.T) {
	for _, c := range contenders {
		for _, producers := range []int{1, 8} {
			t.Run(c.name+"/"+strconv.Itoa(producers), func(t *testing.T) {
				var ran atomic.Int64
				p := plan{producers: producers, size: 2, buffer: 16, tasks: 1001}
				r := c.open(p.size, p.buffer)
				p.produce(func() { r.submit(func() { ran.Add(1) }) })
				r.wait()
				if ran.Load() != 1001 {
					t.Errorf("%d tasks ran, want 1001", ran.Load())
				}
			})
		}
	}
}

// steady are timings in which every contender takes 10 times the floor.
func steady() timings {
	t := timings{}
	for _, c := range contenders {
		t[c.name] = []float64{1000, 1000, 1000}
	}
	t[floor] = []float64{100, 100, 100}
	t[ours] = []float64{120, 120, 120}
	return t
}

func TestVerdicts(t *testing.T) {
	for name, c := range map[string]struct {
		change func(timings)
		missed []string
	}{
		"just allowed":                          {func(timings) {}, nil},
		"too slow":                              {func(t timings) { t[ours] = []float64{130, 130, 130} }, []string{`1.30 times as long as "bare`}},
		"one bad round of ours is noise":        {func(t timings) { t[ours][1] = 900 }, nil},
		"one good round of ours is what counts": {func(t timings) { t[ours] = []float64{900, 900, 120} }, nil},
		"a bare channel is no pool":             {func(t timings) { t[blockingFloor] = []float64{1, 1, 1} }, nil},
		"two pools are faster": {
			func(t timings) { t["ants"], t["conc"] = []float64{60, 60, 60}, []float64{100, 100, 100} },
			[]string{"2.00 times as long as ants", "1.20 times as long as conc"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			timings := steady()
			c.change(timings)
			got := timings.verdicts()
			if len(got) != len(c.missed) {
				t.Fatalf("got %q, want %q", got, c.missed)
			}
			for i := range got {
				if !strings.Contains(got[i], c.missed[i]) {
					t.Errorf("got %q, want %q in it", got[i], c.missed[i])
				}
			}
		})
	}
}

func TestTableRanksAndNamesEveryContender(t *testing.T) {
	var out strings.Builder
	if err := steady().write(&out, plan{producers: 8, size: 2, buffer: 16, tasks: 10, rounds: 3}); err != nil {
		t.Fatal(err)
	}
	for _, c := range contenders {
		if !strings.Contains(out.String(), c.name+" ") {
			t.Errorf("%s is missing", c.name)
		}
	}
	if strings.Index(out.String(), floor) > strings.Index(out.String(), ours) {
		t.Errorf("the faster does not come first:\n%s", out.String())
	}
}

func TestSharesAddUp(t *testing.T) {
	sum := 0
	for i := range 8 {
		sum += share(1001, 8, i)
	}
	if sum != 1001 {
		t.Errorf("the shares of 1001 tasks add up to %d", sum)
	}
}

// BenchmarkDispatch has nobody count the tasks: it shows the cost of the
// contender alone.
func BenchmarkDispatch(b *testing.B) {
	for _, c := range contenders {
		for _, producers := range []int{1, 8} {
			b.Run(strings.ReplaceAll(c.name, " ", "_")+"/producers="+strconv.Itoa(producers), func(b *testing.B) {
				b.ReportAllocs()
				p := plan{producers: producers, size: 2, buffer: 1024, tasks: b.N}
				r := c.open(p.size, p.buffer)
				b.ResetTimer()
				p.produce(func() { r.submit(empty) })
				r.wait()
			})
		}
	}
}

func empty() {}
