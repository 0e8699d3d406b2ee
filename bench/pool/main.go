package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
)

func main() {
	rounds := flag.Int("rounds", 41, "how many `times` each contender runs")
	tasks := flag.Int("tasks", 40_000, "how many `tasks` it runs each time")
	buffer := flag.Int("buffer", 1024, "the `capacity` of its queue")
	size := flag.Int("size", runtime.GOMAXPROCS(0), "its `goroutines`")
	flag.Parse()

	failed := false
	for _, producers := range []int{1, 8} {
		p := plan{producers: producers, size: *size, buffer: *buffer, tasks: *tasks, rounds: *rounds}
		t := p.measure()
		check(t.write(os.Stdout, p))
		for _, sentence := range t.verdicts() {
			fmt.Println("MISSED:", sentence)
			failed = true
		}
		fmt.Println()
	}
	if failed {
		os.Exit(1)
	}
	fmt.Printf("Both gates are met: at most %.1f times the floor, and ahead of every other pool.\n", allowed)
}
