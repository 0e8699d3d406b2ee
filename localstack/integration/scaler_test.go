//go:build integration

package integration

import (
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/lambda"

	"github.com/rousehq/rouse/internal/workload"
	"github.com/rousehq/rouse/localstack/rig"
)

// A document that cannot be read fails its own ticks and the invocation, and no
// other workload's.
func badWorkload(b bench) {
	record := map[string]string{
		workload.AttributePartition: workload.PartitionKey("broken"), workload.AttributeSort: workload.SortSpec,
		workload.AttributeKind: workload.KindSpec, workload.AttributeWorkload: "broken",
		workload.AttributeDocument: `{"version":1,"name":"broken","policy":{"max_tasks":0,"speed":9}}`,
	}
	must(b, 0, b.rig.PutRecord(b.Context(), record))
	before := len(b.cloud.Scheduler.Firings())
	id := b.send(rig.Job{WorkMS: 100})[0]
	b.result(id, 60*time.Second)
	b.eventually(90*time.Second, "a failed invocation that names the bad workload", func() bool {
		for _, firing := range b.cloud.Scheduler.Firings()[before:] {
			if firing.Err != nil && strings.Contains(firing.Err.Error(), "broken") {
				return true
			}
		}
		return false
	})
	must(b, 0, b.rig.DeleteRecord(b.Context(), workload.PartitionKey("broken"), workload.SortSpec))
}

// While one invocation ticks another one is started, as a late delivery of the
// schedule would: the lease lets only one of them act.
func twoInvocations(b bench) {
	client := lambda.NewFromConfig(b.cloud.AWSConfig())
	var second sync.WaitGroup
	second.Go(func() {
		if _, err := client.Invoke(b.Context(), &lambda.InvokeInput{FunctionName: &b.rig.Outputs.Function}); err != nil {
			b.Errorf("invoke: %v", err)
		}
	})
	d := b.decisions()
	b.until(d, 60*time.Second, "an invocation that finds the lease held", times(1, "lease-held"))
	steps := b.cloud.API.Recorder.Count("ecs", "UpdateService")
	ids := b.send(rig.Job{WorkMS: 3000}, rig.Job{WorkMS: 3000}, rig.Job{WorkMS: 3000}, rig.Job{WorkMS: 3000})
	for _, id := range ids {
		b.result(id, 60*time.Second)
	}
	if n := b.cloud.API.Recorder.Count("ecs", "UpdateService") - steps; n > 2 { // the wake-up, and perhaps a shrink since
		b.Errorf("%d steps were made", n)
	}
	second.Wait()
}
