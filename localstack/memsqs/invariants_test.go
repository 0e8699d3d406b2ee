package memsqs

import (
	"fmt"
	"maps"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
)

// FuzzInvariants plays a sequence of operations, one a byte, against a standard and a FIFO queue with their
// dead-letter queues, and checks after each that all the books agree.
func FuzzInvariants(f *testing.F) {
	f.Add([]byte("sssrrd"))
	f.Add([]byte("SSSSRRtRtRtRtD"))
	f.Add([]byte("sSrRzZrRzZrRtttt"))
	f.Add([]byte("sSwWrRpPsStrRdDttT"))
	f.Add([]byte(strings.Repeat("sSrRtxXdD", 40)))
	f.Fuzz(func(t *testing.T, play []byte) {
		p := newPlayer(t)
		for _, step := range play[:min(len(play), 200)] {
			if !strings.ContainsRune(steps, rune(step)) {
				step = steps[int(step)%len(steps)]
			}
			p.step(step)
			p.check()
		}
	})
}

// steps are the letters that step knows; any other byte stands for one of them.
const steps = "srdzxtwpSRDZXTP"

// player is a server with a clock of its own, and the receipt handles it gave out.
type player struct {
	*testing.T
	server  *Server
	now     time.Time
	sent    int
	handles map[string][]string
}

func newPlayer(t *testing.T) *player {
	p := &player{T: t, now: time.Unix(0, 0), handles: map[string][]string{}}
	p.server = New(Options{Now: func() time.Time { return p.now }})
	for _, suffix := range []string{"", ".fifo"} {
		fifo := ""
		if suffix != "" {
			fifo = `"FifoQueue":"true",`
		}
		p.call("CreateQueue", `{"QueueName":"dlq`+suffix+`","Attributes":{`+fifo+`"MessageRetentionPeriod":"300"}}`)
		p.call("CreateQueue", `{"QueueName":"jobs`+suffix+`","Attributes":{`+fifo+`"MessageRetentionPeriod":"200","RedrivePolicy":
			"{\"deadLetterTargetArn\":\"arn:aws:sqs:us-east-1:000000000000:dlq`+suffix+`\",\"maxReceiveCount\":2}"}}`)
	}
	return p
}

func (p *player) call(op, body string) string {
	r := httptest.NewRequest("POST", "/", strings.NewReader(body))
	r.Header.Set("X-Amz-Target", "AmazonSQS."+op)
	w := httptest.NewRecorder()
	p.server.ServeHTTP(w, r)
	if w.Code >= 500 {
		p.Fatalf("%s %s: %s", op, body, w.Body)
	}
	return w.Body.String()
}

// step plays one byte: a small letter for the standard queue, a capital for the FIFO queue.
func (p *player) step(b byte) {
	queue, extra := "jobs", ""
	p.sent++
	if b >= 'A' && b <= 'Z' {
		queue, extra, b = "jobs.fifo", fmt.Sprintf(`"MessageGroupId":"g%d","MessageDeduplicationId":"%d",`, p.sent%3, p.sent/2), b+'a'-'A'
	}
	address := `"QueueUrl":"http://h/000000000000/` + queue + `"`
	switch b {
	case 's':
		p.call("SendMessage", `{`+extra+address+`,"MessageBody":"x"}`)
	case 'w':
		p.call("SendMessage", `{`+address+`,"MessageBody":"x","DelaySeconds":40}`)
	case 'r':
		answer := p.call("ReceiveMessage", `{`+address+`,"MaxNumberOfMessages":2}`)
		for _, part := range strings.Split(answer, `"ReceiptHandle":"`)[1:] {
			p.handles[queue] = append(p.handles[queue], part[:strings.Index(part, `"`)])
		}
	case 'd':
		p.call("DeleteMessage", `{`+address+`,"ReceiptHandle":"`+p.handle(queue)+`"}`)
	case 'z':
		p.call("ChangeMessageVisibility", `{`+address+`,"VisibilityTimeout":0,"ReceiptHandle":"`+p.handle(queue)+`"}`)
	case 'x':
		p.call("ChangeMessageVisibility", `{`+address+`,"VisibilityTimeout":70,"ReceiptHandle":"`+p.handle(queue)+`"}`)
	case 'p':
		p.call("PurgeQueue", `{`+address+`}`)
	case 't':
		p.now = p.now.Add(15 * time.Second)
	}
}

// handle takes the oldest receipt handle, which may have lapsed.
func (p *player) handle(queue string) string {
	all := p.handles[queue]
	if len(all) == 0 {
		return ""
	}
	p.handles[queue] = all[1:]
	return all[0]
}

func (p *player) check() {
	p.Helper()
	p.server.mu.Lock()
	defer p.server.mu.Unlock()
	for q := range maps.Values(p.server.queues) {
		q.advance(p.now)
		var counts [stateCount]int
		for _, m := range q.messages {
			counts[m.state]++
			p.checkMessage(q, m)
		}
		if counts != q.counts || len(q.schedule.messages) != len(q.messages) {
			p.Fatalf("%s: counts %v, really %v; %d scheduled of %d", q.name, q.counts, counts, len(q.schedule.messages), len(q.messages))
		}
		p.checkOrder(q)
	}
}

func (p *player) checkMessage(q *queue, m *message) {
	p.Helper()
	late := !q.expiry(m).After(p.now) || m.state != visible && !m.visibleAt.After(p.now)
	if late || q.schedule.messages[m.slot] != m {
		p.Fatalf("%s: message %+v at %v", q.name, m, p.now)
	}
}

// checkOrder compares what could be received with what ought to be.
func (p *player) checkOrder(q *queue) {
	p.Helper()
	got := slices.Collect(q.order.candidates())
	var want int
	for _, m := range q.messages {
		if m.state == visible && (!q.fifo || !q.blocked(m)) {
			want++
		}
	}
	if len(got) != want || q.order.any() != (want > 0) {
		p.Fatalf("%s: %d candidates, want %d; any %v", q.name, len(got), want, q.order.any())
	}
	if q.fifo && !slices.IsSortedFunc(got, func(a, b *message) int {
		if a.group != b.group {
			return 0
		}
		return a.enqueuedAt.Compare(b.enqueuedAt)
	}) {
		p.Fatalf("%s: candidates out of order", q.name)
	}
}

// blocked says whether another message of m's group keeps it from being received.
func (q *queue) blocked(m *message) bool {
	for _, other := range q.messages {
		earlier := other.sequence < m.sequence
		if other.group == m.group && (other.state == inFlight || other.state == delayed && earlier) {
			return true
		}
	}
	return false
}
