package main

import (
	"context"
	"runtime"
	"sync"

	"github.com/Jeffail/tunny"
	"github.com/alitto/pond/v2"
	"github.com/gammazero/workerpool"
	"github.com/panjf2000/ants/v2"
	concpool "github.com/sourcegraph/conc/pool"
	"golang.org/x/sync/errgroup"

	"github.com/rousehq/rouse/internal/pool"
)

// The names that the gates look up.
const (
	blockingFloor = "bare channel"
	floor         = "bare channel, non-blocking"
	ours          = "rouse"
)

// contender is something that runs tasks on size goroutines.
type contender struct {
	name string
	open func(size, buffer int) runner
}

// runner is an open contender: submit returns when it has accepted the task, and
// wait when all accepted tasks are over and its goroutines have gone.
type runner struct {
	submit func(task func())
	wait   func()
}

var contenders = []contender{
	{blockingFloor, openBlocking},
	{floor, openNonBlocking},
	{ours, openRouse},
	{"pond Go", openPondGo},
	{"pond Submit", openPondSubmit},
	{"ants", openAnts},
	{"conc", openConc},
	{"errgroup", openErrgroup},
	{"workerpool", openWorkerpool},
	{"tunny", openTunny},
}

func openBlocking(size, buffer int) runner {
	queue, wait := bare(size, buffer)
	return runner{submit: func(task func()) { queue <- task }, wait: wait}
}

func openNonBlocking(size, buffer int) runner {
	queue, wait := bare(size, buffer)
	return runner{wait: wait, submit: untilTaken(func(task func()) bool {
		select {
		case queue <- task:
			return true
		default:
			return false
		}
	})}
}

// bare starts size goroutines that range over a channel and nothing else.
func bare(size, buffer int) (queue chan func(), wait func()) {
	queue = make(chan func(), buffer)
	var workers sync.WaitGroup
	for range size {
		workers.Go(func() {
			for task := range queue {
				task()
			}
		})
	}
	return queue, func() {
		close(queue)
		workers.Wait()
	}
}

func openRouse(size, buffer int) runner {
	p := must(pool.New(pool.Config{Size: size, BufferSize: buffer}, func(task func()) { task() }))
	return runner{
		submit: untilTaken(p.Dispatch),
		wait:   func() { check(p.Drain(context.Background())) },
	}
}

// untilTaken makes a blocking submission of one that does not block.
func untilTaken(dispatch func(task func()) bool) func(task func()) {
	return func(task func()) {
		for !dispatch(task) {
			runtime.Gosched()
		}
	}
}

func openPondGo(size, buffer int) runner {
	p := pond.NewPool(size, pond.WithQueueSize(buffer))
	return runner{submit: func(task func()) { check(p.Go(task)) }, wait: p.StopAndWait}
}

func openPondSubmit(size, buffer int) runner {
	p := pond.NewPool(size, pond.WithQueueSize(buffer))
	return runner{submit: func(task func()) { p.Submit(task) }, wait: p.StopAndWait}
}

// ants cannot tell when its tasks are over, so each task tells.
func openAnts(size, _ int) runner {
	p := must(ants.NewPool(size))
	var tasks sync.WaitGroup
	return runner{
		submit: func(task func()) {
			tasks.Add(1)
			check(p.Submit(func() {
				task()
				tasks.Done()
			}))
		},
		wait: func() {
			tasks.Wait()
			p.Release()
		},
	}
}

func openConc(size, _ int) runner {
	p := concpool.New().WithMaxGoroutines(size)
	return runner{submit: p.Go, wait: p.Wait}
}

func openErrgroup(size, _ int) runner {
	var g errgroup.Group
	g.SetLimit(size)
	return runner{
		submit: func(task func()) {
			g.Go(func() error {
				task()
				return nil
			})
		},
		wait: func() { check(g.Wait()) },
	}
}

func openWorkerpool(size, _ int) runner {
	p := workerpool.New(size)
	return runner{submit: p.Submit, wait: p.StopWait}
}

func openTunny(size, _ int) runner {
	p := tunny.NewCallback(size)
	return runner{submit: func(task func()) { p.Process(task) }, wait: p.Close}
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

// check stops the comparison: no contender may fail.
func check(err error) {
	if err != nil {
		panic(err)
	}
}
