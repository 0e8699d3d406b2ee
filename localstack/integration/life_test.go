//go:build integration

package integration

import (
	"context"
	"time"

	"github.com/rousehq/rouse/localstack/rig"
	"github.com/rousehq/rouse/localstack/taskrunner"
)

// Three tasks, one busy and protected; the count goes to one: the two idle ones
// stop, and the job is completed on its first attempt.
func scaleIn(b bench) {
	b.override(3)
	id := b.send(rig.Job{WorkMS: 8000})[0]
	var busy taskrunner.Task
	b.eventually(20*time.Second, "one protected task", func() bool {
		for _, task := range b.cloud.Tasks() {
			if task.Alive() && task.Protected(time.Now()) {
				busy = task
				return true
			}
		}
		return false
	})
	b.override(1)
	if r := b.result(id, 30*time.Second); r.ReceiveCount != 1 || r.Completions != 1 || r.Task != busy.ID {
		b.Errorf("the result is %+v, want it of task %s", r, busy.ID)
	}
	for _, task := range b.cloud.Tasks() {
		if task.ID == busy.ID && !task.Alive() {
			b.Errorf("the busy task stopped: %+v", task)
		}
	}
}

// The count that the scaler set stands through an apply with a changed task
// definition, the deployment runs its course, and a second plan is empty.
func applyKeepsCount(b bench) {
	b.override(3)
	changed := inputs()["worker"].(map[string]any)
	changed["environment"] = map[string]string{"RELEASE": "2"}
	must(b, 0, b.rig.Apply(b.Context(), map[string]any{"worker": changed}))
	if f := b.fleet(); f.Desired != 3 {
		b.Errorf("the apply left the service at %+v", f)
	}
	b.eventually(60*time.Second, "three tasks of the new revision and no other", func() bool {
		alive, fresh := 0, 0
		for _, task := range b.cloud.Tasks() {
			if task.LastStatus != taskrunner.StatusStopped {
				alive++
			}
			if task.LastStatus == taskrunner.StatusRunning && task.Revision > 1 {
				fresh++
			}
		}
		return alive == 3 && fresh == 3
	})
	plan, err := b.rig.Plan(b.Context())
	if plan = must(b, plan, err); !plan.Empty() {
		b.Errorf("a second plan would change %v", plan.Changes)
	}
	must(b, 0, b.rig.EndOverride(b.Context()))
	b.send(rig.Job{WorkMS: 100})
	b.atZero() // what the deployment held is done once it is over
}

// The scaler goes first, so that nothing raises the count of a service that is going.
func destroy(b bench) {
	b.send(rig.Job{WorkMS: 100000})
	b.eventually(30*time.Second, "a protected task", func() bool {
		for _, task := range b.cloud.Tasks() {
			if task.Protected(time.Now()) {
				return true
			}
		}
		return false
	})
	ctx, cancel := context.WithTimeout(b.Context(), 3*time.Minute)
	defer cancel()
	begun := time.Now()
	must(b, 0, b.rig.Destroy(ctx))
	b.Logf("destroyed in %.0f s", time.Since(begun).Seconds())
	b.eventually(60*time.Second, "no task left", b.allStopped)
}
