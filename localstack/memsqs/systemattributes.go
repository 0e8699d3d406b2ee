package memsqs

import (
	"slices"
	"strconv"
	"time"
)

// senderID stands for the user who sent a message; nobody is authenticated.
const senderID = "AIDALOCALSENDER000000"

// systemAttribute is what SQS itself knows about a message. An empty value is absent.
type systemAttribute struct {
	name  string
	value func(d *delivery) string
}

var systemAttributes = []systemAttribute{
	{"SenderId", func(*delivery) string { return senderID }},
	{"SentTimestamp", func(d *delivery) string { return millis(d.sentAt) }},
	{"ApproximateReceiveCount", func(d *delivery) string { return strconv.Itoa(d.receives) }},
	{"ApproximateFirstReceiveTimestamp", func(d *delivery) string { return millis(d.firstAt) }},
	{"SequenceNumber", func(d *delivery) string { return sequenceNumber(d.sequence) }},
	{"MessageGroupId", func(d *delivery) string { return d.group }},
	{"MessageDeduplicationId", func(d *delivery) string { return d.deduplication }},
	{"DeadLetterQueueSourceArn", func(d *delivery) string { return d.sourceARN }},
	{traceHeader, func(d *delivery) string { return d.trace() }},
}

// systemAttributes returns the wanted ones that the message has.
func (d *delivery) systemAttributes(wanted []string) map[string]string {
	if len(wanted) == 0 {
		return nil
	}
	chosen := map[string]string{}
	for _, a := range systemAttributes {
		if !slices.Contains(wanted, a.name) && !slices.Contains(wanted, "All") {
			continue
		}
		if value := a.value(d); value != "" {
			chosen[a.name] = value
		}
	}
	return chosen
}

func millis(t time.Time) string { return strconv.FormatInt(t.UnixMilli(), 10) }
