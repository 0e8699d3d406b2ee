package endpoint

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// Ages knows how old the oldest message of each queue is.
type Ages interface {
	// QueueNames are the names of all queues.
	QueueNames() []string
	// OldestAge is the age of the oldest message that has not been deleted, 0 if the queue is empty. The error is for a
	// queue that does not exist.
	OldestAge(queue string) (time.Duration, error)
}

// PublishAges writes AWS/SQS ApproximateAgeOfOldestMessage for every queue, at once and then every period, until ctx
// ends: the metric that SQS makes by itself and no double does.
func (e *Endpoint) PublishAges(ctx context.Context, ages Ages, period time.Duration) {
	ticker := time.NewTicker(period)
	defer ticker.Stop()
	for {
		if err := e.publishAges(ctx, ages); err != nil && ctx.Err() == nil {
			e.options.Logger.Warn("publish queue ages", "error", err.Error())
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

func (e *Endpoint) publishAges(ctx context.Context, ages Ages) error {
	data := []object{}
	for _, queue := range ages.QueueNames() {
		age, err := ages.OldestAge(queue)
		if err != nil {
			continue // deleted a moment ago
		}
		data = append(data, object{
			"MetricName": "ApproximateAgeOfOldestMessage",
			"Dimensions": []object{{"Name": "QueueName", "Value": queue}},
			"Timestamp":  epoch(time.Now()),
			"Unit":       "Seconds",
			"Value":      age.Seconds(),
		})
	}
	if len(data) == 0 {
		return nil
	}
	answer, err := e.upstream.call(ctx, "monitoring", graniteAPI+"PutMetricData", object{"Namespace": "AWS/SQS", "MetricData": data})
	if err != nil {
		return err
	}
	if !answer.ok() {
		return fmt.Errorf("put metric data: status %d %s: %s", answer.status, http.StatusText(answer.status), errorMessage(answer.body))
	}
	return nil
}

func errorMessage(body []byte) string {
	var failure struct {
		Type    string `json:"__type"`
		Message string `json:"message"`
	}
	if json.Unmarshal(body, &failure) != nil {
		return string(body[:min(len(body), 200)])
	}
	return failure.Type + ": " + failure.Message
}
