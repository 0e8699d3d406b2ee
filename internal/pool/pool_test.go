package pool

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// Every test below runs in a bubble, which fails if a goroutine of the pool is
// left over at its end.

// jobs is a pool whose tasks are functions.
func jobs(t *testing.T, config Config) *Pool[func()] {
	t.Helper()
	p, err := New(config, func(job func()) { job() })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// dispatch fails the test if the pool refuses the task.
func dispatch[T any](t *testing.T, p *Pool[T], task T) {
	t.Helper()
	if !p.Dispatch(task) {
		t.Fatalf("task refused: %+v", p.Stats())
	}
}

func drain[T any](t *testing.T, p *Pool[T]) {
	t.Helper()
	if err := p.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func expect[T any](t *testing.T, p *Pool[T], want Stats) {
	t.Helper()
	synctest.Wait()
	if got := p.Stats(); got != want {
		t.Errorf("stats:\ngot  %+v\nwant %+v", got, want)
	}
}

func TestEachTaskRunsOnceInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got []int
		p, err := New(Config{Size: 1, BufferSize: 10}, func(n int) { got = append(got, n) })
		if err != nil {
			t.Fatal(err)
		}
		for n := range 10 {
			dispatch(t, p, n)
		}
		drain(t, p)
		if want := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}

func TestAsManyTasksRunAtOnceAsThePoolHasGoroutines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := jobs(t, Config{Size: 3, BufferSize: 4})
		for range 4 {
			dispatch(t, p, func() { time.Sleep(time.Minute) })
		}
		expect(t, p, Stats{Size: 3, Capacity: 4, Queued: 1, Running: 3, Dispatched: 4})
		start := time.Now()
		drain(t, p)
		if took := time.Since(start); took != 2*time.Minute {
			t.Errorf("4 tasks of a minute on 3 goroutines took %v, want 2m", took)
		}
	})
}

func TestFullQueueRefusesAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := jobs(t, Config{Size: 1, BufferSize: 2})
		release := make(chan struct{})
		dispatch(t, p, func() { <-release })
		synctest.Wait() // the goroutine has it
		dispatch(t, p, func() {})
		dispatch(t, p, func() {})
		for range 3 {
			if p.Dispatch(func() { t.Error("a refused task ran") }) {
				t.Error("a full queue took a task")
			}
		}
		expect(t, p, Stats{Size: 1, Capacity: 2, Queued: 2, Running: 1, Dispatched: 3, Refused: 3})
		close(release)
		expect(t, p, Stats{Size: 1, Capacity: 2, Dispatched: 3, Refused: 3, Completed: 3})
		dispatch(t, p, func() {})
		expect(t, p, Stats{Size: 1, Capacity: 2, Dispatched: 4, Refused: 3, Completed: 4})
		drain(t, p)
	})
}

// A goroutine settles what it ran only when it has to wait for more. Stats must
// not wait for that.
func TestStatsInTheMiddleOfABurst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := jobs(t, Config{Size: 1, BufferSize: 10})
		for range 10 {
			dispatch(t, p, func() { time.Sleep(time.Second) })
		}
		for n := range 10 {
			expect(t, p, Stats{
				Size: 1, Capacity: 10, Queued: 9 - n, Running: 1, Dispatched: 10, Completed: uint64(n),
			})
			time.Sleep(time.Second)
		}
		expect(t, p, Stats{Size: 1, Capacity: 10, Dispatched: 10, Completed: 10})
		drain(t, p)
	})
}

func TestCloseRefusesLaterTasksAndRunsEarlierOnes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := jobs(t, Config{Size: 1, BufferSize: 5})
		var ran int
		for range 4 {
			dispatch(t, p, func() { time.Sleep(time.Second); ran++ })
		}
		p.Close()
		p.Close()
		if p.Dispatch(func() { t.Error("a refused task ran") }) {
			t.Error("a closed pool took a task")
		}
		drain(t, p)
		drain(t, p)
		if p.Dispatch(nil) {
			t.Error("a drained pool took a task")
		}
		if ran != 4 {
			t.Errorf("%d tasks ran, want 4", ran)
		}
		expect(t, p, Stats{Size: 1, Capacity: 5, Dispatched: 4, Refused: 2, Completed: 4})
	})
}

func TestCloseOfAnIdlePoolEndsIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := jobs(t, Config{Size: 1000, BufferSize: 1})
		synctest.Wait()
		p.Close() // the bubble ends only if all goroutines do
	})
}

func TestDrainGivesUpAtItsDeadlineAndCanBeResumed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := jobs(t, Config{Size: 2, BufferSize: 5})
		for range 5 {
			dispatch(t, p, func() { time.Sleep(time.Hour) })
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		err := p.Drain(ctx)
		if want := "drain pool: 2 running and 3 queued: context deadline exceeded"; text(err) != want {
			t.Errorf("got  %q\nwant %q", text(err), want)
		}
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Error("the error does not wrap the deadline")
		}
		drain(t, p)
		if err := p.Drain(ctx); err != nil {
			t.Errorf("drain of a drained pool after the deadline: %v", err)
		}
	})
}

func TestDrainTellsTheCause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := jobs(t, Default())
		dispatch(t, p, func() { time.Sleep(time.Second) })
		ctx, cancel := context.WithCancelCause(t.Context())
		evicted := errors.New("evicted")
		cancel(evicted)
		if err := p.Drain(ctx); !errors.Is(err, evicted) {
			t.Errorf("got %v, want the cause", err)
		}
		drain(t, p)
	})
}

// What the worker does on SIGTERM: no more tasks, the unstarted ones back at
// once, the running ones to a deadline.
func TestReclaimReturnsTheUnstartedAndLetsTheRunningEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ended atomic.Int32
		p, err := New(Config{Size: 2, BufferSize: 10}, func(n int) {
			time.Sleep(time.Minute)
			ended.Add(1)
		})
		if err != nil {
			t.Fatal(err)
		}
		for n := range 7 {
			dispatch(t, p, n)
			synctest.Wait()
		}
		start := time.Now()
		if got, want := p.Reclaim(), []int{2, 3, 4, 5, 6}; !slices.Equal(got, want) {
			t.Errorf("reclaimed %v, want %v", got, want)
		}
		if took := time.Since(start); took != 0 {
			t.Errorf("it took %v, want no wait", took)
		}
		if p.Dispatch(7) {
			t.Error("a reclaimed pool took a task")
		}
		if again := p.Reclaim(); len(again) != 0 {
			t.Errorf("reclaimed %v twice", again)
		}
		expect(t, p, Stats{Size: 2, Capacity: 10, Running: 2, Dispatched: 7, Refused: 1, Reclaimed: 5})
		drain(t, p)
		if ended.Load() != 2 {
			t.Errorf("%d tasks ran, want 2", ended.Load())
		}
		if again := p.Reclaim(); len(again) != 0 {
			t.Errorf("reclaimed %v from a drained pool", again)
		}
		expect(t, p, Stats{Size: 2, Capacity: 10, Dispatched: 7, Refused: 1, Completed: 2, Reclaimed: 5})
	})
}

func TestDispatchAllocatesNothing(t *testing.T) {
	p, err := New(Config{Size: 1, BufferSize: 100}, func(struct{ a, b, c string }) {})
	if err != nil {
		t.Fatal(err)
	}
	got := testing.AllocsPerRun(1000, func() {
		p.Dispatch(struct{ a, b, c string }{"a", "b", "c"})
	})
	if got != 0 {
		t.Errorf("a dispatch allocates %v times", got)
	}
	drain(t, p)
}
