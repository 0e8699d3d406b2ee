package memsqs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Limits of SQS, as published.
const (
	maxMessageBytes  = 1 << 20 // raised from 256 KiB in 2025; for one message and for a batch
	maxVisibility    = 12 * time.Hour
	maxDelaySeconds  = 900
	maxWaitSeconds   = 20
	maxInFlight      = 120_000
	maxRetentionSecs = 14 * 24 * 60 * 60
)

// attribute is a queue attribute that can be set.
type attribute struct {
	initial string
	fifo    bool // on FIFO queues only
	allowed string
	valid   func(value string) bool
}

var attributes = map[string]attribute{
	"VisibilityTimeout":             number("30", 0, int(maxVisibility/time.Second)),
	"MaximumMessageSize":            number(strconv.Itoa(maxMessageBytes), 1024, maxMessageBytes),
	"MessageRetentionPeriod":        number("345600", 60, maxRetentionSecs),
	"DelaySeconds":                  number("0", 0, maxDelaySeconds),
	"ReceiveMessageWaitTimeSeconds": number("0", 0, maxWaitSeconds),
	"KmsDataKeyReusePeriodSeconds":  number("", 60, 86_400),
	"KmsMasterKeyId":                {allowed: "any text", valid: func(string) bool { return true }},
	"SqsManagedSseEnabled":          choice("true", "true", "false"),
	"Policy":                        document(),
	"RedrivePolicy":                 document(),
	"RedriveAllowPolicy":            document(),
	"FifoQueue":                     onlyFIFO(choice("true", "true")),
	"ContentBasedDeduplication":     onlyFIFO(choice("false", "true", "false")),
	"DeduplicationScope":            onlyFIFO(choice("queue", "queue", "messageGroup")),
	"FifoThroughputLimit":           onlyFIFO(choice("perQueue", "perQueue", "perMessageGroupId")),
}

func number(initial string, low, high int) attribute {
	return attribute{initial: initial, allowed: fmt.Sprintf("%d..%d", low, high), valid: func(value string) bool {
		n, err := strconv.Atoi(value)
		return err == nil && n >= low && n <= high
	}}
}

func choice(initial string, values ...string) attribute {
	return attribute{initial: initial, allowed: strings.Join(values, "|"), valid: func(value string) bool {
		return slices.Contains(values, value)
	}}
}

// document is a JSON object; the empty text takes it away.
func document() attribute {
	return attribute{allowed: "a JSON object, or empty", valid: func(value string) bool {
		return value == "" || json.Unmarshal([]byte(value), &map[string]any{}) == nil
	}}
}

func onlyFIFO(a attribute) attribute {
	a.fifo = true
	return a
}

// settings are a queue's attributes in the form in which the queue uses them.
type settings struct {
	fifo          bool
	contentDedup  bool
	dedupPerGroup bool
	visibility    time.Duration
	delay         time.Duration
	retention     time.Duration
	wait          time.Duration
	maxBytes      int
	redrive       redrivePolicy
	allow         allowPolicy
}

// initialAttributes are those of a queue for which nothing was asked.
func initialAttributes(fifo bool) map[string]string {
	initial := map[string]string{}
	for name, a := range attributes {
		if a.initial != "" && (fifo || !a.fifo) {
			initial[name] = a.initial
		}
	}
	return initial
}

// checkAttributes names everything that is wrong with the wanted attributes.
func checkAttributes(wanted map[string]string, fifo bool) error {
	var unknown, wrong []string
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		a, known := attributes[name]
		switch {
		case !known || a.fifo && !fifo:
			unknown = append(unknown, name)
		case !a.valid(wanted[name]):
			wrong = append(wrong, fmt.Sprintf("%s: %q, allowed %s", name, wanted[name], a.allowed))
		}
	}
	if len(unknown) > 0 {
		return newError("InvalidAttributeName", "Unknown Attribute %s.", strings.Join(unknown, ", "))
	}
	if len(wrong) > 0 {
		return newError("InvalidAttributeValue", "Invalid value for the parameter %s.", strings.Join(wrong, "; "))
	}
	return checkEncryption(wanted)
}

func checkEncryption(wanted map[string]string) error {
	if wanted["KmsMasterKeyId"] != "" && wanted["SqsManagedSseEnabled"] == "true" {
		return newError("InvalidAttributeValue", "You can use one type of server-side encryption (SSE) at one time. "+
			"You can either enable KMS SSE or SQS SSE.")
	}
	return nil
}

// merge returns the attributes after a change. Documents are kept compact, and empty attributes are not kept.
func merge(current, wanted map[string]string) map[string]string {
	merged := maps.Clone(current)
	for name, value := range wanted {
		merged[name] = compact(value)
	}
	switch {
	case wanted["KmsMasterKeyId"] != "":
		merged["SqsManagedSseEnabled"] = "false"
		if merged["KmsDataKeyReusePeriodSeconds"] == "" {
			merged["KmsDataKeyReusePeriodSeconds"] = "300"
		}
	case wanted["SqsManagedSseEnabled"] == "true":
		delete(merged, "KmsMasterKeyId")
		delete(merged, "KmsDataKeyReusePeriodSeconds")
	}
	maps.DeleteFunc(merged, func(_, value string) bool { return value == "" })
	return merged
}

// compact takes the white space out of a JSON document and leaves any other text alone.
func compact(value string) string {
	var b bytes.Buffer
	if json.Compact(&b, []byte(value)) != nil {
		return value
	}
	return b.String()
}

// readSettings reads valid attributes.
func readSettings(from map[string]string) (settings, error) {
	redrive, err := parseRedrivePolicy(from["RedrivePolicy"])
	if err != nil {
		return settings{}, err
	}
	allow, err := parseAllowPolicy(from["RedriveAllowPolicy"])
	if err != nil {
		return settings{}, err
	}
	if from["FifoThroughputLimit"] == "perMessageGroupId" && from["DeduplicationScope"] != "messageGroup" {
		return settings{}, newError("InvalidAttributeValue", "FifoThroughputLimit: %q is allowed only with DeduplicationScope %q.", "perMessageGroupId", "messageGroup")
	}
	maxBytes, _ := strconv.Atoi(from["MaximumMessageSize"])
	return settings{
		fifo:          from["FifoQueue"] == "true",
		contentDedup:  from["ContentBasedDeduplication"] == "true",
		dedupPerGroup: from["DeduplicationScope"] == "messageGroup",
		visibility:    seconds(from["VisibilityTimeout"]),
		delay:         seconds(from["DelaySeconds"]),
		retention:     seconds(from["MessageRetentionPeriod"]),
		wait:          seconds(from["ReceiveMessageWaitTimeSeconds"]),
		maxBytes:      maxBytes, redrive: redrive, allow: allow,
	}, nil
}

func seconds(value string) time.Duration {
	n, _ := strconv.Atoi(value)
	return time.Duration(n) * time.Second
}
