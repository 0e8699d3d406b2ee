package scaler

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rousehq/rouse/internal/workload"
)

func TestABadWorkloadDoesNotStopTheOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCloud()
		bad := map[string]struct {
			spoil func(name string)
			says  string
		}{
			"bad-json":     {func(n string) { c.put(n, workload.SortSpec, `{"version":`) }, "workload document"},
			"bad-empty":    {func(n string) { c.put(n, workload.SortSpec, "") }, "no text in attribute document"},
			"bad-field":    {func(n string) { c.put(n, workload.SortSpec, `{"version":1,"name":"bad-field","tasks":3}`) }, `unknown field "tasks"`},
			"bad-range":    {func(n string) { c.put(n, workload.SortSpec, `{"version":2,"name":"bad-range"}`) }, "queue_url"},
			"bad-name":     {func(n string) { c.put(n, workload.SortSpec, c.body("good")) }, `name: is "good", must be "bad-name"`},
			"bad-queue":    {func(n string) { delete(c.queues, "https://sqs.test/1/"+n) }, "QueueDoesNotExist"},
			"bad-service":  {func(n string) { delete(c.services, n) }, "MISSING"},
			"bad-tag":      {func(n string) { c.services[n].Tags = nil }, "add it if this workload may scale the service"},
			"bad-override": {func(n string) { c.put(n, workload.SortOverride, `{"mode":"more"}`) }, `mode: is "more"`},
			"bad-lease":    {func(n string) { c.put(n, workload.SortState, `{}`); c.spoilVersion(n) }, "read attribute version"},
		}
		c.add(t, "good")
		c.depth("good", 1, 0, 0)
		names := slices.Sorted(maps.Keys(bad))
		for _, name := range names {
			c.add(t, name)
			c.depth(name, 1, 0, 0)
			bad[name].spoil(name)
		}
		s, j := c.newScaler(t)
		summary, err := s.once(t)
		if diff := cmp.Diff(names, summary.Failed); diff != "" {
			t.Error(diff)
		}
		if err == nil || !strings.Contains(err.Error(), strings.Join(names, ", ")) || strings.Contains(err.Error(), "good") {
			t.Errorf("error: %v", err)
		}
		for name, b := range bad {
			if got := fmt.Sprint(j.last(name)["error"]); !strings.Contains(got, b.says) {
				t.Errorf("%s says %q, want %q", name, got, b.says)
			}
			if c.services[name] != nil && c.desired(name) != 0 {
				t.Errorf("%s was scaled", name)
			}
			if diff := cmp.Diff([]float64{1}, j.values(name, "TickFailed")); diff != "" {
				t.Errorf("%s TickFailed: %s", name, diff)
			}
		}
		if c.desired("good") != 1 || j.last("good")["outcome"] != "added" {
			t.Errorf("good: %v", j.last("good"))
		}
	})
}

func (c *cloud) body(name string) string {
	body, _ := readString(c.items[workload.PartitionKey(name)][workload.SortSpec], workload.AttributeDocument)
	return body
}

func (c *cloud) spoilVersion(name string) {
	c.items[workload.PartitionKey(name)][workload.SortState][workload.AttributeVersion] = str("one")
}

func TestSeventeenHangingQueuesLeaveTheOthersTheirTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCloud()
		for i := range 17 {
			c.add(t, fmt.Sprintf("hanging-%d", i))
		}
		c.add(t, "zz-good")
		c.depth("zz-good", 1, 0, 0)
		c.fault = func(ctx context.Context, op, target string) error {
			if op == "GetQueueAttributes" && strings.Contains(target, "hanging") {
				<-ctx.Done()
				return ctx.Err()
			}
			return nil
		}
		s, _ := c.newScaler(t)
		if _, err := s.once(t); err == nil || c.desired("zz-good") != 1 {
			t.Errorf("desired is %d, error %v", c.desired("zz-good"), err)
		}
	})
}

func TestAPanicIsOneWorkloadsFailure(t *testing.T) {
	c := newCloud()
	s, _ := c.newScaler(t)
	v := &invocation{Scaler: s, now: time.Now()}
	turns := []*turn{{name: "a"}, {name: "b"}}
	v.each(turns, func(t *turn) {
		if t.name == "a" {
			panic("broken")
		}
	})
	if len(turns[0].problems) != 1 || len(turns[1].problems) != 0 {
		t.Errorf("problems: %v, %v", turns[0].problems, turns[1].problems)
	}
}

func TestAFailedCallIsRememberedAsFailed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCloud()
		c.add(t, "reports")
		c.count("reports", 1, 1)
		c.depth("reports", 100, 1, 0)
		attempts := 0
		c.fault = func(_ context.Context, op, _ string) error {
			if op == "UpdateService" {
				if attempts++; attempts == 1 {
					return errors.New("connection reset")
				}
			}
			return nil
		}
		s, j := c.newScaler(t)
		if _, err := s.minute(t); err == nil {
			t.Error("no error")
		}
		lines := j.ticks("reports")
		if lines[0]["outcome"] != "failed" || lines[1]["outcome"] != "added" {
			t.Errorf("first %v, then %v: a failed call must not start a cool-down", lines[0]["outcome"], lines[1]["outcome"])
		}
	})
}

func TestADeletedWorkloadIsNoFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCloud()
		c.add(t, "reports")
		c.add(t, "removed")
		c.fault = func(_ context.Context, op, target string) error {
			if op == "Query" && target == workload.PartitionKey("removed") {
				c.mu.Lock()
				defer c.mu.Unlock()
				delete(c.items, target)
			}
			return nil
		}
		s, j := c.newScaler(t)
		if _, err := s.once(t); err != nil || len(j.ticks("removed")) != 0 {
			t.Errorf("%v, %v", err, j.ticks("removed"))
		}
	})
}

func TestAListThatCannotBeReadFailsButTheLastOneServes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCloud()
		c.add(t, "reports")
		lists := 0
		c.fault = func(_ context.Context, op, target string) error {
			if op == "Query" && target == "" {
				if lists++; lists > 1 {
					return apiError("ProvisionedThroughputExceededException")
				}
			}
			return nil
		}
		s, j := c.newScaler(t)
		_, err := s.minute(t)
		if err == nil || !strings.Contains(err.Error(), "list workloads of table rouse") {
			t.Errorf("error: %v", err)
		}
		if n := len(j.ticks("reports")); n != 6 {
			t.Errorf("%d ticks, want 6", n)
		}
	})
}

func TestABrokenStateStartsAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCloud()
		c.add(t, "reports")
		c.depth("reports", 1, 0, 0)
		c.put("reports", workload.SortState, `{"policy":"none"}`)
		s, j := c.newScaler(t)
		if _, err := s.once(t); err != nil || c.desired("reports") != 1 {
			t.Errorf("%v, desired %d", err, c.desired("reports"))
		}
		if note := fmt.Sprint(j.last("reports")["note"]); !strings.Contains(note, "starts anew") {
			t.Errorf("note: %s", note)
		}
	})
}
