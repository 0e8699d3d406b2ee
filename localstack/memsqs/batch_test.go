package memsqs_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

// entriesOf makes batch entries of ids and bodies, given in turn.
func entriesOf(idsAndBodies ...string) []types.SendMessageBatchRequestEntry {
	var entries []types.SendMessageBatchRequestEntry
	for i := 0; i < len(idsAndBodies); i += 2 {
		entries = append(entries, types.SendMessageBatchRequestEntry{Id: &idsAndBodies[i], MessageBody: &idsAndBodies[i+1]})
	}
	return entries
}

func TestBatchesThatAreRefusedWhole(t *testing.T) {
	var eleven []string
	for i := range 11 {
		eleven = append(eleven, strconv.Itoa(i), "x")
	}
	half := strings.Repeat("x", 1<<19)
	tests := map[string]struct {
		entries []types.SendMessageBatchRequestEntry
		code    string
	}{
		"no entries":         {[]types.SendMessageBatchRequestEntry{}, "EmptyBatchRequest"},
		"eleven entries":     {entriesOf(eleven...), "TooManyEntriesInBatchRequest"},
		"an id twice":        {entriesOf("a", "x", "a", "y"), "BatchEntryIdsNotDistinct"},
		"an id with a space": {entriesOf("a b", "x"), "InvalidBatchEntryId"},
		"an id of 81":        {entriesOf(strings.Repeat("a", 81), "x"), "InvalidBatchEntryId"},
		"1 MiB and a byte":   {entriesOf("a", half, "b", half+"x"), "BatchRequestTooLong"},
	}
	bubble(t, func(f fixture) {
		q := f.queue("jobs")
		for name, tt := range tests {
			_, err := f.client.SendMessageBatch(f.Context(), &sqs.SendMessageBatchInput{QueueUrl: q, Entries: tt.entries})
			if want := "AWS.SimpleQueueService." + tt.code; codeOf(err) != want {
				t.Errorf("%s: error %v, want %s", name, err, want)
			}
		}
		f.expect("jobs", 0, 0, 0)
		_, err := f.client.SendMessageBatch(f.Context(), &sqs.SendMessageBatchInput{QueueUrl: q, Entries: entriesOf("a", half, "b", half)})
		f.must(err)
		f.expect("jobs", 2, 0, 0)
	})
}

func TestBatchEntriesFailOneByOne(t *testing.T) {
	bubble(t, func(f fixture) {
		q := f.queue("jobs", "MaximumMessageSize", "1024")
		out, err := f.client.SendMessageBatch(f.Context(), &sqs.SendMessageBatchInput{
			QueueUrl: q, Entries: entriesOf("good", "x", "large", strings.Repeat("x", 1025), "bad", "\x02", "fine", "y"),
		})
		f.must(err)
		expectEntries(t, out.Failed, "large InvalidParameterValue", "bad InvalidMessageContents")
		if len(out.Successful) != 2 || aws.ToString(out.Successful[1].Id) != "fine" {
			t.Errorf("succeeded: %v", out.Successful)
		}
		f.expect("jobs", 2, 0, 0)
	})
}

func TestBatchToAFIFOQueueKeepsItsOrder(t *testing.T) {
	bubble(t, func(f fixture) {
		q := f.queue("jobs.fifo", "ContentBasedDeduplication", "true")
		entries := entriesOf("1", "a", "2", "b", "3", "a", "4", "c")
		for i := range entries {
			entries[i].MessageGroupId = aws.String("g")
		}
		out, err := f.client.SendMessageBatch(f.Context(), &sqs.SendMessageBatchInput{QueueUrl: q, Entries: entries})
		f.must(err)
		if *out.Successful[0].SequenceNumber != *out.Successful[2].SequenceNumber || *out.Successful[1].SequenceNumber >= *out.Successful[3].SequenceNumber {
			t.Errorf("succeeded: %v", out.Successful)
		}
		if got := bodies(f.receive(q, 0)); got != "a b c" {
			t.Errorf("received %q", got)
		}
	})
}
