package sim

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"
)

// Row is one contender's result in one case.
type Row struct {
	Case, Contender string
	Rouse           bool
	Result          Result
}

// Comparison is the result of all contenders in all cases.
type Comparison struct {
	// Rows are in the order of the cases, and in each of the contenders.
	Rows []Row
	// Bounds are what no contender can go below without a miss, by the case's name.
	Bounds map[string]Bound
}

// Compare runs every contender in every case, as many at the same time as
// there are processors. It calls done, if that is not nil, after each run, from
// one goroutine at a time. The result does not depend on the order in which runs end.
func Compare(ctx context.Context, cases []Case, contenders []Contender, done func(finished, total int)) (Comparison, error) {
	out := Comparison{Rows: make([]Row, len(cases)*len(contenders)), Bounds: map[string]Bound{}}
	problems := make([]error, len(out.Rows))
	finished := 0
	var mu sync.Mutex
	concurrently(len(out.Rows), func(i int) {
		out.Rows[i], problems[i] = compete(ctx, cases[i/len(contenders)], contenders[i%len(contenders)])
		mu.Lock()
		defer mu.Unlock()
		if finished++; done != nil {
			done(finished, len(out.Rows))
		}
	})
	for _, c := range cases {
		bound, err := LowerBound(c.Setup)
		problems = append(problems, err)
		out.Bounds[c.Name] = bound
	}
	return out, errors.Join(problems...)
}

// concurrently calls do with 0 to n-1, on as many goroutines as there are processors.
func concurrently(n int, do func(int)) {
	var workers sync.WaitGroup
	next := make(chan int)
	for range min(n, runtime.GOMAXPROCS(0)) {
		workers.Go(func() {
			for i := range next {
				do(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	workers.Wait()
}

func compete(ctx context.Context, c Case, contender Contender) (Row, error) {
	row := Row{Case: c.Name, Contender: contender.Name, Rouse: contender.Rouse}
	controller, err := contender.New(c)
	if err != nil {
		return row, err
	}
	if row.Result, err = Run(ctx, c.Setup, controller, nil); err != nil {
		return row, fmt.Errorf("run %s in %s: %w", contender.Name, c.Name, err)
	}
	return row, nil
}

// Dominates reports whether r has no more misses and no more billed task-hours
// than other, and less of one of them.
func (r Row) Dominates(other Row) bool {
	a, b := r.Result, other.Result
	return a.Misses <= b.Misses && a.TaskHours <= b.TaskHours &&
		(a.Misses < b.Misses || a.TaskHours < b.TaskHours)
}

// Gap is a peer's point that no point of Rouse dominates.
type Gap struct {
	Peer Row
	// Nearest is Rouse's point that comes closest: of those with no more misses
	// the cheapest, else the one with the fewest misses.
	Nearest Row
	// Misses and TaskHours are how much the nearest point has more; TaskHours may be negative.
	Misses    int
	TaskHours float64
}

// Gaps returns the points of peers that Rouse does not dominate.
func (c Comparison) Gaps() []Gap {
	var gaps []Gap
	for _, peer := range c.Rows {
		if peer.Rouse {
			continue
		}
		nearest, dominated := c.answer(peer)
		if !dominated {
			gaps = append(gaps, Gap{
				Peer: peer, Nearest: nearest,
				Misses:    max(0, nearest.Result.Misses-peer.Result.Misses),
				TaskHours: nearest.Result.TaskHours - peer.Result.TaskHours,
			})
		}
	}
	return gaps
}

// answer returns Rouse's best answer to a peer's point.
func (c Comparison) answer(peer Row) (nearest Row, dominated bool) {
	nearest.Result.Misses = math.MaxInt
	for _, row := range c.Rows {
		if !row.Rouse || row.Case != peer.Case {
			continue
		}
		if row.Dominates(peer) {
			return row, true
		}
		if row.nearer(nearest, peer.Result.Misses) {
			nearest = row
		}
	}
	return nearest, false
}

// nearer reports whether r is a better answer than other to a point with so many misses.
func (r Row) nearer(other Row, misses int) bool {
	within, otherWithin := r.Result.Misses <= misses, other.Result.Misses <= misses
	switch {
	case within != otherWithin:
		return within
	case within:
		return r.Result.TaskHours < other.Result.TaskHours
	}
	return r.Result.Misses < other.Result.Misses
}
