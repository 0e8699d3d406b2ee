package memsqs

import (
	"context"
	"time"
)

// Fault says how one call goes wrong. The zero value lets it go right. Its parts combine: first the delay, then the
// operation, then the reset or the error.
type Fault struct {
	// Delay passes before anything else happens; it ends early if the client leaves.
	Delay time.Duration
	// Err is answered in place of the operation's own answer.
	Err *Error
	// Reset cuts the connection instead of answering.
	Reset bool
	// After lets the operation happen before Err or Reset hides its answer: the lost reply, after which a client
	// cannot know. Without it the operation does not happen.
	After bool
	// Entry fails single entries of a batch: an entry for whose id it returns an error is not carried out, and is
	// answered under Failed. Nil, or a nil error, fails none. Ignored by operations without entries.
	Entry func(id string) *Error
}

// SetFault makes f decide about every call from now on; a nil f, or a nil answer, lets calls go right. op is the
// operation's name, such as ReceiveMessage; queue is the queue's name, or empty for ListQueues. f runs on the caller's
// goroutine, concurrently with itself, and may call the server.
func (s *Server) SetFault(f func(op, queue string) *Fault) { s.fault.Store(&f) }

// SetOnCall has f told of every call from now on, refused ones and failed ones included, before anything else happens.
// The arguments and rules are those of SetFault. A nil f ends it.
func (s *Server) SetOnCall(f func(op, queue string)) { s.onCall.Store(&f) }

// tell informs the observer.
func (s *Server) tell(op, queue string) {
	if f := s.onCall.Load(); f != nil && *f != nil {
		(*f)(op, queue)
	}
}

// faultOf asks for the call's fault; it is never nil.
func (s *Server) faultOf(op, queue string) *Fault {
	if f := s.fault.Load(); f != nil && *f != nil {
		if fault := (*f)(op, queue); fault != nil {
			return fault
		}
	}
	return &Fault{}
}

// errReset asks the transport to cut the connection.
var errReset = &Error{Code: "ConnectionReset", Message: "The connection was reset."}

// failure is what the caller gets to see in place of an answer, or nil.
func (f *Fault) failure() error {
	switch {
	case f.Reset:
		return errReset
	case f.Err != nil:
		return f.Err
	}
	return nil
}

// entry is the error that the batch entry fails with, or nil.
func (f *Fault) entry(id string) *Error {
	if f.Entry == nil {
		return nil
	}
	return f.Entry(id)
}

// suffer runs do as the fault wants it.
func (f *Fault) suffer(ctx context.Context, do func() (any, error)) (any, error) {
	if err := pause(ctx, f.Delay); err != nil {
		return nil, err
	}
	failure := f.failure()
	if failure == nil {
		return do()
	}
	if f.After {
		_, _ = do() // carried out, and its answer lost
	}
	return nil, failure
}

// pause waits for d or for the client to leave.
func pause(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
