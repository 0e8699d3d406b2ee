package pool

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

// A send on a closed channel panics. Whatever closes the pool, at whatever
// moment of a Dispatch: none panics, and each task that was taken is either run
// or reclaimed.
func TestDispatchRacesWithEveryWayToClose(t *testing.T) {
	for name, shut := range map[string]func(*Pool[int]) []int{
		"Close":                   func(p *Pool[int]) []int { p.Close(); return nil },
		"Reclaim":                 (*Pool[int]).Reclaim,
		"Close, then Reclaim":     func(p *Pool[int]) []int { p.Close(); return p.Reclaim() },
		"Close while it reclaims": closeWhileReclaiming,
	} {
		t.Run(name, func(t *testing.T) {
			for range 200 {
				race(t, shut)
			}
		})
	}
}

func closeWhileReclaiming(p *Pool[int]) []int {
	var closing sync.WaitGroup
	for range 3 {
		closing.Go(p.Close)
	}
	defer closing.Wait()
	return p.Reclaim()
}

func race(t *testing.T, shut func(*Pool[int]) []int) {
	var ran, taken, refused atomic.Int64
	p, err := New(Config{Size: 2, BufferSize: 3}, func(int) { ran.Add(1) })
	if err != nil {
		t.Fatal(err)
	}
	var producers sync.WaitGroup
	for range 4 {
		producers.Go(func() {
			for last := 0; last < 3; { // until it has surely met a closed pool
				switch {
				case p.Dispatch(1):
					taken.Add(1)
				case p.closed.Load():
					refused.Add(1)
					last++
				default:
					refused.Add(1)
					runtime.Gosched()
				}
			}
		})
	}
	runtime.Gosched()
	reclaimed := len(shut(p))
	drain(t, p)
	s := p.Stats()
	producers.Wait()
	if got := ran.Load() + int64(reclaimed); got != taken.Load() {
		t.Fatalf("taken %d, but run %d and reclaimed %d", taken.Load(), ran.Load(), reclaimed)
	}
	if s.Queued != 0 || s.Running != 0 {
		t.Fatalf("left over after the drain: %+v", s)
	}
	s = p.Stats()
	if s.Dispatched != uint64(taken.Load()) || s.Refused != uint64(refused.Load()) ||
		s.Completed != uint64(ran.Load()) || s.Reclaimed != uint64(reclaimed) {
		t.Fatalf("taken %d, refused %d, run %d, reclaimed %d, but %+v", taken.Load(), refused.Load(), ran.Load(), reclaimed, s)
	}
}

func TestStatsStayWithinTheirBoundsWhileThePoolMoves(t *testing.T) {
	p, err := New(Config{Size: 2, BufferSize: 2}, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	var producers sync.WaitGroup
	for range 4 {
		producers.Go(func() {
			for range 5000 {
				p.Dispatch(1)
			}
		})
	}
	for range 2000 {
		s := p.Stats()
		if s.Running < 0 || s.Running > s.Size || s.Queued > s.Capacity {
			t.Fatalf("out of range: %+v", s)
		}
		if s.Completed > s.Dispatched || s.Dispatched+s.Refused > 4*5000+4 {
			t.Fatalf("does not add up: %+v", s)
		}
	}
	producers.Wait()
	drain(t, p)
	if s := p.Stats(); s.Dispatched+s.Refused != 4*5000 || s.Completed != s.Dispatched {
		t.Fatalf("not exact at rest: %+v", s)
	}
}
