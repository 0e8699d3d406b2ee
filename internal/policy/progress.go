package policy

const (
	// A throughput is measured over at least this many jobs and seconds.
	windowJobs    = 10
	windowSeconds = 30
	// leastGain is the share of a growth that must show in the throughput.
	leastGain = 0.2
	// probeCooldowns is after how many cool-downs a saturated workload may try to grow again.
	probeCooldowns = 10
	// stalledServiceTimes is how many mean service times a quiet spell may last before it is a stall.
	stalledServiceTimes = 3
)

// trackProgress measures the throughput of a fleet of constant size that has
// enough to do: the window starts afresh when tasks come or go, or nothing waits.
func (t *tick) trackProgress(progressed bool) {
	p := &t.state.Progress
	if progressed || p.CompletedAt == 0 || t.service.Running == 0 || t.queue.Visible+t.queue.InFlight == 0 {
		p.CompletedAt = t.now
	}
	completed, known := t.seen.Completed.Get()
	tasks := t.seen.Ready.Or(t.service.Running)
	if !known || t.queue.Visible == 0 || tasks != p.Tasks || tasks != t.service.Desired {
		p.Since, p.Tasks, p.Completed = t.now, tasks, 0
		return
	}
	p.Completed += completed
	seconds := p.Since.since(t.now)
	if p.Completed < windowJobs || seconds < max(windowSeconds, 2*t.state.ServiceTime) {
		return
	}
	p.Rate, p.RateTasks = float64(p.Completed)/seconds, tasks
	p.Since, p.Completed = t.now, 0
}

// saturated reports whether the last growth did not raise the throughput. The
// verdict is not for ever: conditions change, so growth is tried again after a while.
func (t *tick) saturated() bool {
	p := &t.state.Progress
	if !p.flat(t.service.Desired) {
		p.SaturatedSince = 0
		return false
	}
	if p.SaturatedSince == 0 {
		p.SaturatedSince = t.now
	}
	probe := probeCooldowns * max(windowSeconds, float64(t.config.CooldownUpSeconds)) * t.multiplier()
	if p.SaturatedSince.since(t.now) < probe {
		return true
	}
	p.forgetBase()
	return false
}

// flat reports whether desired tasks bring hardly more than fewer tasks did.
func (p *ProgressState) flat(desired int) bool {
	if p.BaseTasks == 0 || p.RateTasks != desired || p.RateTasks <= p.BaseTasks {
		return false
	}
	growth := float64(p.RateTasks)/float64(p.BaseTasks) - 1
	return p.Rate < p.BaseRate*(1+leastGain*growth)
}

// grown remembers the throughput before a growth, if it was measured.
func (p *ProgressState) grown() {
	p.BaseRate, p.BaseTasks = p.Rate, p.RateTasks
	p.SaturatedSince = 0
}

func (p *ProgressState) forgetBase() { p.BaseRate, p.BaseTasks, p.SaturatedSince = 0, 0, 0 }

// stalled reports whether work waits, tasks run, and none has been completed
// for too long: longer than stalled_after_seconds and than a few jobs take.
func (t *tick) stalled() bool {
	quiet := t.state.Progress.CompletedAt.since(t.now)
	return quiet >= max(float64(t.config.StalledAfterSeconds), stalledServiceTimes*t.state.ServiceTime)
}
