package memsqs_test

import (
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

func TestChangedVisibilityCountsFromTheCall(t *testing.T) {
	bubble(t, func(f fixture) {
		q := f.queue("jobs", "VisibilityTimeout", "30")
		f.send(q, "a")
		m := f.one(q)
		time.Sleep(20 * time.Second)
		f.must(f.change(q, m, 30*time.Second))
		time.Sleep(29 * time.Second)
		f.expect("jobs", 0, 1, 0)
		time.Sleep(time.Second)
		f.expect("jobs", 1, 0, 0)
	})
}

func TestVisibilityZeroGivesTheMessageBackAtOnce(t *testing.T) {
	bubble(t, func(f fixture) {
		q := f.queue("jobs")
		f.send(q, "a")
		f.must(f.change(q, f.one(q), 0))
		f.expect("jobs", 1, 0, 0)
		f.one(q)
	})
}

func TestVisibilityEndsTwelveHoursAfterTheReceive(t *testing.T) {
	bubble(t, func(f fixture) {
		q := f.queue("jobs", "VisibilityTimeout", "43200")
		f.send(q, "a")
		m := f.one(q)
		f.must(f.change(q, m, 12*time.Hour))
		time.Sleep(time.Hour)
		f.must(f.change(q, m, 11*time.Hour))
		err := f.change(q, m, 11*time.Hour+time.Second)
		refuses(t, err, "InvalidParameterValue")
		if !strings.Contains(err.Error(), "Total VisibilityTimeout for the message is beyond the limit [43200 seconds]") {
			t.Error(err)
		}
		time.Sleep(11 * time.Hour)
		f.expect("jobs", 1, 0, 0)
		f.must(f.change(q, f.one(q), 12*time.Hour)) // a new receive has twelve hours of its own
	})
}

func TestHandlesThatNoLongerHold(t *testing.T) {
	bubble(t, func(f fixture) {
		q := f.queue("jobs", "VisibilityTimeout", "1")
		f.send(q, "a")
		stale := f.one(q)
		time.Sleep(time.Second)
		refuses(t, f.change(q, stale, time.Minute), "AWS.SimpleQueueService.MessageNotInflight")

		current := f.one(q)
		refuses(t, f.change(q, stale, time.Minute), "InvalidParameterValue")
		f.must(f.delete(q, stale))
		f.expect("jobs", 0, 1, 0) // not deleted: it was received again

		time.Sleep(time.Second)
		f.must(f.delete(q, current))
		f.expect("jobs", 0, 0, 0) // deleted: nobody else had it
		f.must(f.delete(q, current))
		refuses(t, f.change(q, current, time.Minute), "InvalidParameterValue")
	})
}

func TestForeignHandlesAreInvalid(t *testing.T) {
	bubble(t, func(f fixture) {
		q, other := f.queue("jobs"), f.queue("others")
		f.send(other, "a")
		m := f.one(other)
		for _, handle := range []string{"garbage", *m.ReceiptHandle, "A" + (*m.ReceiptHandle)[1:]} {
			bad := types.Message{ReceiptHandle: &handle}
			refuses(t, f.delete(q, bad), "ReceiptHandleIsInvalid")
			refuses(t, f.change(q, bad, 0), "ReceiptHandleIsInvalid")
		}
	})
}

func TestFIFOQueueTellsAboutLapsedHandles(t *testing.T) {
	bubble(t, func(f fixture) {
		q := f.queue("jobs.fifo", "VisibilityTimeout", "1")
		f.sendTo(q, "g", "a")
		m := f.one(q)
		time.Sleep(time.Second)
		refuses(t, f.delete(q, m), "InvalidParameterValue")
		f.expect("jobs.fifo", 1, 0, 0)
	})
}

func TestBatchesOfDeletesAndChangesFailEntryByEntry(t *testing.T) {
	bubble(t, func(f fixture) {
		q := f.queue("jobs")
		f.send(q, "a", "b")
		held := f.receive(q, 0)
		changes, err := f.client.ChangeMessageVisibilityBatch(f.Context(), &sqs.ChangeMessageVisibilityBatchInput{
			QueueUrl: q, Entries: []types.ChangeMessageVisibilityBatchRequestEntry{
				{Id: aws.String("good"), ReceiptHandle: held[0].ReceiptHandle},
				{Id: aws.String("long"), ReceiptHandle: held[1].ReceiptHandle, VisibilityTimeout: 43201},
				{Id: aws.String("bad"), ReceiptHandle: aws.String("?")},
			},
		})
		f.must(err)
		expectEntries(t, changes.Failed, "long InvalidParameterValue", "bad ReceiptHandleIsInvalid")
		f.expect("jobs", 1, 1, 0)

		deletes, err := f.client.DeleteMessageBatch(f.Context(), &sqs.DeleteMessageBatchInput{
			QueueUrl: q, Entries: []types.DeleteMessageBatchRequestEntry{
				{Id: aws.String("bad"), ReceiptHandle: aws.String("?")},
				{Id: aws.String("good"), ReceiptHandle: held[1].ReceiptHandle},
			},
		})
		f.must(err)
		expectEntries(t, deletes.Failed, "bad ReceiptHandleIsInvalid")
		f.expect("jobs", 1, 0, 0)
	})
}

// expectEntries compares failed entries, each written as its id and its code.
func expectEntries(t *testing.T, got []types.BatchResultErrorEntry, want ...string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d entries failed, want %d", len(got), len(want))
	}
	for i, e := range got {
		if entry := *e.Id + " " + *e.Code; entry != want[i] || !e.SenderFault {
			t.Errorf("entry %q, sender's fault %v, want %q", entry, e.SenderFault, want[i])
		}
	}
}
