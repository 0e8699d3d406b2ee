// Command pool compares the dispatch of internal/pool with a bare channel and
// with other pools, all in one run:
//
//	go run .              # table of ratios; exits 1 if a gate is missed
//	go test -bench . .    # the same contenders as ordinary benchmarks
//
// The time of a task is from the first submission to the end of the last task,
// divided by the number of tasks. A task does nothing but tell a WaitGroup that
// it is over, and its producer has announced it there: a bare channel cannot
// tell when its tasks are over, and a contender that lost one would win. The
// benchmarks leave that out and so show the cost of the contender alone.
//
// Machines are shared and noisy, so the contenders take turns, in a different
// order in each round, and what is compared is each one's best round: whatever
// else runs on the machine can only add to a time. The medians are shown beside.
//
// Two gates: the pool takes at most 1.2 times as long as a bare channel of the
// same capacity whose producers also send without blocking and yield when it is
// full; and no other pool is faster.
package main
