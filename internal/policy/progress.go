package policy

import "math"

const (
	// A throughput is measured over at least this many jobs and seconds.
	windowJobs    = 10
	windowSeconds = 15
	// leastGain is the share of a growth that must show in the throughput.
	leastGain = 0.2
	// doubt is how many standard errors the measurements must stand apart from full gain.
	doubt = 2
	// blindGrowths is how many growths may follow one another without a measurement of their effect.
	blindGrowths = 3
	// A saturated workload may try to grow again after this many cool-downs, and this many seconds.
	probeCooldowns = 10
	probeSeconds   = 300
	// stalledServiceTimes is how many mean service times a quiet spell may last before it is a stall.
	stalledServiceTimes = 3
)

// trackProgress keeps the clock of the stall and the measurement of the throughput.
func (t *tick) trackProgress(progressed bool) {
	p := &t.state.Progress
	if progressed || p.CompletedAt == 0 || t.service.Running == 0 || t.queue.Visible+t.queue.InFlight == 0 {
		p.CompletedAt = t.now
	}
	tasks := t.seen.Ready.Or(t.service.Running)
	completed, known := t.seen.Completed.Get()
	if !known || t.queue.Visible == 0 || tasks != p.Tasks || tasks != t.service.Desired {
		p.Since, p.Tasks, p.Completed = t.now, tasks, 0
		return
	}
	p.Completed += completed
	t.closeWindow()
}

// closeWindow ends the measurement once it says enough. A window is of a fleet
// of constant size that has enough to do; it starts afresh when tasks come or
// go, or nothing waits.
func (t *tick) closeWindow() {
	p := &t.state.Progress
	seconds := p.Since.since(t.now)
	if p.Completed < windowJobs || seconds < max(windowSeconds, 2*t.state.ServiceTime) {
		return
	}
	p.Latest = Throughput{Tasks: p.Tasks, Jobs: p.Completed, Rate: float64(p.Completed) / seconds}
	p.Since, p.Completed, p.Unmeasured = t.now, 0, 0
}

// unmeasured reports whether growth should wait until its effect so far has been
// measured. Cold starts can be as long as cool-downs, and then no fleet would
// ever stand still long enough to be measured. It waits for a start and two
// windows at most: where jobs are too long for that, nothing can be said.
func (t *tick) unmeasured() bool {
	wait := float64(t.config.WarmupSeconds) + 2*windowSeconds
	return t.state.Progress.Unmeasured >= blindGrowths && t.seen.Completed.IsKnown() &&
		t.state.LastUp.since(t.now) < wait
}

// saturated reports whether the last growth did not raise the throughput. The
// verdict is not for ever: conditions change, so growth is tried again after a while.
func (t *tick) saturated() bool {
	p := &t.state.Progress
	if p.Latest.Tasks != t.service.Desired || !p.Latest.flatAfter(p.Base) {
		p.SaturatedSince = 0
		return false
	}
	if p.SaturatedSince == 0 {
		p.SaturatedSince = t.now
	}
	probe := max(probeSeconds, probeCooldowns*float64(t.config.CooldownUpSeconds)*t.multiplier())
	if p.SaturatedSince.since(t.now) < probe {
		return true
	}
	p.forgetBase()
	return false
}

// flatAfter reports whether the tasks added since base brought next to
// nothing: less than leastGain of their share, by measurements precise enough to
// exclude their full share. Counts are taken for Poisson, so that a rate over n
// jobs has a relative standard error of 1/√n.
func (m Throughput) flatAfter(base Throughput) bool {
	if base.Tasks == 0 || base.Jobs == 0 || m.Jobs == 0 || m.Tasks <= base.Tasks {
		return false
	}
	growth := float64(m.Tasks)/float64(base.Tasks) - 1
	slack := doubt * math.Sqrt(1/float64(m.Jobs)+1/float64(base.Jobs))
	return m.Rate < base.Rate*(1+leastGain*growth) && m.Rate*(1+slack) < base.Rate*(1+growth)
}

// grown remembers the throughput before a growth. If it was not measured, the
// one before an earlier growth still tells what all of them together brought.
func (p *ProgressState) grown() {
	if p.Latest.Tasks > 0 {
		p.Base, p.Latest = p.Latest, Throughput{}
	}
	p.Unmeasured++
	p.SaturatedSince = 0
}

func (p *ProgressState) forgetBase() { p.Base, p.Unmeasured, p.SaturatedSince = Throughput{}, 0, 0 }

// stalled reports whether work waits, tasks run, and none has been completed
// for too long: longer than stalled_after_seconds and than a few jobs take.
func (t *tick) stalled() bool {
	quiet := t.state.Progress.CompletedAt.since(t.now)
	return quiet >= max(float64(t.config.StalledAfterSeconds), stalledServiceTimes*t.state.ServiceTime)
}
