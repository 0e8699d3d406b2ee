package scaler

import (
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"
)

func TestParseTakesTheDefaults(t *testing.T) {
	got, err := Parse(getenv("ROUSE_TABLE=rouse"))
	if err != nil {
		t.Fatal(err)
	}
	want := Default()
	want.Table = "rouse"
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestParseReadsEverySetting(t *testing.T) {
	got, err := Parse(getenv("ROUSE_TABLE=arn:aws:dynamodb:eu-west-1:1:table/t", "ROUSE_TICK_SECONDS=5", "ROUSE_DEADLINE_MARGIN_SECONDS=3",
		"ROUSE_CONCURRENCY=32", "ROUSE_LEASE_SECONDS=60", "ROUSE_METRIC_NAMESPACE=Jobs", "ROUSE_LOG_LEVEL=warn"))
	want := Config{"arn:aws:dynamodb:eu-west-1:1:table/t", 5, 3, 32, 60, "Jobs", "warn"}
	if err != nil || got != want {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
}

func TestParseReportsEachProblemOnce(t *testing.T) {
	tests := []struct {
		name     string
		env      []string
		problems []string
	}{
		{"the table is missing", nil, []string{`ROUSE_TABLE: is "", must be the name or ARN of a DynamoDB table`}},
		{"a number is a word", []string{"ROUSE_TABLE=rouse", "ROUSE_TICK_SECONDS=often"},
			[]string{`ROUSE_TICK_SECONDS: is "often", must be a whole number from 1 to 60`}},
		{"every setting is wrong",
			[]string{"ROUSE_TABLE=a b", "ROUSE_TICK_SECONDS=0", "ROUSE_DEADLINE_MARGIN_SECONDS=31", "ROUSE_CONCURRENCY=1.5",
				"ROUSE_LEASE_SECONDS=301", "ROUSE_METRIC_NAMESPACE=AWS/SQS", "ROUSE_LOG_LEVEL=loud"},
			[]string{
				`ROUSE_CONCURRENCY: is "1.5", must be a whole number from 1 to 256`,
				`ROUSE_TICK_SECONDS: is "0", must be a whole number from 1 to 60`,
				`ROUSE_DEADLINE_MARGIN_SECONDS: is "31", must be a whole number from 1 to 30`,
				`ROUSE_LEASE_SECONDS: is "301", must be a whole number from 5 to 300`,
				`ROUSE_TABLE: is "a b", must be the name or ARN of a DynamoDB table`,
				`ROUSE_METRIC_NAMESPACE: is "AWS/SQS", must be 1 to 255 letters, digits, spaces or any of ._/#:- and must not begin with AWS/`,
				`ROUSE_LOG_LEVEL: is "loud", must be one of debug, info, warn, error`,
			}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := Parse(getenv(test.env...))
			if got, want := fmt.Sprint(err), strings.Join(test.problems, "\n"); got != want {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

func TestNewRefusesWhatValidateDoes(t *testing.T) {
	if _, err := New(Config{}, Clients{}, slog.Default(), os.Stdout); err == nil {
		t.Error("New took the zero Config")
	}
}

func TestLevel(t *testing.T) {
	for name, want := range map[string]slog.Level{"debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError} {
		if got := (Config{LogLevel: name}).Level(); got != want {
			t.Errorf("%s is %s", name, got)
		}
	}
}

// A tick must be over before the next begins, unless that is too soon for calls
// to be answered, and in any case before a lease taken in it ends.
func TestBudgetIsShorterThanTickAndLease(t *testing.T) {
	for tick := 1; tick <= 60; tick++ {
		for _, lease := range []int{5, 30, 300} {
			c := Config{TickSeconds: tick, LeaseSeconds: lease}
			if c.budget() >= max(c.tick(), 4*time.Second) || c.budget() < 3*time.Second || c.budget() >= c.lease() {
				t.Errorf("tick %d s, lease %d s: budget %s", tick, lease, c.budget())
			}
		}
	}
}

func getenv(pairs ...string) func(string) string {
	return func(name string) string {
		for _, pair := range pairs {
			if value, ok := strings.CutPrefix(pair, name+"="); ok {
				return value
			}
		}
		return ""
	}
}

func ExampleParse() {
	_, err := Parse(func(name string) string {
		return map[string]string{"ROUSE_TICK_SECONDS": "90"}[name]
	})
	fmt.Println(err)
	// Output:
	// ROUSE_TICK_SECONDS: is "90", must be a whole number from 1 to 60
	// ROUSE_TABLE: is "", must be the name or ARN of a DynamoDB table
}
