package worker

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// metrics are the worker's Prometheus metrics, in a registry of their own.
type metrics struct {
	registry *prometheus.Registry

	received        prometheus.Counter
	receiveErrors   prometheus.Counter
	wait            prometheus.Histogram
	jobs            *prometheus.CounterVec   // by outcome
	duration        *prometheus.HistogramVec // by outcome
	returned        *prometheus.CounterVec   // by reason
	deleted         prometheus.Counter
	deleteFailures  prometheus.Counter
	leasesLost      *prometheus.CounterVec // by reason
	renewalFailures prometheus.Counter
	resultFailures  prometheus.Counter
	abandoned       prometheus.Gauge
	protected       prometheus.Gauge
	refusals        prometheus.Counter

	attempts map[verdict]attemptMetrics // resolved once, since they are on the path of every job
}

type attemptMetrics struct {
	count    prometheus.Counter
	duration prometheus.Observer
}

var (
	durationBuckets = []float64{.001, .005, .01, .05, .1, .5, 1, 5, 10, 30, 60, 300, 900, 3600, 14400}
	waitBuckets     = []float64{.1, .5, 1, 5, 10, 30, 60, 120, 300, 600, 1800, 3600}
)

func newMetrics() *metrics {
	m := &metrics{
		registry:        prometheus.NewRegistry(),
		received:        counter("messages_received_total", "Messages received from the queue."),
		receiveErrors:   counter("receive_errors_total", "Receive calls that failed."),
		wait:            histogram("message_wait_seconds", "Time from send to first receive.", waitBuckets),
		jobs:            counters("jobs_total", "Attempts at jobs by outcome.", "outcome"),
		duration:        histograms("job_duration_seconds", "Time an attempt took by outcome.", durationBuckets, "outcome"),
		returned:        counters("messages_returned_total", "Messages put back on the queue by reason; only \"failed\" is the job's fault.", "reason"),
		deleted:         counter("messages_deleted_total", "Messages deleted from the queue."),
		deleteFailures:  counter("delete_failures_total", "Messages that could not be deleted although their jobs were done."),
		leasesLost:      counters("leases_lost_total", "Leases lost by reason.", "reason"),
		renewalFailures: counter("lease_renewal_failures_total", "Lease renewals that failed and are tried again."),
		resultFailures:  counter("result_failures_total", "Results that could not be written."),
		abandoned:       gauge("abandoned_handlers", "Handlers that ignored their cancelled context and have not returned."),
		protected:       gauge("protected", "1 while the task is protected from scale-in."),
		refusals:        counter("protection_refusals_total", "Times that scale-in protection was refused."),
	}
	m.registry.MustRegister(
		m.received, m.receiveErrors, m.wait, m.jobs, m.duration, m.returned, m.deleted, m.deleteFailures,
		m.leasesLost, m.renewalFailures, m.resultFailures, m.abandoned, m.protected, m.refusals,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	m.resolve()
	return m
}

// resolve makes every outcome appear from the start, at zero.
func (m *metrics) resolve() {
	m.attempts = make(map[verdict]attemptMetrics)
	for _, v := range []verdict{succeeded, failed, timedOut, panicked, permanent, interrupted, lost} {
		m.attempts[v] = attemptMetrics{m.jobs.WithLabelValues(string(v)), m.duration.WithLabelValues(string(v))}
	}
}

// watch publishes values that others keep.
func (m *metrics) watch(s *slots, g *gate) {
	m.registry.MustRegister(
		gaugeFunc("slots", "How many messages can be worked on at once.", func() float64 { return float64(s.size) }),
		gaugeFunc("busy", "How many messages are held.", func() float64 { return float64(s.busy()) }),
		gaugeFunc("ready", "1 while messages may be claimed.", func() float64 {
			if g.open() {
				return 1
			}
			return 0
		}),
	)
}

func (m *metrics) finished(v verdict, took time.Duration) {
	a := m.attempts[v]
	a.count.Inc()
	a.duration.Observe(took.Seconds())
}

// prefix stands before the name of every metric.
const prefix = "rouse_worker_"

func counter(name, help string) prometheus.Counter {
	return prometheus.NewCounter(prometheus.CounterOpts{Name: prefix + name, Help: help})
}

func counters(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Name: prefix + name, Help: help}, labels)
}

func gauge(name, help string) prometheus.Gauge {
	return prometheus.NewGauge(prometheus.GaugeOpts{Name: prefix + name, Help: help})
}

func gaugeFunc(name, help string, f func() float64) prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: prefix + name, Help: help}, f)
}

func histogram(name, help string, buckets []float64) prometheus.Histogram {
	return prometheus.NewHistogram(prometheus.HistogramOpts{Name: prefix + name, Help: help, Buckets: buckets})
}

func histograms(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: prefix + name, Help: help, Buckets: buckets}, labels)
}
