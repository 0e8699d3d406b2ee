package scaler

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestGrid(t *testing.T) {
	const second = time.Second
	tests := []struct {
		name        string
		step, least time.Duration
		deadline    time.Duration // 0 is none
		cancel      time.Duration // 0 is never
		works       []time.Duration
		want        []time.Duration
	}{
		{name: "the first is at once and the others follow at fixed instants",
			step: 10 * second, least: 4 * second, deadline: 58 * second,
			want: []time.Duration{0, 10 * second, 20 * second, 30 * second, 40 * second, 50 * second}},
		{name: "what a tick takes does not shift the next",
			step: 10 * second, least: 4 * second, deadline: 35 * second, works: []time.Duration{3 * second, 9 * second},
			want: []time.Duration{0, 10 * second, 20 * second, 30 * second}},
		{name: "an instant that passed during a tick is left out",
			step: 10 * second, least: 4 * second, deadline: 58 * second, works: []time.Duration{25 * second},
			want: []time.Duration{0, 30 * second, 40 * second, 50 * second}},
		{name: "a tick that cannot finish is not begun",
			step: 10 * second, least: 4 * second, deadline: 23 * second,
			want: []time.Duration{0, 10 * second}},
		{name: "not even the first",
			step: 10 * second, least: 4 * second, deadline: 3 * second},
		{name: "a cancelled invocation ends while it waits",
			step: 10 * second, least: 4 * second, cancel: 12 * second,
			want: []time.Duration{0, 10 * second}},
		{name: "a minute's tick is one",
			step: 60 * second, least: 15 * second, deadline: 58 * second,
			want: []time.Duration{0}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if test.deadline > 0 {
					ctx, cancel = context.WithTimeout(ctx, test.deadline)
					defer cancel()
				}
				if test.cancel > 0 {
					time.AfterFunc(test.cancel, cancel)
				}
				start := time.Now()
				var got []time.Duration
				for now := range grid(ctx, test.step, test.least) {
					if len(got) < len(test.works) {
						time.Sleep(test.works[len(got)])
					}
					got = append(got, now.Sub(start))
				}
				if diff := cmp.Diff(test.want, got); diff != "" {
					t.Error(diff)
				}
				if end := time.Since(start); test.cancel > 0 && end != test.cancel {
					t.Errorf("ended after %s, want %s", end, test.cancel)
				}
			})
		})
	}
}
