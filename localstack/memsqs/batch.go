package memsqs

import (
	"context"
	"errors"
	"regexp"
)

const maxBatch = 10

var entryIDPattern = regexp.MustCompile(`^[A-Za-z0-9_-]{1,80}$`)

// entry is one entry of a batch.
type entry interface{ id() string }

// entryID is the part that every batch entry has.
type entryID struct {
	ID string `json:"Id"`
}

func (e entryID) id() string { return e.ID }

// batchOutput is the answer to a batch: each entry is in one of the lists.
type batchOutput[R any] struct {
	Successful []R
	Failed     []failedEntry `json:",omitempty"`
}

type failedEntry struct {
	entryID
	SenderFault bool
	Code        string
	Message     string
}

// checkBatch checks what concerns the batch as a whole.
func checkBatch[E entry](entries []E) error {
	if len(entries) == 0 {
		return newError("EmptyBatchRequest", "There should be at least one entry in the request.")
	}
	if len(entries) > maxBatch {
		return newError("TooManyEntriesInBatchRequest", "Maximum number of entries per request are %d. You have sent %d.", maxBatch, len(entries))
	}
	seen := map[string]bool{}
	for _, e := range entries {
		if !entryIDPattern.MatchString(e.id()) {
			return newError("InvalidBatchEntryId", "A batch entry id %q can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long.", e.id())
		}
		if seen[e.id()] {
			return newError("BatchEntryIdsNotDistinct", "Id %s repeated.", e.id())
		}
		seen[e.id()] = true
	}
	return nil
}

// each runs do for every entry; an entry's failure is that entry's alone.
func each[E entry, R any](ctx context.Context, entries []E, do func(E) (R, error)) *batchOutput[R] {
	fault := requestOf(ctx).fault
	out := &batchOutput[R]{Successful: make([]R, 0, len(entries))}
	for _, e := range entries {
		if injected := fault.entry(e.id()); injected != nil {
			out.fail(e.id(), injected)
			continue
		}
		result, err := do(e)
		if err != nil {
			out.fail(e.id(), err)
			continue
		}
		out.Successful = append(out.Successful, result)
	}
	return out
}

func (out *batchOutput[R]) fail(id string, err error) {
	var e *Error
	if !errors.As(err, &e) {
		e = newError("InternalFailure", "%s", err)
	}
	out.Failed = append(out.Failed, failedEntry{
		entryID: entryID{ID: id}, SenderFault: e.senderFault(), Code: e.queryCode(), Message: e.Message,
	})
}
