package memsqs_test

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	gocmp "github.com/google/go-cmp/cmp"
)

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

func (f fixture) attributes(queue *string, wanted ...string) map[string]string {
	f.Helper()
	out, err := f.client.GetQueueAttributes(f.Context(), &sqs.GetQueueAttributesInput{QueueUrl: queue, AttributeNames: names(wanted...)})
	f.must(err)
	return out.Attributes
}

func (f fixture) set(queue *string, name, value string) error {
	_, err := f.client.SetQueueAttributes(f.Context(), &sqs.SetQueueAttributesInput{QueueUrl: queue, Attributes: map[string]string{name: value}})
	return err
}

func TestNewQueueDescribesItself(t *testing.T) {
	bubble(t, func(f fixture) {
		want := map[string]string{
			"QueueArn": arn("jobs"), "CreatedTimestamp": "946684800", "LastModifiedTimestamp": "946684800",
			"ApproximateNumberOfMessages": "0", "ApproximateNumberOfMessagesNotVisible": "0", "ApproximateNumberOfMessagesDelayed": "0",
			"VisibilityTimeout": "30", "MaximumMessageSize": "1048576", "MessageRetentionPeriod": "345600",
			"DelaySeconds": "0", "ReceiveMessageWaitTimeSeconds": "0", "SqsManagedSseEnabled": "true",
		}
		if diff := gocmp.Diff(want, f.attributes(f.queue("jobs"), "All")); diff != "" {
			t.Error(diff)
		}
		maps.Copy(want, map[string]string{
			"QueueArn": arn("jobs.fifo"), "FifoQueue": "true", "ContentBasedDeduplication": "false", "DeduplicationScope": "queue", "FifoThroughputLimit": "perQueue",
		})
		if diff := gocmp.Diff(want, f.attributes(f.queue("jobs.fifo"), "All")); diff != "" {
			t.Error(diff)
		}
	})
}

func TestAttributesAreAnsweredAsAsked(t *testing.T) {
	bubble(t, func(f fixture) {
		q := f.queue("jobs")
		time.Sleep(time.Minute)
		f.must(f.set(q, "VisibilityTimeout", "77"))
		want := map[string]string{"VisibilityTimeout": "77", "LastModifiedTimestamp": "946684860"}
		if diff := gocmp.Diff(want, f.attributes(q, "VisibilityTimeout", "LastModifiedTimestamp", "Policy")); diff != "" {
			t.Error(diff)
		}
		if got := f.attributes(q); len(got) != 0 {
			t.Errorf("asked for nothing, got %v", got)
		}
		_, err := f.client.GetQueueAttributes(f.Context(), &sqs.GetQueueAttributesInput{QueueUrl: q, AttributeNames: names("Colour")})
		refuses(t, err, "InvalidAttributeName")
	})
}

func TestPoliciesAreKeptCompactAndTakenAwayByEmptyText(t *testing.T) {
	bubble(t, func(f fixture) {
		q := f.queue("jobs")
		f.queue("dlq")
		for name, value := range map[string]string{
			"RedrivePolicy":      "{\n \"deadLetterTargetArn\": \"" + arn("dlq") + "\",\n \"maxReceiveCount\": 4}",
			"RedriveAllowPolicy": `{ "redrivePermission" : "denyAll" }`,
			"Policy":             `{ "Version" : "2012-10-17" }`,
		} {
			f.must(f.set(q, name, value))
			if got := f.attributes(q, "All")[name]; got == "" || strings.ContainsAny(got, " \n") {
				t.Errorf("%s is %q", name, got)
			}
			f.must(f.set(q, name, ""))
			if got, there := f.attributes(q, "All")[name]; there {
				t.Errorf("%s is still %q", name, got)
			}
		}
	})
}

func TestAttributesThatAreRefused(t *testing.T) {
	tests := []struct{ queue, name, value, code string }{
		{"jobs", "VisibilityTimeout", "43201", "InvalidAttributeValue"},
		{"jobs", "VisibilityTimeout", "-1", "InvalidAttributeValue"},
		{"jobs", "VisibilityTimeout", "soon", "InvalidAttributeValue"},
		{"jobs", "MaximumMessageSize", "1023", "InvalidAttributeValue"},
		{"jobs", "MaximumMessageSize", "1048577", "InvalidAttributeValue"},
		{"jobs", "MessageRetentionPeriod", "59", "InvalidAttributeValue"},
		{"jobs", "MessageRetentionPeriod", "1209601", "InvalidAttributeValue"},
		{"jobs", "DelaySeconds", "901", "InvalidAttributeValue"},
		{"jobs", "ReceiveMessageWaitTimeSeconds", "21", "InvalidAttributeValue"},
		{"jobs", "KmsDataKeyReusePeriodSeconds", "59", "InvalidAttributeValue"},
		{"jobs", "SqsManagedSseEnabled", "yes", "InvalidAttributeValue"},
		{"jobs", "Policy", "allow all", "InvalidAttributeValue"},
		{"jobs", "QueueArn", "mine", "InvalidAttributeName"},
		{"jobs", "Colour", "blue", "InvalidAttributeName"},
		{"jobs", "ContentBasedDeduplication", "true", "InvalidAttributeName"},
		{"jobs", "FifoQueue", "true", "InvalidAttributeName"},
		{"jobs.fifo", "FifoQueue", "false", "InvalidAttributeName"},
		{"jobs.fifo", "DeduplicationScope", "world", "InvalidAttributeValue"},
		{"jobs.fifo", "FifoThroughputLimit", "perMessageGroupId", "InvalidAttributeValue"},
	}
	bubble(t, func(f fixture) {
		queues := map[string]*string{"jobs": f.queue("jobs"), "jobs.fifo": f.queue("jobs.fifo")}
		before := f.attributes(queues["jobs"], "All")
		for _, tt := range tests {
			if err := f.set(queues[tt.queue], tt.name, tt.value); codeOf(err) != tt.code || !strings.Contains(err.Error(), tt.name) {
				t.Errorf("%s = %q on %s: error %v, want %s", tt.name, tt.value, tt.queue, err, tt.code)
			}
		}
		if diff := gocmp.Diff(before, f.attributes(queues["jobs"], "All")); diff != "" {
			t.Error(diff)
		}
	})
}

func TestAllWrongAttributesAreNamedAtOnce(t *testing.T) {
	bubble(t, func(f fixture) {
		_, err := f.client.CreateQueue(f.Context(), &sqs.CreateQueueInput{QueueName: aws.String("jobs"), Attributes: map[string]string{
			"DelaySeconds": "-1", "VisibilityTimeout": "x", "MessageRetentionPeriod": "60",
		}})
		refuses(t, err, "InvalidAttributeValue")
		if want := `DelaySeconds: "-1", allowed 0..900; VisibilityTimeout: "x", allowed 0..43200`; !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	})
}

func TestEncryptionIsOneOrTheOther(t *testing.T) {
	bubble(t, func(f fixture) {
		q := f.queue("jobs", "KmsMasterKeyId", "alias/k")
		if a := f.attributes(q, "All"); a["SqsManagedSseEnabled"] != "false" || a["KmsDataKeyReusePeriodSeconds"] != "300" {
			t.Errorf("with a key: %v", a)
		}
		f.must(f.set(q, "SqsManagedSseEnabled", "true"))
		if a := f.attributes(q, "All"); a["KmsMasterKeyId"] != "" || a["SqsManagedSseEnabled"] != "true" {
			t.Errorf("without: %v", a)
		}
	})
}

func TestCreateQueueAgain(t *testing.T) {
	bubble(t, func(f fixture) {
		f.queue("dlq")
		q := f.queue("jobs", "VisibilityTimeout", "60", "RedrivePolicy", `{ "deadLetterTargetArn": "`+arn("dlq")+`", "maxReceiveCount": 3 }`)
		f.send(q, "a")
		if again := f.queue("jobs", "VisibilityTimeout", "60", "RedrivePolicy", redrive("dlq", "3")); *again != *q {
			t.Errorf("another queue: %s", *again)
		}
		f.queue("jobs")
		f.expect("jobs", 1, 0, 0)
		_, err := f.client.CreateQueue(f.Context(), &sqs.CreateQueueInput{QueueName: aws.String("jobs"), Attributes: map[string]string{"VisibilityTimeout": "61"}})
		refuses(t, err, "QueueAlreadyExists")
		var exists *types.QueueNameExists
		if !errors.As(err, &exists) {
			t.Errorf("%T, want a QueueNameExists", err)
		}
	})
}

func TestQueueNamesThatAreRefused(t *testing.T) {
	bubble(t, func(f fixture) {
		for name, fifo := range map[string]string{
			"a b": "", strings.Repeat("a", 81): "", strings.Repeat("a", 76) + ".fifo": "true", "jobs": "true", "jobs.fifo": "", "a.b": "",
		} {
			in := &sqs.CreateQueueInput{QueueName: &name, Attributes: map[string]string{}}
			if fifo != "" {
				in.Attributes["FifoQueue"] = fifo
			}
			_, err := f.client.CreateQueue(f.Context(), in)
			refuses(t, err, "InvalidParameterValue")
		}
		f.queue(strings.Repeat("a", 75) + ".fifo")
		f.queue(strings.Repeat("a", 80))
	})
}

func TestListQueuesByPrefixAndPage(t *testing.T) {
	bubble(t, func(f fixture) {
		a, b, c := f.queue("job-a"), f.queue("job-b"), f.queue("job-c")
		f.queue("other")
		pages := sqs.NewListQueuesPaginator(f.client, &sqs.ListQueuesInput{QueueNamePrefix: aws.String("job-"), MaxResults: aws.Int32(2)})
		var got [][]string
		for pages.HasMorePages() {
			page, err := pages.NextPage(f.Context())
			f.must(err)
			got = append(got, page.QueueUrls)
		}
		if diff := gocmp.Diff([][]string{{*a, *b}, {*c}}, got); diff != "" {
			t.Error(diff)
		}
		for _, in := range []sqs.ListQueuesInput{{MaxResults: aws.Int32(1001)}, {MaxResults: aws.Int32(0)}, {NextToken: aws.String("x")}} {
			_, err := f.client.ListQueues(f.Context(), &in)
			refuses(t, err, "InvalidParameterValue")
		}
		if want := []string{"job-a", "job-b", "job-c", "other"}; !slices.Equal(f.server.QueueNames(), want) {
			t.Errorf("queues %v", f.server.QueueNames())
		}
	})
}

func TestTags(t *testing.T) {
	bubble(t, func(f fixture) {
		out, err := f.client.CreateQueue(f.Context(), &sqs.CreateQueueInput{QueueName: aws.String("jobs"), Tags: map[string]string{"a": "1"}})
		f.must(err)
		q := out.QueueUrl
		_, err = f.client.TagQueue(f.Context(), &sqs.TagQueueInput{QueueUrl: q, Tags: map[string]string{"b": "2", "c": "3"}})
		f.must(err)
		_, err = f.client.UntagQueue(f.Context(), &sqs.UntagQueueInput{QueueUrl: q, TagKeys: []string{"a", "unknown"}})
		f.must(err)
		_, err = f.client.TagQueue(f.Context(), &sqs.TagQueueInput{QueueUrl: q, Tags: map[string]string{"aws:x": "2"}})
		refuses(t, err, "InvalidParameterValue")
		got, err := f.client.ListQueueTags(f.Context(), &sqs.ListQueueTagsInput{QueueUrl: q})
		f.must(err)
		if diff := gocmp.Diff(map[string]string{"b": "2", "c": "3"}, got.Tags); diff != "" {
			t.Error(diff)
		}
	})
}

func TestPurgeForgetsEverythingAndOnlyOnceAMinute(t *testing.T) {
	bubble(t, func(f fixture) {
		for _, name := range []string{"jobs", "jobs.fifo"} {
			q := f.queue(name)
			send := func(body string) { f.send(q, body) }
			if name == "jobs.fifo" {
				send = func(body string) { f.sendTo(q, "g", body) }
			}
			send("a")
			held := f.one(q)
			send("b")
			f.must(f.set(q, "DelaySeconds", "60"))
			send("c")
			f.expect(name, 1, 1, 1)
			_, err := f.client.PurgeQueue(f.Context(), &sqs.PurgeQueueInput{QueueUrl: q})
			f.must(err)
			f.expect(name, 0, 0, 0)
			f.must(f.delete(q, held))
			time.Sleep(60*time.Second - time.Nanosecond)
			_, err = f.client.PurgeQueue(f.Context(), &sqs.PurgeQueueInput{QueueUrl: q})
			refuses(t, err, "AWS.SimpleQueueService.PurgeQueueInProgress")
			time.Sleep(time.Nanosecond)
			_, err = f.client.PurgeQueue(f.Context(), &sqs.PurgeQueueInput{QueueUrl: q})
			f.must(err)
		}
	})
}

func TestQueueMadeAgainKnowsNothingOfTheOldOne(t *testing.T) {
	bubble(t, func(f fixture) {
		q := f.queue("jobs", "VisibilityTimeout", "60")
		f.send(q, "a")
		held := f.one(q)
		_, err := f.client.DeleteQueue(f.Context(), &sqs.DeleteQueueInput{QueueUrl: q})
		f.must(err)
		f.queue("jobs")
		f.expect("jobs", 0, 0, 0)
		refuses(t, f.delete(q, held), "ReceiptHandleIsInvalid")
	})
}
