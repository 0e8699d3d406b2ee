package memsqs

import (
	"crypto/sha256"
	"encoding/hex"
	"time"
)

// deduplicationWindow is how long a FIFO queue remembers a deduplication id, counted from the first send.
const deduplicationWindow = 5 * time.Minute

// deduplication remembers what was sent lately under which id.
type deduplication struct {
	seen  map[dedupKey]sent
	order []dedupKey // oldest first
}

// dedupKey is a deduplication id in its scope: the queue (no group) or one message group.
type dedupKey struct{ group, id string }

// sent is the answer to the first send, which its repetitions get as well.
type sent struct {
	id       string
	sequence uint64
	at       time.Time
}

// find returns the send that this one repeats.
func (d *deduplication) find(key dedupKey, now time.Time) (sent, bool) {
	d.forget(now)
	first, known := d.seen[key]
	return first, known
}

// remember records a first send.
func (d *deduplication) remember(key dedupKey, s sent) {
	if d.seen == nil {
		d.seen = map[dedupKey]sent{}
	}
	d.seen[key] = s
	d.order = append(d.order, key)
}

// forget drops the ids whose window is over.
func (d *deduplication) forget(now time.Time) {
	for len(d.order) > 0 && now.Sub(d.seen[d.order[0]].at) >= deduplicationWindow {
		delete(d.seen, d.order[0])
		d.order = d.order[1:]
	}
}

// dedupKey returns the message's deduplication id in the queue's scope; the body's hash serves where the queue says so.
func (q *queue) dedupKey(c *content) (dedupKey, error) {
	key := dedupKey{id: c.deduplication}
	if key.id == "" {
		if !q.contentDedup {
			return key, newError("InvalidParameterValue",
				"The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly")
		}
		sum := sha256.Sum256([]byte(c.body))
		key.id = hex.EncodeToString(sum[:])
	}
	if q.dedupPerGroup {
		key.group = c.group
	}
	return key, nil
}
