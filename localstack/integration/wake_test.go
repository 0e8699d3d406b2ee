//go:build integration

package integration

import (
	"time"

	"github.com/rousehq/rouse/localstack/endpoint"
	"github.com/rousehq/rouse/localstack/rig"
)

// The first tick that begins after the message was sent is the one that wakes,
// and nothing was asked of CloudWatch for it.
func oneMessageWakes(b bench) {
	metrics := b.cloud.API.Recorder.Count("monitoring", "GetMetricData")
	d := b.decisions()
	sent := time.Now()
	id := b.send(rig.Job{WorkMS: 100})[0]
	all := b.until(d, 30*time.Second, "a wake-up", func(d rig.Decision) bool { return d.Reason == "wake" })
	woken := all[len(all)-1]
	for _, missed := range all[:len(all)-1] {
		if begun := missed.Time.Add(-tick * time.Second); begun.After(sent) && missed.Error == "" {
			b.Errorf("the tick of %v saw nothing: %+v", missed.Time, missed)
		}
	}
	b.Logf("woken %.2f s after the message was sent, tick %d s", woken.Time.Sub(sent).Seconds(), tick)
	if n := b.cloud.API.Recorder.Count("monitoring", "GetMetricData"); n != metrics {
		b.Errorf("%d metrics were asked for on the way", n-metrics)
	}
	if r := b.result(id, 30*time.Second); r.ReceiveCount != 1 || r.Completions != 1 {
		b.Errorf("the result is %+v", r)
	}
	b.atZero()
}

// A job longer than the lease, the cool-downs and the idle window together.
func longJob(b bench) {
	id := b.send(rig.Job{WorkMS: 14000})[0]
	b.eventually(30*time.Second, "the job started", func() bool {
		depth, err := b.rig.Depth(b.Context())
		return must(b, depth, err).InFlight == 1
	})
	b.eventually(60*time.Second, "the job's result", func() bool {
		results, err := b.rig.Results(b.Context())
		_, done := must(b, results, err)[id]
		if f := b.fleet(); f.Desired < 1 && !done {
			b.Fatalf("the service went to %+v while the job was running", f)
		}
		return done
	})
	if r := b.result(id, time.Second); r.ReceiveCount != 1 || r.Completions != 1 {
		b.Errorf("the result is %+v", r)
	}
}

// A source that is denied leaves the count where it is, and says so.
func blind(b bench) {
	b.cloud.API.Refuse("sqs", "GetQueueAttributes", -1, endpoint.Refusal{Status: 403, Code: "AccessDenied", Message: "denied by the test"})
	allow := func() { b.cloud.API.Allow("sqs", "GetQueueAttributes") }
	b.Cleanup(allow)
	d := b.decisions()
	id := b.send(rig.Job{WorkMS: 100})[0]
	for _, decision := range b.until(d, 30*time.Second, "three blind ticks", times(3, "blind")) {
		if decision.Target != 0 || decision.Outcome != "no-op" && decision.Reason == "blind" {
			b.Errorf("a blind tick decided %+v", decision)
		}
	}
	allow()
	all := b.until(d, 30*time.Second, "a wake-up", times(1, "wake"))
	for _, decision := range all[:len(all)-1] {
		if decision.Reason != "blind" && decision.Reason != "unread" {
			b.Errorf("between blind and awake: %+v", decision)
		}
	}
	b.result(id, 30*time.Second)
}

// times is satisfied by the nth decision with a reason.
func times(n int, reason string) func(rig.Decision) bool {
	return func(d rig.Decision) bool {
		if d.Reason == reason {
			n--
		}
		return n <= 0
	}
}
