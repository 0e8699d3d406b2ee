package endpoint

import (
	"encoding/json"
	"net/http"
	"sync"

	"github.com/fxamacker/cbor/v2"
)

// Refusal is an error the endpoint answers in place of serving, so that tests can show what a denied, throttled or
// broken service does to its callers.
type Refusal struct {
	// Status is the HTTP status, for example 400 or 503.
	Status int
	// Code is the error's name, for example "AccessDeniedException" or "ThrottlingException".
	Code string
	// Message is the error's text.
	Message string
}

// refusals holds what is being refused.
type refusals struct {
	mu     sync.Mutex
	active map[Target]*refused
}

type refused struct {
	refusal Refusal
	left    int
}

// Refuse makes the next times requests of an operation fail with refusal; times < 0 means until Allow.
func (e *Endpoint) Refuse(service, operation string, times int, refusal Refusal) {
	e.refusals.mu.Lock()
	defer e.refusals.mu.Unlock()
	if e.refusals.active == nil {
		e.refusals.active = make(map[Target]*refused)
	}
	e.refusals.active[Target{Service: service, Operation: operation}] = &refused{refusal: refusal, left: times}
}

// Allow ends a Refuse.
func (e *Endpoint) Allow(service, operation string) {
	e.refusals.mu.Lock()
	defer e.refusals.mu.Unlock()
	delete(e.refusals.active, Target{Service: service, Operation: operation})
}

// take answers the refusal a request has to meet, and uses it up.
func (r *refusals) take(target Target) (Refusal, bool) {
	target.cbor = false
	r.mu.Lock()
	defer r.mu.Unlock()
	entry, ok := r.active[target]
	if !ok || entry.left == 0 {
		return Refusal{}, false
	}
	entry.left--
	return entry.refusal, true
}

// write answers in the protocol of the request.
func (f Refusal) write(w http.ResponseWriter, r *http.Request) {
	body := map[string]string{"__type": f.Code, "message": f.Message}
	w.Header().Set("X-Amzn-ErrorType", f.Code)
	if r.Header.Get("Smithy-Protocol") == cborProtocol {
		data, _ := cbor.Marshal(body) // strings always marshal
		writeCBOR(w, f.Status, data)
		return
	}
	data, _ := json.Marshal(body) // strings always marshal
	writeJSON(w, f.Status, data)
}
