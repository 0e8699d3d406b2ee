package pool_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rousehq/rouse/internal/pool"
)

func ExampleNew() {
	p, err := pool.New(pool.Default(), func(name string) { fmt.Println("hello", name) })
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, name := range []string{"Ada", "Grace"} {
		if !p.Dispatch(name) {
			fmt.Println("no room for", name)
		}
	}
	fmt.Println("drained:", p.Drain(context.Background()) == nil)
	// Output:
	// hello Ada
	// hello Grace
	// drained: true
}

func ExampleConfig_Validate() {
	fmt.Println(pool.Config{Size: 0, BufferSize: 20000}.Validate())
	// Output:
	// WORKER_POOL_SIZE: is 0, must be a whole number from 1 to 1000
	// WORKER_BUFFER_SIZE: is 20000, must be a whole number from 1 to 10000
}

// Once a pool is closed, a Dispatch is refused; it does not panic.
func ExamplePool_Dispatch() {
	p, _ := pool.New(pool.Default(), func(int) {})
	fmt.Println(p.Dispatch(1))
	p.Close()
	fmt.Println(p.Dispatch(2))
	// Output:
	// true
	// false
}

// What a worker does when it is told to stop.
func ExamplePool_Reclaim() {
	started, stop := make(chan struct{}), make(chan struct{})
	p, _ := pool.New(pool.Default(), func(int) {
		started <- struct{}{}
		<-stop
	})
	for job := range 4 {
		p.Dispatch(job)
	}
	<-started // job 0 runs
	fmt.Println("give back:", p.Reclaim())

	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	err := p.Drain(ctx)
	fmt.Println(err)
	fmt.Println(errors.Is(err, context.DeadlineExceeded))

	close(stop) // cancel what still runs
	fmt.Println(p.Drain(context.Background()))
	// Output:
	// give back: [1 2 3]
	// drain pool: 1 running and 0 queued: context deadline exceeded
	// true
	// <nil>
}

// places is the simplest limit: so many tasks at a time.
type places chan struct{}

func (p places) Acquire() bool {
	select {
	case p <- struct{}{}:
		return true
	default:
		return false
	}
}

func (p places) Release(time.Duration, pool.Outcome) { <-p }

func ExampleNewLimited() {
	stop := make(chan struct{})
	p, _ := pool.NewLimited(pool.Default(), make(places, 2), func(int) pool.Outcome {
		<-stop
		return pool.Succeeded
	})
	fmt.Println(p.Dispatch(1), p.Dispatch(2), p.Dispatch(3))
	close(stop)
	fmt.Println(p.Drain(context.Background()))
	// Output:
	// true true false
	// <nil>
}
