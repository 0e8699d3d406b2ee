package scaler

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	ecstypes "github.com/aws/aws-sdk-go-v2/service/ecs/types"
	"github.com/google/go-cmp/cmp"

	"github.com/rousehq/rouse/internal/policy"
	"github.com/rousehq/rouse/internal/workload"
)

// column returns one key of every tick line.
func (j *journal) column(name, key string) []any {
	var all []any
	for _, line := range j.ticks(name) {
		all = append(all, line[key])
	}
	return all
}

func TestACooldownFollowsAChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := busy(t)
		s, j := c.newScaler(t)
		if _, err := s.minute(t); err != nil {
			t.Fatal(err)
		}
		want := []any{"added", "no-op", "no-op", "added", "no-op", "no-op"}
		if diff := cmp.Diff(want, j.column("reports", "outcome")); diff != "" {
			t.Errorf("%s\n%v", diff, j.column("reports", "reason"))
		}
	})
}

func TestC27OurOwnChangesAreNotForeign(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := busy(t)
		c.add(t, "reports", func(d *workload.Document) { d.Policy.StepUp, d.Policy.CooldownUpSeconds = 1, 0 })
		c.count("reports", 1, 1)
		c.depth("reports", 500, 4, 0)
		s, j := c.newScaler(t)
		if _, err := s.minute(t); err != nil {
			t.Fatal(err)
		}
		if n := len(c.set("reports")); n < foreignChanges {
			t.Fatalf("only %d changes", n)
		}
		if told := j.values("reports", "ForeignWriter"); told != nil {
			t.Errorf("reported as foreign: %v", told)
		}
	})
}

func TestStartsAreCountedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := busy(t)
		started := func(n int) ecstypes.ServiceEvent {
			return ecstypes.ServiceEvent{CreatedAt: aws.Time(time.Now()), Message: aws.String(fmt.Sprintf("(service reports) has started %d tasks: (task a).", n))}
		}
		tell := func(n int) func() {
			return func() {
				c.mu.Lock()
				defer c.mu.Unlock()
				c.services["reports"].Events = append([]ecstypes.ServiceEvent{started(n)}, c.services["reports"].Events...)
			}
		}
		tell(9)() // before the first tick: nobody knows of which tick
		time.AfterFunc(5*time.Second, tell(2))
		time.AfterFunc(25*time.Second, tell(1))
		s, j := c.newScaler(t)
		if _, err := s.minute(t); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]any{nil, 2.0, 0.0, 1.0, 0.0, 0.0}, j.column("reports", "starts")); diff != "" {
			t.Error(diff)
		}
	})
}

func TestWhatHappenedWhileBlindIsCountedAtTheNextSight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := busy(t)
		start := time.Now()
		c.fault = func(_ context.Context, op, _ string) error {
			at := time.Since(start)
			if op == "GetQueueAttributes" && at >= 20*time.Second && at < 40*time.Second {
				return apiError("RequestThrottled")
			}
			if op == "DescribeServices" { // five jobs between one tick and the next
				c.beat(workload.Heartbeat{Task: "a", BeatAt: policy.At(time.Now()), IntervalSeconds: 10, Slots: 4, Completed: 5 * (1 + int64(at/(10*time.Second)))}, "reports")
			}
			return nil
		}
		s, j := c.newScaler(t)
		if _, err := s.minute(t); err == nil {
			t.Error("blind ticks are failures")
		}
		if diff := cmp.Diff([]any{nil, 5.0, nil, nil, 15.0, 5.0}, j.column("reports", "completed")); diff != "" {
			t.Error(diff)
		}
	})
}

func TestTheAgeIsBoundByTheTimeSinceTheQueueWasEmpty(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := busy(t)
		c.depth("reports", 0, 4, 0)
		c.ages["reports"] = []age{{time.Now().Add(-time.Minute), 300}}
		time.AfterFunc(15*time.Second, func() { c.depth("reports", 50, 4, 0) })
		s, j := c.newScaler(t)
		if _, err := s.minute(t); err != nil {
			t.Fatal(err)
		}
		// CloudWatch is first asked at the third tick; the queue was last empty at the second
		if diff := cmp.Diff([]any{nil, nil, 10.0, 20.0, 30.0, 40.0}, j.column("reports", "age_seconds")); diff != "" {
			t.Error(diff)
		}
	})
}

func TestTheMarginIsKeptFree(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := busy(t)
		s, j := c.newScaler(t, func(config *Config) { config.DeadlineMarginSeconds = 30 })
		if _, err := s.minute(t); err != nil {
			t.Fatal(err)
		}
		if n := len(j.ticks("reports")); n != 3 {
			t.Errorf("%d ticks in a minute less half a minute", n)
		}
	})
}

func TestC33TwoDeploymentsAreADeploymentInProgress(t *testing.T) {
	completed := ecstypes.Deployment{RolloutState: ecstypes.DeploymentRolloutStateCompleted}
	inProgress := ecstypes.Deployment{RolloutState: ecstypes.DeploymentRolloutStateInProgress}
	for _, test := range []struct {
		deployments []ecstypes.Deployment
		want        bool
	}{
		{nil, false},
		{[]ecstypes.Deployment{completed}, false},
		{[]ecstypes.Deployment{inProgress}, true},
		{[]ecstypes.Deployment{completed, completed}, true},
	} {
		if got := deploying(ecstypes.Service{Deployments: test.deployments}); got != test.want {
			t.Errorf("%v: %t", test.deployments, got)
		}
	}
}
