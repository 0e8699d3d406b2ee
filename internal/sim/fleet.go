package sim

import (
	"slices"
	"time"
)

// taskState is where a task is in its life.
type taskState uint8

const (
	taskGone      taskState = iota
	taskCancelled           // stopped before it was ready; its start is still planned
	taskStarting
	taskServing
	taskDraining // told to stop, and finishing what it holds
)

// task is one task. Its place in the fleet is used again after it is gone.
type task struct {
	launched time.Duration
	busy     int32 // messages held
	open     int32 // place in fleet.open, or -1
	state    taskState
}

// fleet is the tasks of the service.
type fleet struct {
	slots  int32
	tasks  []task
	vacant []int32 // places of tasks that are gone
	open   []int32 // serving tasks with a free slot

	counts  [taskDraining + 1]int
	busy    int // serving or draining tasks that hold a message
	started uint64
	most    int // the most that were billed at the same time

	billed  time.Duration
	minimum time.Duration // billed for each task at least
	victims []int32
}

// standing is how many tasks count towards the desired count.
func (f *fleet) standing() int { return f.counts[taskStarting] + f.counts[taskServing] }

// launch starts a task and returns its place.
func (f *fleet) launch(now time.Duration) int32 {
	i := f.place()
	f.tasks[i] = task{launched: now, open: -1}
	f.started++
	f.become(i, taskStarting)
	f.most = max(f.most, f.standing()+f.counts[taskDraining])
	return i
}

func (f *fleet) place() int32 {
	if n := len(f.vacant); n > 0 {
		i := f.vacant[n-1]
		f.vacant = f.vacant[:n-1]
		return i
	}
	f.tasks = append(f.tasks, task{})
	return int32(len(f.tasks) - 1) // #nosec G115 -- a fleet is far smaller than 2³¹
}

func (f *fleet) become(i int32, s taskState) {
	f.counts[f.tasks[i].state]--
	f.counts[s]++
	f.tasks[i].state = s
	f.admit(i)
}

// admit keeps the list of tasks that can take a message.
func (f *fleet) admit(i int32) {
	t := &f.tasks[i]
	open := t.state == taskServing && t.busy < f.slots
	switch {
	case open && t.open < 0:
		t.open = int32(len(f.open)) // #nosec G115 -- a fleet is far smaller than 2³¹
		f.open = append(f.open, i)
	case !open && t.open >= 0:
		last := f.open[len(f.open)-1]
		f.open[t.open] = last
		f.tasks[last].open = t.open
		f.open = f.open[:len(f.open)-1]
		t.open = -1
	}
}

// ready takes note that a task has started; false if it was stopped meanwhile.
func (f *fleet) ready(i int32) bool {
	if f.tasks[i].state == taskCancelled {
		f.become(i, taskGone)
		f.vacant = append(f.vacant, i)
		return false
	}
	f.become(i, taskServing)
	return true
}

// hold gives a task one more message.
func (f *fleet) hold(i int32) {
	f.tasks[i].busy++
	if f.tasks[i].busy == 1 {
		f.busy++
	}
	f.admit(i)
}

// release takes one message from a task, which stops if it was only kept for that.
func (f *fleet) release(i int32, now time.Duration) {
	t := &f.tasks[i]
	t.busy--
	if t.busy == 0 {
		f.busy--
	}
	f.admit(i)
	if t.busy == 0 && t.state == taskDraining {
		f.gone(i, now)
	}
}

func (f *fleet) gone(i int32, now time.Duration) {
	f.bill(f.tasks[i], now)
	f.become(i, taskGone)
	f.vacant = append(f.vacant, i)
}

func (f *fleet) bill(t task, now time.Duration) { f.billed += max(f.minimum, now-t.launched) }

// shrink stops n tasks: those that are starting first, then idle ones; of busy
// ones those that hold least. The youngest of equals goes first.
func (f *fleet) shrink(n int, now time.Duration) {
	f.victims = f.victims[:0]
	for i := range f.tasks {
		if s := f.tasks[i].state; s == taskStarting || s == taskServing {
			f.victims = append(f.victims, int32(i)) // #nosec G115 -- a fleet is far smaller than 2³¹
		}
	}
	slices.SortFunc(f.victims, f.stopOrder)
	for _, i := range f.victims[:min(n, len(f.victims))] {
		f.stop(i, now)
	}
}

func (f *fleet) stopOrder(a, b int32) int {
	x, y := f.tasks[a], f.tasks[b]
	switch {
	case x.state != y.state:
		return int(x.state) - int(y.state)
	case x.busy != y.busy:
		return int(x.busy - y.busy)
	case x.launched != y.launched:
		return int(min(1, max(-1, y.launched-x.launched)))
	}
	return int(b - a)
}

func (f *fleet) stop(i int32, now time.Duration) {
	switch t := f.tasks[i]; {
	case t.state == taskStarting:
		f.bill(t, now)
		f.become(i, taskCancelled)
	case t.busy == 0:
		f.gone(i, now)
	default:
		f.become(i, taskDraining)
	}
}

// close bills what still stands.
func (f *fleet) close(now time.Duration) {
	for _, t := range f.tasks {
		if t.state >= taskStarting {
			f.bill(t, now)
		}
	}
}
