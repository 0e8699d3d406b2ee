package worker

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/rousehq/rouse/internal/workload"
)

// settler decides what becomes of a message after its job, and acts on it.
//
//	succeeded                    result ─▶ delete
//	permanent                    dead-letter queue ─▶ result ─▶ delete
//	failed, timed out, panicked  visible again after a delay
//	interrupted                  visible again at once
//	lost                         nothing, it is somebody else's
type settler struct {
	retry   backoff
	leases  *leases
	returns *returns
	deletes *deletes
	dead    *deadLetters // nil without a dead-letter queue
	results *results     // nil if none are kept
	tally   *tally
	metrics *metrics
	log     *slog.Logger
	calls   context.Context // bounds calls, so that a stop ends in time

	warnNoDLQ sync.Once
}

// settle is called once for each attempt at a job, by its pool goroutine.
func (s *settler) settle(d *delivery, err error, took time.Duration) {
	v := judge(err)
	s.metrics.finished(v, took)
	s.tally.finished(v, took)
	s.logAttempt(d, v, err, took)
	switch v {
	case succeeded:
		s.results.write(s.calls, d, workload.OutcomeSucceeded, "", took)
		s.deletes.put(d)
	case permanent:
		s.bury(d, err, took)
	case interrupted:
		s.returns.put(d, 0, reasonInterrupted)
	case lost:
		s.leases.forget(d)
	default:
		s.tryAgain(d, err)
	}
}

func (s *settler) tryAgain(d *delivery, err error) {
	s.returns.put(d, retryDelay(s.retry, err, d.ReceiveCount), reasonFailed)
}

// bury moves a message to the dead-letter queue and only then deletes it. If that
// is not possible it is an ordinary failure, and SQS moves it in the end.
func (s *settler) bury(d *delivery, err error, took time.Duration) {
	if s.dead == nil {
		s.warnNoDLQ.Do(func() { s.log.Warn("no dead-letter queue: permanent failures are retried") })
		s.tryAgain(d, err)
		return
	}
	if !s.leases.holds(d) {
		return
	}
	if sendErr := s.dead.send(s.calls, d, err.Error()); sendErr != nil {
		s.log.Error("dead letter not sent", "message_id", d.ID, "error", sendErr)
		s.tryAgain(d, err)
		return
	}
	s.results.write(s.calls, d, workload.OutcomeFailed, err.Error(), took)
	s.deletes.put(d)
}

func (s *settler) logAttempt(d *delivery, v verdict, err error, took time.Duration) {
	level := slog.LevelWarn
	attributes := []slog.Attr{
		slog.String("message_id", d.ID), slog.String("outcome", string(v)),
		slog.Int("receive_count", d.ReceiveCount), slog.Float64("seconds", took.Seconds()),
	}
	if err == nil {
		level = slog.LevelDebug
	} else {
		attributes = append(attributes, slog.String("error", truncate(err.Error(), maxReason)))
	}
	s.log.LogAttrs(s.calls, level, "job finished", attributes...)
}
