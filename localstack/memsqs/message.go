package memsqs

import (
	"container/list"
	"crypto/rand"
	"encoding/hex"
	"time"
)

// state is where a message is in its life.
type state int

const (
	delayed state = iota
	visible
	inFlight
	stateCount
)

// message is one message in one queue. What SendMessage fixed never changes; the rest belongs to the server's mutex.
type message struct {
	content
	id       string
	sequence uint64 // FIFO only, otherwise 0

	sentAt     time.Time
	enqueuedAt time.Time // when it entered this queue
	sourceARN  string    // the queue it was dead-lettered from

	key        uint64 // its identity within the server
	state      state
	visibleAt  time.Time // while delayed or in flight
	receivedAt time.Time // the last receive
	firstAt    time.Time // the first receive
	receives   int       // in all queues
	attempts   int       // in this queue
	receipt    uint64    // the serial number of the last receive

	due   time.Time // when the message next changes by itself
	slot  int       // its place in the schedule, -1 outside
	place *list.Element
}

// content is what the sender gave.
type content struct {
	body               string
	bodyChecksum       string
	attributes         map[string]attributeValue
	attributesChecksum string
	system             map[string]attributeValue
	group              string
	deduplication      string
}

// size is the message's length as SQS counts it: the body, and the attributes' names, types and values.
func (c *content) size() int {
	size := len(c.body)
	for name, value := range c.attributes {
		size += len(name) + value.size()
	}
	return size
}

// trace is the AWSTraceHeader, or empty.
func (c *content) trace() string { return c.system[traceHeader].text() }

// expiry is the moment at which the queue forgets the message. A standard queue counts from the time of sending even
// after a move to the dead-letter queue; a FIFO queue counts anew.
func (q *queue) expiry(m *message) time.Time {
	if q.fifo {
		return m.enqueuedAt.Add(q.retention)
	}
	return m.sentAt.Add(q.retention)
}

// newID returns a random UUID.
func newID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	id := hex.EncodeToString(b[:])
	return id[:8] + "-" + id[8:12] + "-" + id[12:16] + "-" + id[16:20] + "-" + id[20:]
}
