//go:build integration

package integration

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/rousehq/rouse/internal/workload"
	"github.com/rousehq/rouse/localstack"
	"github.com/rousehq/rouse/localstack/rig"
	"github.com/rousehq/rouse/localstack/taskrunner"
)

const (
	root = "../.."
	tick = 1 // second
)

// inputs are the module's: its clocks go fast, and three tasks of two slots are enough.
func inputs() map[string]any {
	return map[string]any{
		"worker": map[string]any{
			"command": rig.JobCommand(root, false), "pool_size": 2, "wait_seconds": 1, "heartbeat_seconds": 1,
			"result_ttl_seconds": 3600, "visibility_seconds": 10, "retry_base_seconds": 1, "retry_max_seconds": 1,
			"job_timeout_seconds": 120, "drain_seconds": 30, "stop_timeout_seconds": 40,
		},
		"queue": map[string]any{"max_receive_count": 3},
		"policy": map[string]any{
			"scale_to_zero": true, "max_tasks": 3, "backlog_per_task": 2, "target_age_seconds": 30, "idle_window_seconds": 4,
			"cooldown_up_seconds": 2, "cooldown_down_seconds": 2, "step_down": 3,
		},
		"scaler": map[string]any{"tick_seconds": tick, "lease_seconds": 10},
	}
}

// bench is one workload under test.
type bench struct {
	*testing.T
	cloud *localstack.Cloud
	rig   *rig.Rig
}

// TestLoop deploys one workload and puts it through the cases, one after the other.
func TestLoop(t *testing.T) {
	program, err := rig.Program(root)
	if err != nil {
		t.Fatal(err)
	}
	cloud, err := localstack.Start(t.Context(), localstack.Options{
		Programs: map[string]taskrunner.Program{rig.Image: program}, NoContainers: true, StartDelay: time.Second, AgePeriod: 5 * time.Second,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cloud.Close)
	begun := time.Now()
	r, err := rig.Deploy(t.Context(), rig.Options{Cloud: cloud, Root: root, Name: "loop", Inputs: inputs(), Progress: t.Output()})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("applied in %.0f s", time.Since(begun).Seconds())
	for _, c := range []struct {
		name string
		run  func(bench)
	}{
		{"C07 C20 one message wakes within one tick", oneMessageWakes},
		{"C01 a long job outlives every cool-down", longJob},
		{"C16 a poison message ends in the DLQ", poison},
		{"a job that can never succeed goes to the DLQ with its reason", permanent},
		{"hostile messages are worked on or dead-lettered", hostile},
		{"C06 a blind scaler changes nothing", blind},
		{"one bad workload does not stop the others", badWorkload},
		{"C28 two invocations make one step", twoInvocations},
		{"C03 C29 C31 scale-in stops the idle tasks", scaleIn},
		{"C30 C33 an apply leaves the count alone", applyKeepsCount},
		{"C39 destroy ends with a protected task running", destroy},
	} {
		ok := t.Run(c.name, func(t *testing.T) {
			b := bench{t, cloud, r}
			b.atZero()
			c.run(b)
		})
		if !ok {
			t.Fatalf("the cases after %q are not run: each starts from what the one before leaves", c.name)
		}
	}
	for _, task := range cloud.Tasks() {
		if task.Killed {
			t.Errorf("task %s was killed: %s", task.ID, task.Reason)
		}
	}
}

// eventually waits for ok, looking again several times a second.
func (b bench) eventually(within time.Duration, what string, ok func() bool) {
	b.Helper()
	deadline := time.Now().Add(within)
	for !ok() {
		if time.Now().After(deadline) {
			depth, _ := b.rig.Depth(b.Context())
			fleet, _ := b.rig.Fleet(b.Context())
			b.Fatalf("not within %v: %s; queue %+v, service %+v", within, what, depth, fleet)
		}
		time.Sleep(200 * time.Millisecond)
	}
}

// must fails the test on an error.
func must[T any](b bench, v T, err error) T {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
	return v
}

func (b bench) fleet() rig.Fleet {
	b.Helper()
	fleet, err := b.rig.Fleet(b.Context())
	return must(b, fleet, err)
}

func (b bench) send(jobs ...rig.Job) []string {
	b.Helper()
	ids, err := b.rig.Send(b.Context(), jobs...)
	return must(b, ids, err)
}

// atZero waits until nothing is left to do and no task is left: one that is
// stopping may still give back a message that reaches it, at the price of a receive.
func (b bench) atZero() {
	b.Helper()
	b.eventually(60*time.Second, "everything at zero", func() bool {
		depth, err := b.rig.Depth(b.Context())
		return must(b, depth, err).Empty() && b.fleet() == rig.Fleet{} && b.allStopped()
	})
}

func (b bench) allStopped() bool {
	for _, task := range b.cloud.Tasks() {
		if task.LastStatus != taskrunner.StatusStopped {
			return false
		}
	}
	return true
}

// result waits for a job's result.
func (b bench) result(id string, within time.Duration) rig.Result {
	b.Helper()
	var result rig.Result
	b.eventually(within, "result of "+id, func() bool {
		results, err := b.rig.Results(b.Context())
		var found bool
		result, found = must(b, results, err)[id]
		return found
	})
	return result
}

// decisions returns those of the scaler from now on.
func (b bench) decisions() *rig.Decisions {
	b.Helper()
	d := b.rig.Decisions()
	_, err := d.Next()
	must(b, d, err)
	return d
}

// until returns the decisions up to the first that satisfies ok.
func (b bench) until(d *rig.Decisions, within time.Duration, what string, ok func(rig.Decision) bool) []rig.Decision {
	b.Helper()
	var all []rig.Decision
	b.eventually(within, what, func() bool {
		next, err := d.Next()
		for _, decision := range must(b, next, err) {
			all = append(all, decision)
			if ok(decision) {
				return true
			}
		}
		return false
	})
	return all
}

func (b bench) override(count int) {
	b.Helper()
	must(b, 0, b.rig.Override(b.Context(), workload.Override{Mode: "count", Count: count}))
	b.Cleanup(func() {
		if err := b.rig.EndOverride(context.Background()); err != nil {
			b.Error(err)
		}
	})
	b.eventually(30*time.Second, fmt.Sprintf("%d tasks running by override", count), func() bool {
		f := b.fleet()
		return f.Desired == count && f.Running == count && f.Pending == 0
	})
}
