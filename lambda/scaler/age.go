package scaler

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch/types"

	"github.com/rousehq/rouse/internal/policy"
	"github.com/rousehq/rouse/internal/workload"
)

// metricAPI is what the scaler needs of CloudWatch.
type metricAPI interface {
	GetMetricData(context.Context, *cloudwatch.GetMetricDataInput, ...func(*cloudwatch.Options)) (*cloudwatch.GetMetricDataOutput, error)
}

var _ metricAPI = (*cloudwatch.Client)(nil)

const (
	// metricsPerCall is how many metrics GetMetricData takes.
	metricsPerCall = 500
	// metricPeriod is SQS's own: a new age once a minute, so asking more often only costs.
	metricPeriod = time.Minute
	// metricFresh is how long after the end of its minute an age still counts.
	// SQS publishes one to two minutes late.
	metricFresh = 3 * time.Minute
	// metricReach is how far back the question goes: no answer from before it could be fresh.
	metricReach = metricPeriod + metricFresh
)

// metricAge is the newest age of a queue's oldest message that CloudWatch told.
type metricAge struct {
	// AskedAt is when CloudWatch was last asked, with success or without.
	AskedAt policy.Instant `json:"asked_at,omitempty"`
	// MeasuredAt is the end of the minute that Seconds was the maximum of.
	MeasuredAt policy.Instant `json:"measured_at,omitempty"`
	Seconds    float64        `json:"seconds,omitempty"`
}

// due reports whether CloudWatch may be asked again.
func (m metricAge) due(now policy.Instant) bool {
	return m.AskedAt > now || now-m.AskedAt >= policy.Instant(metricPeriod.Milliseconds())
}

// fresh returns the age if it is young enough to be believed.
func (m metricAge) fresh(now policy.Instant) policy.Signal[float64] {
	if m.MeasuredAt == 0 || now-m.MeasuredAt >= policy.Instant(metricFresh.Milliseconds()) {
		return policy.Signal[float64]{}
	}
	return policy.Known(m.Seconds)
}

// newer returns the younger of m and a measurement, which may be nonsense.
func (m metricAge) newer(measuredAt policy.Instant, seconds float64) metricAge {
	if measuredAt <= m.MeasuredAt || !(seconds >= 0) || math.IsInf(seconds, 1) {
		return m
	}
	m.MeasuredAt, m.Seconds = measuredAt, seconds
	return m
}

// oldestAge is how long the oldest message has waited: the lesser of what
// CloudWatch says and what workers measured at receive, since the first lags
// behind and the second is of messages already taken. Nothing can have waited
// since before the queue was last seen without visible messages; but that
// bound makes no age known by itself, for of a queue that is never quite empty
// it says nothing.
func oldestAge(metric, waited policy.Signal[float64], noneVisibleAt, now policy.Instant) policy.Signal[float64] {
	if !metric.IsKnown() && !waited.IsKnown() {
		return metric
	}
	age := min(metric.Or(math.Inf(1)), waited.Or(math.Inf(1)))
	if noneVisibleAt > 0 {
		age = min(age, float64(max(0, now-noneVisibleAt))/1000)
	}
	return policy.Known(age)
}

// wantsMetric reports whether the age of the workload's queue could matter:
// messages wait, and tasks are there to have let them wait. A queue at zero
// tasks is woken by its depth alone.
func (t *turn) wantsMetric(now policy.Instant) bool {
	queue, queueKnown := t.queue.depth.Get()
	service, serviceKnown := t.service.counts.Get()
	return queueKnown && serviceKnown && queue.Visible > 0 && service.Desired > 0 && t.memory.Metric.due(now)
}

// readAges asks CloudWatch for the ages of the queues of one batch. The age is
// a signal that may be missing, so what goes wrong here fails no tick.
func (v *invocation) readAges(ctx context.Context, batch []*turn) {
	for _, t := range batch {
		t.memory.Metric.AskedAt = policy.At(v.now)
	}
	ctx, cancel := v.call(ctx)
	defer cancel()
	pages := cloudwatch.NewGetMetricDataPaginator(v.clients.Metrics, v.ageQuery(batch))
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			noteAll(batch, fmt.Errorf("read ages from CloudWatch: %w", err))
			return
		}
		for _, r := range page.MetricDataResults {
			takeAge(batch, r)
		}
	}
}

func (v *invocation) ageQuery(batch []*turn) *cloudwatch.GetMetricDataInput {
	in := &cloudwatch.GetMetricDataInput{
		StartTime: aws.Time(v.now.Add(-metricReach).Truncate(metricPeriod)),
		EndTime:   aws.Time(v.now),
		ScanBy:    types.ScanByTimestampDescending,
	}
	for i, t := range batch {
		in.MetricDataQueries = append(in.MetricDataQueries, types.MetricDataQuery{
			Id: aws.String("q" + strconv.Itoa(i)),
			MetricStat: &types.MetricStat{
				Metric: &types.Metric{
					Namespace:  aws.String("AWS/SQS"),
					MetricName: aws.String("ApproximateAgeOfOldestMessage"),
					Dimensions: []types.Dimension{{Name: aws.String("QueueName"), Value: aws.String(workload.QueueName(t.document.QueueURL))}},
				},
				Period: aws.Int32(int32(metricPeriod.Seconds())),
				Stat:   aws.String("Maximum"),
			},
		})
	}
	return in
}

// takeAge remembers the newest age of one result.
func takeAge(batch []*turn, r types.MetricDataResult) {
	i, err := strconv.Atoi(strings.TrimPrefix(aws.ToString(r.Id), "q"))
	if err != nil || i < 0 || i >= len(batch) {
		return
	}
	t := batch[i]
	if r.StatusCode == types.StatusCodeInternalError || r.StatusCode == types.StatusCodeForbidden {
		t.note(fmt.Errorf("read age of queue %s from CloudWatch: %s", t.document.QueueURL, r.StatusCode))
	}
	for j := range min(len(r.Timestamps), len(r.Values)) {
		t.memory.Metric = t.memory.Metric.newer(policy.At(r.Timestamps[j].Add(metricPeriod)), r.Values[j])
	}
}
