package taskrunner

import (
	"crypto/rand"
	"encoding/hex"
	"time"
)

// Backoff spaces the starts of tasks that do not last: Base after a task that ran, and twice as long each time for
// tasks that never reached RUNNING, up to Max.
type Backoff struct {
	Base, Max time.Duration
}

func (b Backoff) after(failures int) time.Duration {
	wait := b.Base
	for range failures - 1 {
		if wait >= b.Max {
			break
		}
		wait *= 2
	}
	return min(wait, b.Max)
}

// newID is in the form of a task's id: 32 hexadecimal digits.
func newID() string {
	id := make([]byte, 16)
	_, _ = rand.Read(id) // never fails
	return hex.EncodeToString(id)
}
