package scaler

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"testing"
	"time"
)

// journal is what a scaler wrote.
type journal struct {
	t            testing.TB
	log, metrics bytes.Buffer
}

// newScaler returns a scaler over c and its journal.
func (c *cloud) newScaler(t testing.TB, edits ...func(*Config)) (*Scaler, *journal) {
	t.Helper()
	config := Default()
	config.Table = "rouse"
	for _, edit := range edits {
		edit(&config)
	}
	j := &journal{t: t}
	log := slog.New(slog.NewJSONHandler(&j.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	s, err := New(config, Clients{Table: c, Queues: c, Services: c, Metrics: c}, log, &j.metrics)
	if err != nil {
		t.Fatal(err)
	}
	return s, j
}

func lines(t testing.TB, text string) []map[string]any {
	t.Helper()
	var all []map[string]any
	for decoder := json.NewDecoder(bytes.NewReader([]byte(text))); decoder.More(); {
		var line map[string]any
		if err := decoder.Decode(&line); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		all = append(all, line)
	}
	return all
}

// ticks returns the tick lines of one workload.
func (j *journal) ticks(name string) []map[string]any {
	var found []map[string]any
	for _, line := range lines(j.t, j.log.String()) {
		if line["msg"] == "tick" && line["workload"] == name {
			found = append(found, line)
		}
	}
	return found
}

// last returns the newest tick line of one workload.
func (j *journal) last(name string) map[string]any {
	j.t.Helper()
	ticks := j.ticks(name)
	if len(ticks) == 0 {
		j.t.Fatalf("no tick of %s in:\n%s", name, j.log.String())
	}
	return ticks[len(ticks)-1]
}

// values returns what a metric of a workload was told, tick by tick; a tick that did not tell it is left out.
func (j *journal) values(name, metric string) []float64 {
	var found []float64
	for _, line := range lines(j.t, j.metrics.String()) {
		if value, ok := line[metric].(float64); ok && line[dimension] == name {
			found = append(found, value)
		}
	}
	return found
}

// once runs an invocation of a single tick.
func (s *Scaler) once(t testing.TB) (Summary, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), s.config.tick()+s.config.margin())
	defer cancel()
	return s.Run(ctx)
}

// minute runs an invocation of a minute, as the schedule starts it.
func (s *Scaler) minute(t testing.TB) (Summary, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	return s.Run(ctx)
}
