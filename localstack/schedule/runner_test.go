package schedule

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// book is a Source that a test changes.
type book struct {
	mu        sync.Mutex
	schedules []Schedule
}

func (b *book) Schedules(context.Context) ([]Schedule, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.schedules), nil
}

func (b *book) set(schedules ...Schedule) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.schedules = schedules
}

func everyMinute() Schedule {
	return Schedule{Key: "tick", Expression: "rate(1 minute)", Enabled: true, Target: "function", Input: []byte("{}")}
}

// run runs a Runner over a book in a bubble.
func run(t *testing.T, b *book, invoke Invoke, script func(*Runner)) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		r := New(Options{Source: b, Invoke: invoke})
		ended := make(chan struct{})
		go func() { r.Run(ctx); close(ended) }()
		synctest.Wait()
		script(r)
		cancel()
		<-ended
	})
}

func after(d time.Duration) {
	time.Sleep(d) // fake time: inside a bubble only
	synctest.Wait()
}

func succeed(context.Context, string, []byte) error { return nil }

func wantFirings(t *testing.T, r *Runner, n int) {
	t.Helper()
	if got := len(r.Firings()); got != n {
		t.Errorf("%d firings, want %d", got, n)
	}
}

func TestAScheduleFiresAtOnceAndThenEachPeriod(t *testing.T) {
	b := &book{}
	b.set(everyMinute())
	run(t, b, succeed, func(r *Runner) {
		wantFirings(t, r, 1)
		after(59 * time.Second)
		wantFirings(t, r, 1)
		after(time.Second)
		wantFirings(t, r, 2)
		after(10 * time.Minute)
		wantFirings(t, r, 12)
	})
}

func TestADisabledScheduleDoesNotFireAndBeginsAnewWhenEnabled(t *testing.T) {
	b := &book{}
	disabled := everyMinute()
	disabled.Enabled = false
	b.set(disabled)
	run(t, b, succeed, func(r *Runner) {
		after(5 * time.Minute)
		wantFirings(t, r, 0)
		b.set(everyMinute())
		after(time.Second)
		wantFirings(t, r, 1)
	})
}

func TestADeletedScheduleFiresNoMore(t *testing.T) {
	b := &book{}
	b.set(everyMinute())
	run(t, b, succeed, func(r *Runner) {
		b.set()
		after(5 * time.Minute)
		wantFirings(t, r, 1)
	})
}

func TestAnUpdatedExpressionBeginsAnew(t *testing.T) {
	b := &book{}
	b.set(everyMinute())
	run(t, b, succeed, func(r *Runner) {
		after(30 * time.Second)
		slow := everyMinute()
		slow.Expression = "rate(2 hours)"
		b.set(slow)
		after(time.Second)
		wantFirings(t, r, 2)
		after(time.Hour)
		wantFirings(t, r, 2)
	})
}

func TestAFailedInvocationIsRecordedAndTheNextOneStillCome(t *testing.T) {
	b := &book{}
	b.set(everyMinute())
	denied := errors.New("denied")
	run(t, b, func(context.Context, string, []byte) error { return denied }, func(r *Runner) {
		after(time.Minute)
		wantFirings(t, r, 2)
		if err := r.Firings()[0].Err; !errors.Is(err, denied) {
			t.Errorf("err = %v, want %v", err, denied)
		}
	})
}

func TestASlowInvocationDoesNotHoldUpTheNext(t *testing.T) {
	b := &book{}
	b.set(everyMinute())
	started := make(chan struct{}, 10)
	hang := func(ctx context.Context, _ string, _ []byte) error {
		started <- struct{}{}
		<-ctx.Done()
		return ctx.Err()
	}
	run(t, b, hang, func(*Runner) {
		after(3 * time.Minute)
		if n := len(started); n != 4 {
			t.Errorf("%d invocations have started, want 4", n)
		}
	})
}

func TestACronExpressionIsRefusedByName(t *testing.T) {
	b := &book{}
	cron := everyMinute()
	cron.Expression = "cron(0 8 * * ? *)"
	b.set(cron)
	run(t, b, succeed, func(r *Runner) {
		wantFirings(t, r, 0)
		if err := r.Refused()["tick"]; err == nil || !strings.Contains(err.Error(), cron.Expression) {
			t.Errorf("refused = %v, want one that names the expression", err)
		}
	})
}

func TestParseRate(t *testing.T) {
	for _, test := range []struct {
		expression string
		want       time.Duration
		ok         bool
	}{
		{"rate(1 minute)", time.Minute, true},
		{"rate(5 minutes)", 5 * time.Minute, true},
		{"rate(1 hour)", time.Hour, true},
		{"rate(2 days)", 48 * time.Hour, true},
		{"rate(1 minutes)", time.Minute, true},
		{"rate(2 minute)", 2 * time.Minute, true},
		{"rate(1000001 minutes)", 0, false},
		{"rate(0 minutes)", 0, false},
		{"rate(10 seconds)", 0, false},
		{"at(2026-05-04T12:00:00)", 0, false},
		{"", 0, false},
	} {
		if got, err := parseRate(test.expression); got != test.want || (err == nil) != test.ok {
			t.Errorf("parseRate(%q) = %v, %v; want %v, ok %v", test.expression, got, err, test.want, test.ok)
		}
	}
}
