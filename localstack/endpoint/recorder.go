package endpoint

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"
)

const (
	maxCalls = 20_000   // calls kept; the oldest are forgotten, their counts are not
	maxInput = 64 << 10 // bytes of a request's body kept
)

// Call is one request the endpoint served.
type Call struct {
	Target
	// At is when the request came in.
	At time.Time
	// Took is how long serving it took.
	Took time.Duration
	// Status is the HTTP status of the reply.
	Status int
	// Input is the start of the request's body as the client sent it, up to 64 KiB; nil for SQS and Lambda.
	Input []byte
}

// Recorder counts every request and keeps the latest, so that a test can say what was asked of the cloud and what was
// not. SQS requests, of which there are thousands a second, are counted but not kept.
type Recorder struct {
	mu      sync.Mutex
	counts  map[Target]int
	calls   []Call
	observe func(Call)
}

func newRecorder() *Recorder {
	return &Recorder{counts: make(map[Target]int)}
}

// Count is how often an operation was called, whatever the reply. An empty operation means all of the service's.
func (r *Recorder) Count(service, operation string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for target, count := range r.counts {
		if target.Service == service && (operation == "" || target.Operation == operation) {
			n += count
		}
	}
	return n
}

// Calls are the kept calls of an operation, oldest first. An empty operation means all of the service's.
func (r *Recorder) Calls(service, operation string) []Call {
	r.mu.Lock()
	defer r.mu.Unlock()
	var calls []Call
	for _, call := range r.calls {
		if call.Service == service && (operation == "" || call.Operation == operation) {
			calls = append(calls, call)
		}
	}
	return calls
}

// Observe has f called after each kept request, one at a time; nil ends it. f must not call the Recorder.
func (r *Recorder) Observe(f func(Call)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.observe = f
}

// begin counts a request and returns what to call with the reply's status.
func (r *Recorder) begin(target Target, req *http.Request) (finish func(status int)) {
	target.cbor = false
	r.mu.Lock()
	r.counts[target]++
	r.mu.Unlock()
	if target.Service == "sqs" {
		return func(int) {}
	}
	call := Call{Target: target, At: time.Now()}
	input := keepInput(target, req)
	return func(status int) {
		call.Took, call.Status, call.Input = time.Since(call.At), status, input()
		r.keep(call)
	}
}

func (r *Recorder) keep(call Call) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.calls) == maxCalls {
		r.calls = slices.Delete(r.calls, 0, maxCalls/4)
	}
	r.calls = append(r.calls, call)
	if r.observe != nil {
		r.observe(call)
	}
}

// keepInput has the body copied as it is read, and returns how to get the copy.
func keepInput(target Target, req *http.Request) func() []byte {
	if target.Service == "lambda" || req.Body == nil {
		return func() []byte { return nil }
	}
	kept := &boundedBuffer{limit: maxInput}
	req.Body = struct {
		io.Reader
		io.Closer
	}{io.TeeReader(req.Body, kept), req.Body}
	return kept.bytes
}

// boundedBuffer keeps the first limit bytes written to it and swallows the rest. The transport that reads a body may
// still do so when the reply has been sent, hence the lock.
type boundedBuffer struct {
	mu     sync.Mutex
	limit  int
	buffer bytes.Buffer
}

func (b *boundedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.buffer.Write(p[:min(len(p), b.limit-b.buffer.Len())])
	return len(p), nil
}

func (b *boundedBuffer) bytes() []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	return bytes.Clone(b.buffer.Bytes())
}

// statusWriter remembers the status of a reply.
type statusWriter struct {
	http.ResponseWriter
	code int
}

// WriteHeader notes the status on its way.
func (w *statusWriter) WriteHeader(code int) {
	if w.code == 0 {
		w.code = code
	}
	w.ResponseWriter.WriteHeader(code)
}

// Unwrap lets http.ResponseController reach the connection.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *statusWriter) status() int {
	if w.code == 0 {
		return http.StatusOK
	}
	return w.code
}
