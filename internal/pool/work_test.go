package pool

import (
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// oneMinuteEach dispatches as many tasks as the pool has goroutines and returns
// how long they take together: a minute, unless a goroutine is missing.
func oneMinuteEach(t *testing.T, p *Pool[func()]) time.Duration {
	t.Helper()
	for range p.Stats().Size {
		dispatch(t, p, func() { time.Sleep(time.Minute) })
	}
	start := time.Now()
	drain(t, p)
	return time.Since(start)
}

func TestNoTaskShrinksThePool(t *testing.T) {
	for name, c := range map[string]struct {
		task     func()
		panicked uint64
	}{
		"a panic":                 {func() { panic("boom") }, 20},
		"a panic with nil":        {func() { panic(nil) }, 20},
		"a runtime error":         {func() { _ = *(*int)(nil) }, 20},
		"runtime.Goexit":          {runtime.Goexit, 0},
		"Goexit within a panic":   {func() { defer runtime.Goexit(); panic("boom") }, 0},
		"a panic within a Goexit": {func() { defer panic("boom"); runtime.Goexit() }, 20},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := jobs(t, Config{Size: 4, BufferSize: 20})
				for range 20 { // more than goroutines, so that some end in the middle of a burst
					dispatch(t, p, c.task)
				}
				expect(t, p, Stats{Size: 4, Capacity: 20, Dispatched: 20, Completed: 20, Panicked: c.panicked})
				if took := oneMinuteEach(t, p); took != time.Minute {
					t.Errorf("4 tasks of a minute took %v: goroutines are missing", took)
				}
			})
		})
	}
}

func TestPanicIsReportedWithValueAndStack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var values []any
		var stack string
		config := Config{Size: 1, BufferSize: 2, OnPanic: func(value any, trace []byte) {
			values = append(values, value)
			stack = string(trace)
		}}
		p := jobs(t, config)
		dispatch(t, p, explode)
		dispatch(t, p, func() {})
		drain(t, p)
		if len(values) != 1 || values[0] != "boom" {
			t.Errorf("reported %v, want boom once", values)
		}
		if !strings.Contains(stack, "pool.explode") {
			t.Errorf("the stack does not lead to the panic:\n%s", stack)
		}
		expect(t, p, Stats{Size: 1, Capacity: 2, Dispatched: 2, Completed: 2, Panicked: 1})
	})
}

func explode() { panic("boom") }

func TestNoReportShrinksThePool(t *testing.T) {
	for name, c := range map[string]struct {
		report   func(any, []byte)
		panicked uint64
	}{
		"a panic":        {func(any, []byte) { panic("again") }, 2},
		"runtime.Goexit": {func(any, []byte) { runtime.Goexit() }, 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := jobs(t, Config{Size: 1, BufferSize: 2, OnPanic: c.report})
				dispatch(t, p, explode)
				expect(t, p, Stats{Size: 1, Capacity: 2, Dispatched: 1, Completed: 1, Panicked: c.panicked})
				if took := oneMinuteEach(t, p); took != time.Minute {
					t.Errorf("a task of a minute took %v", took)
				}
			})
		})
	}
}

func TestDrainWaitsForTheReportOfAPanic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reported := false
		p := jobs(t, Config{Size: 1, BufferSize: 1, OnPanic: func(any, []byte) {
			time.Sleep(time.Minute)
			reported = true
		}})
		dispatch(t, p, explode)
		drain(t, p)
		if !reported {
			t.Error("drained before the panic was reported")
		}
	})
}
