package worker

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/rousehq/rouse/internal/workload"
)

// fakeTable records what is written to DynamoDB.
type fakeTable struct {
	fail error

	mu      sync.Mutex
	puts    []workload.Heartbeat
	last    *dynamodb.PutItemInput
	removed int
	updates []*dynamodb.UpdateItemInput
}

func (f *fakeTable) PutItem(_ context.Context, in *dynamodb.PutItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var h workload.Heartbeat
	if err := json.Unmarshal([]byte(in.Item["document"].(*types.AttributeValueMemberS).Value), &h); err != nil {
		return nil, err
	}
	f.puts, f.last = append(f.puts, h), in
	return new(dynamodb.PutItemOutput), f.fail
}

func (f *fakeTable) DeleteItem(context.Context, *dynamodb.DeleteItemInput, ...func(*dynamodb.Options)) (*dynamodb.DeleteItemOutput, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.removed++
	return new(dynamodb.DeleteItemOutput), f.fail
}

func (f *fakeTable) UpdateItem(_ context.Context, in *dynamodb.UpdateItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.updates = append(f.updates, in)
	return new(dynamodb.UpdateItemOutput), f.fail
}

func (f *fakeTable) latest() workload.Heartbeat {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.puts[len(f.puts)-1]
}

func (f *fakeTable) written() []*dynamodb.UpdateItemInput {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.updates)
}

func (f *fakeTable) beats() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.puts)
}

func tableConfig(q *fakeQueue, table *fakeTable) Config {
	c := testConfig(q)
	c.Table, c.Clients.DynamoDB, c.ResultTTLSeconds = "rouse", table, 3600
	return c
}

func TestHeartbeatFollowsTheWorker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, table := new(fakeQueue), new(fakeTable)
		handler, _ := work(30 * time.Second)
		c := tableConfig(q, table)
		c.PoolSize = 4
		r := start(t, c, handler)
		after(heartbeatGap)
		if h := table.latest(); !h.Ready || h.Busy != 0 || h.Slots != 4 || h.IntervalSeconds != 10 {
			t.Errorf("a second after the start: %+v", h)
		}
		after(5 * time.Second)
		q.put("x")
		after(heartbeatGap)
		if h := table.latest(); h.Busy != 1 || !h.WaitSeconds.IsKnown() {
			t.Errorf("a second after it became busy: %+v", h)
		}
		after(31 * time.Second)
		if h := table.latest(); h.Busy != 0 || h.Completed != 1 || h.ServiceSeconds != 30 {
			t.Errorf("a second after the job ended: %+v", h)
		}
		q.put("y")
		after(2 * time.Second)
		r.stop()
		after(2 * time.Second)
		if h := table.latest(); !h.Quiescing || h.Busy != 1 {
			t.Errorf("while draining: %+v", h)
		}
		<-r.done
		if table.removed != 1 {
			t.Errorf("the record was removed %d times, want once", table.removed)
		}
	})
}

func TestHeartbeatsDoNotGrowWithTheMessages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, table := new(fakeQueue), new(fakeTable)
		c := tableConfig(q, table)
		r := start(t, c, HandlerFunc(done))
		for range 1000 { // a busy and an idle edge each 10 ms
			q.put("x")
			after(10 * time.Millisecond)
		}
		if n := table.beats(); n > 12 {
			t.Errorf("%d writes in ten seconds of 1000 jobs, want at most one a second", n)
		}
		r.end(t)
	})
}

// The table being down costs records, never jobs.
func TestJobsGoOnWithoutTheTable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, table := new(fakeQueue), &fakeTable{fail: errors.New("unreachable")}
		q.put("x")
		r := start(t, tableConfig(q, table), HandlerFunc(done))
		after(time.Second)
		r.end(t)
		if len(q.deleted) != 1 {
			t.Error("the job was not acknowledged")
		}
	})
}

func TestResultIsWrittenBeforeTheMessageIsDeleted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, table := new(fakeQueue), new(fakeTable)
		q.put("x")
		handler, _ := work(2 * time.Second)
		r := start(t, tableConfig(q, table), handler)
		after(2*time.Second + batchLinger/2)
		updates := table.written()
		if n := read(q, func(q *fakeQueue) int { return len(q.deleted) }); len(updates) != 1 || n != 0 {
			t.Fatalf("%d results and %d deleted when the job had ended, want 1 and 0", len(updates), n)
		}
		in := updates[0]
		var result workload.Result
		if err := json.Unmarshal([]byte(in.ExpressionAttributeValues[":document"].(*types.AttributeValueMemberS).Value), &result); err != nil {
			t.Fatal(err)
		}
		if result.Job != "id-1" || result.Outcome != workload.OutcomeSucceeded || result.Seconds != 2 || result.ReceiveCount != 1 {
			t.Errorf("the result is %+v", result)
		}
		if pk := in.Key["pk"].(*types.AttributeValueMemberS).Value; pk != "result#reports" {
			t.Errorf("the partition key is %q", pk)
		}
		r.end(t)
	})
}
