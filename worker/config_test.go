package worker

import (
	"fmt"
	"strings"
	"testing"
)

func lookup(env map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) { v, set := env[name]; return v, set }
}

func required(more ...string) map[string]string {
	env := map[string]string{"ROUSE_WORKLOAD": "reports", "ROUSE_QUEUE_URL": testQueue}
	for i := 0; i < len(more); i += 2 {
		env[more[i]] = more[i+1]
	}
	return env
}

func TestParseDefaults(t *testing.T) {
	c, err := Parse(lookup(required()))
	if err != nil {
		t.Fatal(err)
	}
	if c.PoolSize != 1 || c.BufferSize != 100 || c.WaitSeconds != 20 || c.VisibilitySeconds != 60 || c.DrainSeconds != 90 || c.HTTPAddress != ":8080" {
		t.Errorf("defaults are %+v", c)
	}
	c, err = Parse(lookup(required("WORKER_HTTP_ADDRESS", "", "WORKER_READY_TCP", "db:5432, cache:6379", "WORKER_RESULT_TTL_SECONDS", "60", "ROUSE_TABLE", "t")))
	if err != nil || c.HTTPAddress != "" || len(c.ReadyTCP) != 2 || c.ResultTTLSeconds != 60 {
		t.Errorf("settings are %+v, %v", c, err)
	}
}

// Every number is refused when it is no number and when it is beyond either end.
func TestParseRefusesEachSettingOutOfRange(t *testing.T) {
	for _, s := range numbers {
		for _, value := range []string{"ten", "1.5", fmt.Sprint(s.min - 1 - boolInt(s.orZero)), fmt.Sprint(s.max + 1)} {
			_, err := Parse(lookup(required(s.name, value, "ROUSE_TABLE", "t")))
			if err == nil || !strings.Contains(err.Error(), s.name) || !strings.Contains(err.Error(), value) || !strings.Contains(err.Error(), fmt.Sprint(s.max)) {
				t.Errorf("%s=%s: %v, want name, value and range", s.name, value, err)
			}
		}
		for _, value := range []int{s.min, s.max} {
			if err := s.validate(value); err != nil {
				t.Errorf("%s=%d: %v", s.name, value, err)
			}
		}
	}
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestParseReportsAllProblemsAtOnce(t *testing.T) {
	_, err := Parse(lookup(map[string]string{
		"ROUSE_WORKLOAD": "No Name", "ROUSE_QUEUE_URL": "jobs", "ROUSE_DLQ_URL": "ftp://x/y", "WORKER_POOL_SIZE": "0", "WORKER_DRAIN_SECONDS": "soon",
		"WORKER_READY_TCP": "db", "WORKER_READY_HTTP": "db:80", "WORKER_HTTP_ADDRESS": "8080", "WORKER_LOG_LEVEL": "loud",
		"WORKER_RETRY_BASE_SECONDS": "1000", "WORKER_RESULT_TTL_SECONDS": "3600", "ECS_AGENT_URI": "agent",
	}))
	if err == nil {
		t.Fatal("nothing was found wrong")
	}
	for _, name := range []string{
		"ROUSE_WORKLOAD", "ROUSE_QUEUE_URL", "ROUSE_DLQ_URL", "WORKER_POOL_SIZE", "WORKER_DRAIN_SECONDS", "WORKER_READY_TCP", "WORKER_READY_HTTP",
		"WORKER_HTTP_ADDRESS", "WORKER_LOG_LEVEL", "WORKER_RETRY_BASE_SECONDS", "WORKER_RESULT_TTL_SECONDS", "ECS_AGENT_URI",
	} {
		if n := strings.Count(err.Error(), name+": is "); n != 1 {
			t.Errorf("%s is complained of %d times, want once", name, n)
		}
	}
}

func TestParseRefusesTheQueueAsItsOwnDeadLetterQueue(t *testing.T) {
	if _, err := Parse(lookup(required("ROUSE_DLQ_URL", testQueue))); err == nil {
		t.Error("nothing was found wrong")
	}
}

func TestRunRefusesWrongSettingsBeforeAnythingIsTouched(t *testing.T) {
	q := new(fakeQueue)
	c := testConfig(q)
	c.PoolSize, c.Table = 0, "t"
	err := Run(t.Context(), c, nil)
	for _, want := range []string{"WORKER_POOL_SIZE", "Clients.DynamoDB", "handler"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Run returned %v, want it to name %s", err, want)
		}
	}
	if q.receives != 0 {
		t.Error("messages were received")
	}
}

func TestFailedRenewalNeverIsDueAtOnce(t *testing.T) {
	for length := 5; length <= 43200; length++ {
		l := leases{length: duration(length)}
		if l.again() <= l.soon() {
			t.Fatalf("visibility of %d s: tried again after %v, though what is due within %v is due now", length, l.again(), l.soon())
		}
	}
}
