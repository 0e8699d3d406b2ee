package scaler

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	ecstypes "github.com/aws/aws-sdk-go-v2/service/ecs/types"
	"github.com/google/go-cmp/cmp"

	"github.com/rousehq/rouse/internal/policy"
	"github.com/rousehq/rouse/internal/workload"
)

func TestC20FirstMessageOnDormantQueueWakesWithinOneTick(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCloud()
		c.add(t, "reports")
		s, j := c.newScaler(t)
		time.AfterFunc(20*time.Second+time.Millisecond, func() { c.depth("reports", 1, 0, 0) })
		var woken time.Duration
		start := time.Now()
		c.fault = func(_ context.Context, op, _ string) error {
			if op == "UpdateService" {
				woken = time.Since(start)
			}
			return nil
		}
		if _, err := s.minute(t); err != nil {
			t.Fatal(err)
		}
		if woken != 30*time.Second {
			t.Errorf("woken after %s, want 30s: at the first tick that could see the message", woken)
		}
		if got := j.ticks("reports")[3]; got["reason"] != "wake" || got["outcome"] != "added" {
			t.Errorf("the fourth tick says %v", got)
		}
	})
}

func TestC20NoMetricIsReadAtZeroTasks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCloud()
		c.add(t, "reports", func(d *workload.Document) { d.Policy.ActivationBacklog = 100 })
		c.depth("reports", 50, 0, 0)
		s, _ := c.newScaler(t)
		if _, err := s.minute(t); err != nil {
			t.Fatal(err)
		}
		if n := c.called("GetMetricData"); n != 0 {
			t.Errorf("CloudWatch was asked %d times", n)
		}
	})
}

func TestRunTicksUntilTheMarginAndGivesTheLeaseBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCloud()
		c.add(t, "reports")
		c.add(t, "thumbs")
		s, j := c.newScaler(t)
		start := time.Now()
		got, err := s.minute(t)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(Summary{Ticks: 6, Workloads: 2}, got); diff != "" {
			t.Error(diff)
		}
		if took := time.Since(start); took > 58*time.Second {
			t.Errorf("took %s", took)
		}
		if n := len(j.ticks("thumbs")); n != 6 {
			t.Errorf("%d lines of thumbs, want 6", n)
		}
		if l := c.lease("thumbs"); l.until != 0 {
			t.Errorf("the lease stands until %s", l.until.Time())
		}
		if n := c.called("UpdateItem"); n != 2*(1+6+1) {
			t.Errorf("%d writes, want for each workload: take the lease, remember six ticks, give it back", n)
		}
	})
}

func (c *cloud) lease(name string) lease {
	c.mu.Lock()
	defer c.mu.Unlock()
	l, _ := readLease(c.items[workload.PartitionKey(name)][workload.SortState])
	return l
}

func (c *cloud) memory(t testing.TB, name string) memory {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	body, _ := readString(c.items[workload.PartitionKey(name)][workload.SortState], workload.AttributeDocument)
	m, err := recall(body)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestCloudWatchIsAskedOnceAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCloud()
		for i := range 3 {
			name := fmt.Sprintf("work-%d", i)
			c.add(t, name)
			c.count(name, 1, 1)
			c.depth(name, 5, 1, 0)
		}
		s, _ := c.newScaler(t)
		for range 3 {
			if _, err := s.minute(t); err != nil {
				t.Fatal(err)
			}
			time.Sleep(10 * time.Second) // to the next minute
		}
		if n := c.called("GetMetricData"); n != 3 {
			t.Errorf("asked %d times in three minutes", n)
		}
	})
}

func TestC33ScaleInWaitsForTheDeployment(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCloud()
		c.add(t, "reports", func(d *workload.Document) { d.Policy.CooldownDownSeconds, d.Policy.BacklogPerTask = 10, 10 })
		c.count("reports", 8, 8)
		c.depth("reports", 1, 1, 0)
		c.services["reports"].Deployments = []ecstypes.Deployment{
			{Status: aws.String("PRIMARY"), RolloutState: ecstypes.DeploymentRolloutStateInProgress},
			{Status: aws.String("ACTIVE"), RolloutState: ecstypes.DeploymentRolloutStateCompleted},
		}
		s, j := c.newScaler(t)
		if _, err := s.minute(t); err != nil {
			t.Fatal(err)
		}
		if line := j.last("reports"); line["reason"] != "deploying" || c.desired("reports") != 8 {
			t.Errorf("during the deployment: %v", line)
		}
		c.services["reports"].Deployments = c.services["reports"].Deployments[:1]
		c.services["reports"].Deployments[0].RolloutState = ecstypes.DeploymentRolloutStateCompleted
		if _, err := s.once(t); err != nil {
			t.Fatal(err)
		}
		if line := j.last("reports"); line["reason"] != "shrink" || line["outcome"] != "removed" {
			t.Errorf("after the deployment: %v", line)
		}
	})
}

func TestC33ScaleOutGoesOnDuringADeployment(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCloud()
		c.add(t, "reports")
		c.count("reports", 1, 1)
		c.depth("reports", 100, 1, 0)
		c.services["reports"].Deployments[0].RolloutState = ecstypes.DeploymentRolloutStateInProgress
		s, j := c.newScaler(t)
		if _, err := s.once(t); err != nil {
			t.Fatal(err)
		}
		if line := j.last("reports"); line["outcome"] != "added" {
			t.Errorf("%v", line)
		}
	})
}

func TestC27ForeignWriterIsAdoptedAndReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCloud()
		c.add(t, "reports")
		c.count("reports", 2, 2)
		c.depth("reports", 10, 4, 0)
		s, j := c.newScaler(t)
		for i := range 4 {
			time.AfterFunc(time.Duration(i)*10*time.Second+5*time.Second, func() { c.count("reports", int32(2+(i+1)%2), 2) })
		}
		if _, err := s.minute(t); err != nil {
			t.Fatal(err)
		}
		if got := c.set("reports"); got != nil {
			t.Errorf("the scaler fought: %v", got)
		}
		var reported []bool
		for _, line := range j.ticks("reports") {
			reported = append(reported, strings.Contains(line["conditions"].(string), "foreign-writer"))
		}
		if diff := cmp.Diff([]bool{false, false, false, true, true, true}, reported); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([]float64{1, 1, 1}, j.values("reports", "ForeignWriter")); diff != "" {
			t.Error(diff)
		}
	})
}

func TestHeartbeatsReachThePolicyOverManyPages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCloud()
		c.pageSize = 3
		c.add(t, "reports")
		c.count("reports", 10, 10)
		c.depth("reports", 5, 20, 0)
		beat := func(completed int64) {
			for i := range 10 {
				c.beat(workload.Heartbeat{Task: fmt.Sprint("t", i), BeatAt: policy.At(time.Now()), IntervalSeconds: 10, Ready: i < 9, Busy: i % 2, Slots: 4, Completed: completed}, "reports")
			}
		}
		beat(7)
		s, j := c.newScaler(t)
		for range 2 {
			if _, err := s.once(t); err != nil {
				t.Fatal(err)
			}
			beat(9)
		}
		first, second := j.ticks("reports")[0], j.ticks("reports")[1]
		if second["ready"] != 9.0 || second["busy"] != 5.0 || first["completed"] != nil || second["completed"] != 20.0 {
			t.Errorf("first %v\nsecond %v", first, second)
		}
	})
}

// The table deletes expired records days later; until then they count for nothing.
func TestExpiredHeartbeatsAreLeftAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCloud()
		c.add(t, "reports")
		for _, task := range []string{"alive", "dead"} {
			c.beat(workload.Heartbeat{Task: task, BeatAt: policy.At(time.Now()), IntervalSeconds: 10, Slots: 1, Completed: 5}, "reports")
		}
		records := c.items[workload.PartitionKey("reports")]
		records[workload.WorkerSortKey("dead")][workload.AttributeExpires] = num(time.Now().Unix())
		records[workload.WorkerSortKey("alive")][workload.AttributeExpires] = num(time.Now().Unix() + 60)
		s, _ := c.newScaler(t)
		if _, err := s.once(t); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(map[string]int64{"alive": 5}, c.memory(t, "reports").Completed); diff != "" {
			t.Error(diff)
		}
	})
}

func TestTheOperatorsOverrideIsObeyed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCloud()
		c.add(t, "reports")
		until := policy.At(time.Now().Add(15 * time.Second))
		order, _ := json.Marshal(workload.Override{Mode: policy.OverrideCount, Count: 4, Until: until})
		c.put("reports", workload.SortOverride, string(order))
		s, j := c.newScaler(t)
		if _, err := s.once(t); err != nil {
			t.Fatal(err)
		}
		if line := j.last("reports"); line["reason"] != "override" || c.desired("reports") != 4 {
			t.Errorf("%v", line)
		}
	})
}
