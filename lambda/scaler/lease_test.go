package scaler

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rousehq/rouse/internal/policy"
	"github.com/rousehq/rouse/internal/workload"
)

// busy sets up a workload whose backlog calls for several steps in a minute.
func busy(t *testing.T) *cloud {
	c := newCloud()
	c.add(t, "reports", func(d *workload.Document) { d.Policy.StepUp = 2 })
	c.count("reports", 1, 1)
	c.depth("reports", 500, 4, 0)
	return c
}

func TestC28OverlappingInvocationsMakeOneStep(t *testing.T) {
	for _, lag := range []time.Duration{0, 3 * time.Second, 10 * time.Second} {
		t.Run(fmt.Sprint("the second starts after ", lag), func(t *testing.T) {
			var alone []int32
			synctest.Test(t, func(t *testing.T) {
				c := busy(t)
				s, _ := c.newScaler(t)
				if _, err := s.minute(t); err != nil {
					t.Fatal(err)
				}
				alone = c.set("reports")
			})
			synctest.Test(t, func(t *testing.T) {
				c := busy(t)
				first, _ := c.newScaler(t)
				second, _ := c.newScaler(t)
				var running sync.WaitGroup
				running.Go(func() {
					if _, err := first.minute(t); err != nil {
						t.Error(err)
					}
				})
				running.Go(func() {
					time.Sleep(lag)
					ctx, cancel := context.WithTimeout(t.Context(), time.Minute-lag)
					defer cancel()
					if _, err := second.Run(ctx); err != nil {
						t.Error(err)
					}
				})
				running.Wait()
				if diff := cmp.Diff(alone, c.set("reports")); diff != "" || len(alone) < 2 {
					t.Errorf("one alone makes %v: %s", alone, diff)
				}
			})
		})
	}
}

func TestC28OfTwoThatReadTheSameRecordOneActs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := busy(t)
		both := make(chan struct{})
		arrived := 0
		c.fault = func(_ context.Context, op, _ string) error {
			if op != "UpdateItem" {
				return nil
			}
			c.mu.Lock()
			if arrived++; arrived == 2 {
				close(both)
			}
			c.mu.Unlock()
			<-both
			return nil
		}
		var running sync.WaitGroup
		var journals []*journal
		for range 2 {
			s, j := c.newScaler(t)
			journals = append(journals, j)
			running.Go(func() {
				if _, err := s.once(t); err != nil {
					t.Error(err)
				}
			})
		}
		running.Wait()
		outcomes := map[any]int{}
		for _, j := range journals {
			outcomes[j.last("reports")["outcome"]]++
		}
		if diff := cmp.Diff(map[any]int{"added": 1, "blocked": 1}, outcomes); diff != "" {
			t.Error(diff)
		}
		if got := c.set("reports"); len(got) != 1 {
			t.Errorf("steps: %v", got)
		}
	})
}

// verdicts returns what each tick decided.
func verdicts(journals ...*journal) []string {
	var all []string
	for _, j := range journals {
		for _, line := range j.ticks("reports") {
			all = append(all, fmt.Sprint(line["reason"], " ", line["target"], " ", line["outcome"]))
		}
	}
	return all
}

func TestC28AScalerThatDiesBetweenTicksDecidesAlike(t *testing.T) {
	var alive, reborn []string
	story := func(c *cloud) {
		time.AfterFunc(25*time.Second, func() { c.depth("reports", 0, 2, 0) })
		time.AfterFunc(35*time.Second, func() { c.depth("reports", 0, 0, 0) })
	}
	synctest.Test(t, func(t *testing.T) {
		c := busy(t)
		story(c)
		s, j := c.newScaler(t)
		if _, err := s.minute(t); err != nil {
			t.Fatal(err)
		}
		alive = verdicts(j)
	})
	synctest.Test(t, func(t *testing.T) {
		c := busy(t)
		story(c)
		start := time.Now()
		var journals []*journal
		for i := range 6 {
			time.Sleep(time.Until(start.Add(time.Duration(i) * 10 * time.Second)))
			s, j := c.newScaler(t)
			journals = append(journals, j)
			if _, err := s.once(t); err != nil {
				t.Fatal(err)
			}
		}
		reborn = verdicts(journals...)
	})
	if diff := cmp.Diff(alive, reborn); diff != "" || len(alive) != 6 {
		t.Errorf("alive: %v\n%s", alive, diff)
	}
}

func TestC28ADeadScalersLeaseRunsOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := busy(t)
		start := time.Now()
		c.fault = func(_ context.Context, op, _ string) error {
			if at := time.Since(start); op == "UpdateItem" && at > 9*time.Second && at < time.Minute {
				return errors.New("the process is dead")
			}
			return nil
		}
		long := func(config *Config) { config.LeaseSeconds = 95 }
		dying, _ := c.newScaler(t, long)
		if _, err := dying.once(t); err != nil {
			t.Fatal(err)
		}
		c.hold("reports") // dead before it could give the lease back
		time.Sleep(time.Until(start.Add(time.Minute)))
		next, j := c.newScaler(t, long)
		if _, err := next.minute(t); err != nil {
			t.Errorf("a lease held by another is no failure: %v", err)
		}
		var held []bool
		for _, line := range j.ticks("reports") {
			held = append(held, line["reason"] == reasonLeaseHeld && strings.Contains(fmt.Sprint(line["lease"]), "lease held by"))
		}
		// it lasts until 95 s after the first tick, and a second for the clocks
		if diff := cmp.Diff([]bool{true, true, true, true, false, false}, held); diff != "" {
			t.Error(diff)
		}
	})
}

// hold makes the lease stand as it did before it was given back.
func (c *cloud) hold(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	it := c.items[workload.PartitionKey(name)][workload.SortState]
	it[workload.AttributeLeaseUntil] = num(time.Now().Add(95 * time.Second).UnixMilli())
}

func TestALeaseLostWhileActingIsSeenAndNoFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := busy(t)
		c.fault = func(_ context.Context, op, _ string) error {
			if op == "UpdateService" {
				c.mu.Lock()
				defer c.mu.Unlock()
				it := c.items[workload.PartitionKey("reports")][workload.SortState]
				it[workload.AttributeVersion], it[workload.AttributeLeaseOwner] = num(99), str("another")
			}
			return nil
		}
		s, j := c.newScaler(t)
		if _, err := s.once(t); err != nil {
			t.Error(err)
		}
		if got := fmt.Sprint(j.last("reports")["lease"]); !strings.Contains(got, "lease held by another") {
			t.Errorf("lease: %s", got)
		}
		if l := c.lease("reports"); l.version != 99 {
			t.Errorf("the record was written over: %+v", l)
		}
	})
}

func TestActIsRefusedIfTheLeaseMayEndBeforeTheCall(t *testing.T) {
	c := busy(t)
	s, _ := c.newScaler(t)
	v := &invocation{Scaler: s, now: time.Now()}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	turn := &turn{decision: policy.Decision{Change: true, Target: 3}, lease: lease{owner: "me", until: policy.At(time.Now().Add(59 * time.Second))}}
	outcome, err := v.act(ctx, turn)
	if outcome != policy.OutcomeBlocked || !errors.As(err, new(leaseError)) || c.called("UpdateService") != 0 {
		t.Errorf("%s, %v", outcome, err)
	}
}

func TestHeldByOther(t *testing.T) {
	tests := []struct {
		name string
		l    lease
		now  policy.Instant
		want bool
	}{
		{"nobody ever held it", lease{}, 5000, false},
		{"it is ours", lease{owner: "me", until: 9000}, 5000, false},
		{"it is another's and lasts", lease{owner: "you", until: 9000}, 5000, true},
		{"it is another's and ends within the skew of clocks", lease{owner: "you", until: 4500}, 5000, true},
		{"it is another's and over", lease{owner: "you", until: 4000}, 5000, false},
		{"it was given back", lease{owner: "you"}, 5000, false},
	}
	for _, test := range tests {
		if got := test.l.heldByOther("me", test.now); got != test.want {
			t.Errorf("%s: %t", test.name, got)
		}
	}
}
