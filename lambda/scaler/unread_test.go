package scaler

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/google/go-cmp/cmp"

	"github.com/rousehq/rouse/internal/workload"
)

func TestC06WhatCannotBeReadChangesNothing(t *testing.T) {
	hang := func(ctx context.Context, op, _ string) error { <-ctx.Done(); return ctx.Err() }
	fail := func(code string) func(context.Context, string, string) error {
		return func(context.Context, string, string) error { return apiError(code) }
	}
	attribute := func(name, value string) func(*cloud) {
		return func(c *cloud) { c.queues["https://sqs.test/1/reports"][name] = value }
	}
	tests := []struct {
		name  string
		op    string
		fault func(context.Context, string, string) error
		edit  func(*cloud)
		says  string
	}{
		{name: "the queue hangs", op: "GetQueueAttributes", fault: hang, says: "deadline exceeded"},
		{name: "the queue is denied", op: "GetQueueAttributes", fault: fail("AccessDenied"), says: "AccessDenied"},
		{name: "the queue is throttled", op: "GetQueueAttributes", fault: fail("RequestThrottled"), says: "RequestThrottled"},
		{name: "the queue omits an attribute", says: "attribute ApproximateNumberOfMessages is missing",
			edit: func(c *cloud) {
				delete(c.queues["https://sqs.test/1/reports"], "ApproximateNumberOfMessages")
			}},
		{name: "the queue answers a negative number", says: `ApproximateNumberOfMessagesNotVisible is "-1"`,
			edit: attribute("ApproximateNumberOfMessagesNotVisible", "-1")},
		{name: "the queue answers no number", says: `ApproximateNumberOfMessagesDelayed is "many"`,
			edit: attribute("ApproximateNumberOfMessagesDelayed", "many")},
		{name: "the queue does not exist", says: "QueueDoesNotExist",
			edit: func(c *cloud) { delete(c.queues, "https://sqs.test/1/reports") }},
		{name: "the service hangs", op: "DescribeServices", fault: hang, says: "deadline exceeded"},
		{name: "the service is denied", op: "DescribeServices", fault: fail("AccessDeniedException"), says: "AccessDenied"},
		{name: "the cluster does not exist", op: "DescribeServices", fault: fail("ClusterNotFoundException"), says: "ClusterNotFound"},
		{name: "the service does not exist", says: "describe service reports in cluster main: MISSING",
			edit: func(c *cloud) { delete(c.services, "reports") }},
		{name: "the service is being deleted", says: `its status is "DRAINING"`,
			edit: func(c *cloud) { c.services["reports"].Status = aws.String("DRAINING") }},
		{name: "the service has a negative count", says: "negative count",
			edit: func(c *cloud) { c.services["reports"].RunningCount = -1 }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCloud()
				c.add(t, "reports", func(d *workload.Document) { d.Policy.IdleWindowSeconds = 0 })
				c.count("reports", 3, 3)
				if test.edit != nil {
					test.edit(c)
				}
				c.fault = func(ctx context.Context, op, target string) error {
					if op != test.op {
						return nil
					}
					return test.fault(ctx, op, target)
				}
				s, j := c.newScaler(t)
				_, err := s.minute(t)
				if err == nil || !strings.Contains(err.Error(), "reports") {
					t.Errorf("the invocation's error is %v, must name the workload", err)
				}
				line := j.last("reports")
				if line["reason"] != "blind" || !strings.Contains(fmt.Sprint(line["error"]), test.says) {
					t.Errorf("reason %v, error %v", line["reason"], line["error"])
				}
				if n := c.called("UpdateService"); n != 0 {
					t.Errorf("the service was changed %d times", n)
				}
				if diff := cmp.Diff([]float64{1, 2, 3, 4, 5, 6}, j.values("reports", "BlindTicks")); diff != "" {
					t.Errorf("BlindTicks: %s", diff)
				}
			})
		})
	}
}

func TestC06SightAfterBlindnessClearsTheAlarmMetric(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCloud()
		c.add(t, "reports")
		s, j := c.newScaler(t)
		blindUntil := time.Now().Add(25 * time.Second)
		c.fault = func(_ context.Context, op, _ string) error {
			if op == "GetQueueAttributes" && time.Now().Before(blindUntil) {
				return apiError("RequestThrottled")
			}
			return nil
		}
		if _, err := s.minute(t); err == nil {
			t.Error("a failed tick must be a failed invocation, whatever came after")
		}
		for metric, want := range map[string][]float64{"Blind": {1, 1, 1, 0}, "BlindTicks": {1, 2, 3, 0}, "TickFailed": {1, 1, 1, 0, 0, 0}} {
			if diff := cmp.Diff(want, j.values("reports", metric)); diff != "" {
				t.Errorf("%s: %s", metric, diff)
			}
		}
	})
}

func TestC21AbsentOrStaleAgeIsUnknown(t *testing.T) {
	tests := []struct {
		name  string
		ages  func(now time.Time) []age
		fault error
		want  any
	}{
		{"CloudWatch answers nothing", func(time.Time) []age { return nil }, nil, nil},
		{"an age twenty minutes old", func(now time.Time) []age { return []age{{now.Add(-20 * time.Minute), 900}} }, nil, nil},
		{"CloudWatch is denied", func(time.Time) []age { return nil }, apiError("AccessDenied"), nil},
		{"a fresh age", func(now time.Time) []age {
			return []age{{now.Add(-2 * time.Minute), 90}, {now.Add(-3 * time.Minute), 30}}
		}, nil, 90.0},
		{"a negative age", func(now time.Time) []age { return []age{{now.Add(-2 * time.Minute), -1}} }, nil, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCloud()
				c.add(t, "reports")
				c.count("reports", 1, 1)
				c.depth("reports", 200, 1, 0)
				c.ages["reports"] = test.ages(time.Now())
				c.fault = func(_ context.Context, op, _ string) error {
					if op == "GetMetricData" {
						return test.fault
					}
					return nil
				}
				s, j := c.newScaler(t)
				if _, err := s.once(t); err != nil {
					t.Fatal(err)
				}
				line := j.last("reports")
				if got, ok := line["age_seconds"]; !ok || got != test.want {
					t.Errorf("the age is %v, want %v", got, test.want)
				}
				if line["visible"] != 200.0 || line["outcome"] != "added" {
					t.Errorf("depth alone must decide: %v", line)
				}
				if told := j.values("reports", "OldestAge"); (len(told) > 0) != (test.want != nil) {
					t.Errorf("the age was told as %v", told)
				}
				if note := line["note"]; (note != nil) != (test.fault != nil) {
					t.Errorf("note: %v", note)
				}
			})
		})
	}
}
