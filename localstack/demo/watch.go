package demo

import (
	"context"
	"fmt"
	"time"

	"github.com/rousehq/rouse/localstack/rig"
)

// look is how often the demo looks at its workload.
const look = 500 * time.Millisecond

// view is one look at the workload from outside.
type view struct {
	at    time.Duration // since the jobs were sent
	depth rig.Depth
	fleet rig.Fleet
	ready int
	done  int
}

// watch follows a workload from the moment its jobs are sent.
type watch struct {
	rig       *rig.Rig
	decisions *rig.Decisions
	screen    *screen
	jobs      int
	sent      time.Time
	ready     int
	peak      int
	firstUp   time.Duration // when the desired count was first above zero
	firstDone time.Duration // when the first job was done
	allDone   time.Duration // when the last job was done
	end       time.Duration
}

func newWatch(r *rig.Rig, jobs int, s *screen) *watch {
	return &watch{rig: r, decisions: r.Decisions(), screen: s, jobs: jobs, sent: time.Now()}
}

// untilZero shows what happens until the queue is empty and no task is left.
func (w *watch) untilZero(ctx context.Context) error {
	ticker := time.NewTicker(look)
	defer ticker.Stop()
	for {
		v, err := w.look(ctx)
		if err != nil {
			return err
		}
		w.note(v)
		w.screen.view(v, w.jobs)
		if v.depth.Empty() && v.fleet == (rig.Fleet{}) && w.peak > 0 {
			w.end = v.at
			return nil
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (w *watch) look(ctx context.Context) (view, error) {
	depth, err := w.rig.Depth(ctx)
	if err != nil {
		return view{}, err
	}
	fleet, err := w.rig.Fleet(ctx)
	if err != nil {
		return view{}, err
	}
	results, err := w.rig.Results(ctx)
	if err != nil {
		return view{}, err
	}
	if err := w.follow(); err != nil {
		return view{}, err
	}
	return view{time.Since(w.sent), depth, fleet, min(w.ready, fleet.Running), len(results)}, nil
}

// follow shows the scaler's decisions since the last look.
func (w *watch) follow() error {
	decisions, err := w.decisions.Next()
	if err != nil {
		return err
	}
	for _, d := range decisions {
		if d.Ready != nil {
			w.ready = *d.Ready
		}
		w.screen.decision(d, d.Time.Sub(w.sent))
	}
	return nil
}

func (w *watch) note(v view) {
	w.peak = max(w.peak, v.fleet.Desired)
	if w.firstUp == 0 && v.fleet.Desired > 0 {
		w.firstUp = v.at
	}
	if w.firstDone == 0 && v.done > 0 {
		w.firstDone = v.at
	}
	if w.allDone == 0 && v.done >= w.jobs {
		w.allDone = v.at
	}
}

func (w *watch) summary() string {
	seconds := func(d time.Duration) string { return fmt.Sprintf("%.1f s", d.Seconds()) }
	return fmt.Sprintf("woken after %s, first job done after %s, all %d after %s, %d tasks at most, back at zero after %s",
		seconds(w.firstUp), seconds(w.firstDone), w.jobs, seconds(w.allDone), w.peak, seconds(w.end))
}
