package pool

import (
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// atMost admits n tasks at a time and keeps what it was told.
type atMost struct {
	mu       sync.Mutex
	n        int
	held     int
	releases []release
}

type release struct {
	took    time.Duration
	outcome Outcome
}

func (l *atMost) Acquire() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.held == l.n {
		return false
	}
	l.held++
	return true
}

func (l *atMost) Release(took time.Duration, outcome Outcome) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.held--
	l.releases = append(l.releases, release{took, outcome})
}

// limited is a pool of one goroutine and a queue of two.
func limited(t *testing.T, limit Limit) *Pool[func() Outcome] {
	t.Helper()
	p, err := NewLimited(Config{Size: 1, BufferSize: 2}, limit, func(job func() Outcome) Outcome { return job() })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

func sleep() Outcome { time.Sleep(time.Second); return Succeeded }

func TestLimitRefusesBeforeTheQueueIsFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limit := &atMost{n: 2}
		p := limited(t, limit)
		dispatch(t, p, sleep)
		dispatch(t, p, sleep)
		if p.Dispatch(sleep) {
			t.Error("a third task was taken")
		}
		expect(t, p, Stats{Size: 1, Capacity: 2, Queued: 1, Running: 1, Dispatched: 2, Refused: 1})
		time.Sleep(time.Second)
		synctest.Wait()
		dispatch(t, p, sleep)
		drain(t, p)
	})
}

// Each task took a second; what differs is how it ended.
func TestLimitIsReleasedOnceHoweverATaskEnds(t *testing.T) {
	for name, c := range map[string]struct {
		job  func() Outcome
		want release
	}{
		"it succeeded":         {sleep, release{time.Second, Succeeded}},
		"it was dropped":       {func() Outcome { sleep(); return Dropped }, release{time.Second, Dropped}},
		"it is ignored":        {func() Outcome { sleep(); return Ignored }, release{time.Second, Ignored}},
		"it panicked":          {func() Outcome { sleep(); panic("boom") }, release{time.Second, Dropped}},
		"it left by a Goexit ": {func() Outcome { sleep(); runtime.Goexit(); return Succeeded }, release{time.Second, Dropped}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				limit := &atMost{n: 10}
				p := limited(t, limit)
				dispatch(t, p, c.job)
				drain(t, p)
				if want := []release{c.want}; !slices.Equal(limit.releases, want) {
					t.Errorf("got %v, want %v", limit.releases, want)
				}
			})
		})
	}
}

func TestLimitIsReleasedForTasksThatNeverRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limit := &atMost{n: 10}
		p := limited(t, limit)
		dispatch(t, p, sleep)
		synctest.Wait()
		dispatch(t, p, sleep)
		dispatch(t, p, sleep)
		if p.Dispatch(sleep) {
			t.Error("a full queue took a task")
		}
		p.Reclaim()
		if p.Dispatch(sleep) {
			t.Error("a closed pool took a task")
		}
		drain(t, p)
		ignored := release{0, Ignored}
		want := []release{ignored, ignored, ignored, ignored, {time.Second, Succeeded}}
		if !slices.Equal(limit.releases, want) {
			t.Errorf("got %v, want %v", limit.releases, want)
		}
	})
}

func TestNilLimitLimitsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := limited(t, nil)
		dispatch(t, p, sleep)
		dispatch(t, p, sleep)
		drain(t, p)
		expect(t, p, Stats{Size: 1, Capacity: 2, Dispatched: 2, Completed: 2})
	})
}
