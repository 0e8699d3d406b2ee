package memsqs_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

// deadLetters makes jobs and jobs-dlq with n dead letters, and returns the last one's id.
func (f fixture) deadLetters(n int) (source *string, id string) {
	f.Helper()
	source, _ = f.withDLQ("jobs", "", "1")
	for range n {
		f.send(source, "poison")
		id = f.exhaust(source, 1)
		f.receive(source, 0)
	}
	return source, id
}

func (f fixture) startMove(rate int32, destination *string) (*string, error) {
	in := &sqs.StartMessageMoveTaskInput{SourceArn: aws.String(arn("jobs-dlq")), DestinationArn: destination}
	if rate > 0 {
		in.MaxNumberOfMessagesPerSecond = &rate
	}
	out, err := f.client.StartMessageMoveTask(f.Context(), in)
	if err != nil {
		return nil, err
	}
	return out.TaskHandle, nil
}

// lastMove is the newest move task of jobs-dlq.
func (f fixture) lastMove() types.ListMessageMoveTasksResultEntry {
	f.Helper()
	out, err := f.client.ListMessageMoveTasks(f.Context(), &sqs.ListMessageMoveTasksInput{SourceArn: aws.String(arn("jobs-dlq"))})
	f.must(err)
	return out.Results[0]
}

func (f fixture) expectMove(status string, moved int64) {
	f.Helper()
	synctest.Wait() // the task may have a step to make in this very instant
	if got := f.lastMove(); *got.Status != status || got.ApproximateNumberOfMessagesMoved != moved {
		f.Errorf("task is %s with %d moved, want %s with %d", *got.Status, got.ApproximateNumberOfMessagesMoved, status, moved)
	}
}

func TestMoveTaskReturnsDeadLettersAsNewMessages(t *testing.T) {
	bubble(t, func(f fixture) {
		q, id := f.deadLetters(3)
		_, err := f.startMove(0, nil)
		f.must(err)
		time.Sleep(time.Second)
		f.expectMove("COMPLETED", 3)
		f.expect("jobs", 3, 0, 0)
		f.expect("jobs-dlq", 0, 0, 0)
		for _, m := range f.receive(q, 0) {
			if *m.MessageId == id || m.Attributes["ApproximateReceiveCount"] != "1" || m.Attributes["DeadLetterQueueSourceArn"] != "" {
				t.Errorf("message %s with %v", *m.MessageId, m.Attributes)
			}
		}
	})
}

func TestMoveTaskKeepsItsRate(t *testing.T) {
	bubble(t, func(f fixture) {
		f.deadLetters(10)
		_, err := f.startMove(2, nil)
		f.must(err)
		f.expectMove("RUNNING", 1)
		time.Sleep(2 * time.Second)
		f.expectMove("RUNNING", 5)
		if got := f.lastMove(); *got.ApproximateNumberOfMessagesToMove != 10 || *got.MaxNumberOfMessagesPerSecond != 2 {
			t.Errorf("task %+v", got)
		}
		time.Sleep(3 * time.Second)
		f.expectMove("COMPLETED", 10)
	})
}

func TestMoveTaskCanBeCancelled(t *testing.T) {
	bubble(t, func(f fixture) {
		f.deadLetters(5)
		handle, err := f.startMove(1, nil)
		f.must(err)
		_, err = f.startMove(1, nil)
		refuses(t, err, "InvalidParameterValue") // one at a time
		time.Sleep(1500 * time.Millisecond)
		out, err := f.client.CancelMessageMoveTask(f.Context(), &sqs.CancelMessageMoveTaskInput{TaskHandle: handle})
		f.must(err)
		if out.ApproximateNumberOfMessagesMoved != 2 {
			t.Errorf("%d moved", out.ApproximateNumberOfMessagesMoved)
		}
		time.Sleep(time.Minute)
		f.expectMove("CANCELLED", 2)
		_, err = f.client.CancelMessageMoveTask(f.Context(), &sqs.CancelMessageMoveTaskInput{TaskHandle: handle})
		refuses(t, err, "AWS.SimpleQueueService.UnsupportedOperation")
		_, err = f.client.CancelMessageMoveTask(f.Context(), &sqs.CancelMessageMoveTaskInput{TaskHandle: aws.String("?")})
		refuses(t, err, "ResourceNotFoundException")
	})
}

func TestMoveTaskToAnotherQueueTakesForeignMessages(t *testing.T) {
	bubble(t, func(f fixture) {
		_, dlq := f.withDLQ("jobs", "", "1")
		f.queue("elsewhere")
		f.send(dlq, "sent here by hand")
		_, err := f.startMove(0, nil)
		f.must(err)
		time.Sleep(time.Second)
		f.expectMove("FAILED", 0)
		if got := *f.lastMove().FailureReason; got != "CouldNotDetermineMessageSource" {
			t.Errorf("reason %s", got)
		}
		_, err = f.startMove(0, aws.String(arn("elsewhere")))
		f.must(err)
		time.Sleep(time.Second)
		f.expectMove("COMPLETED", 1)
		f.expect("elsewhere", 1, 0, 0)
	})
}

func TestMoveTaskEndsWithItsQueue(t *testing.T) {
	bubble(t, func(f fixture) {
		f.deadLetters(3)
		_, err := f.startMove(1, nil)
		f.must(err)
		synctest.Wait()
		dlq := "http://memsqs/000000000000/jobs-dlq"
		_, err = f.client.DeleteQueue(f.Context(), &sqs.DeleteQueueInput{QueueUrl: &dlq})
		f.must(err)
		time.Sleep(time.Second)
		f.queue("jobs-dlq")
		f.expectMove("FAILED", 1)
	})
}

func TestMoveTasksThatAreRefused(t *testing.T) {
	bubble(t, func(f fixture) {
		f.withDLQ("jobs", "", "1")
		f.queue("plain")
		f.queue("other.fifo")
		tests := map[string]struct {
			source, destination string
			rate                int32
			code                string
		}{
			"no such source":              {source: "nobody", code: "ResourceNotFoundException"},
			"the source has no sources":   {source: "plain", code: "InvalidParameterValue"},
			"no such destination":         {source: "jobs-dlq", destination: "nobody", code: "ResourceNotFoundException"},
			"the destination is itself":   {source: "jobs-dlq", destination: "jobs-dlq", code: "InvalidParameterValue"},
			"a destination of other type": {source: "jobs-dlq", destination: "other.fifo", code: "InvalidParameterValue"},
			"too fast":                    {source: "jobs-dlq", rate: 501, code: "InvalidParameterValue"},
			"backwards":                   {source: "jobs-dlq", rate: -1, code: "InvalidParameterValue"},
		}
		for name, tt := range tests {
			in := &sqs.StartMessageMoveTaskInput{SourceArn: aws.String(arn(tt.source))}
			if tt.destination != "" {
				in.DestinationArn = aws.String(arn(tt.destination))
			}
			if tt.rate != 0 {
				in.MaxNumberOfMessagesPerSecond = &tt.rate
			}
			if _, err := f.client.StartMessageMoveTask(f.Context(), in); codeOf(err) != tt.code {
				t.Errorf("%s: error %v, want %s", name, err, tt.code)
			}
		}
	})
}
