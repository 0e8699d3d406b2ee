package memsqs

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
)

const (
	contentType  = "application/x-amz-json-1.0"
	targetPrefix = "AmazonSQS."
	// maxRequestBytes admits a full batch whose every byte is written as a JSON escape, and its envelope.
	maxRequestBytes = 8 * maxMessageBytes
)

// ServeHTTP serves one call of the AWS JSON 1.0 protocol. The operation is named by the header X-Amz-Target, and queue
// URLs in answers name the request's host, so that a server behind any name or port hands out URLs that lead back.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	out, err := s.serve(w, r)
	switch {
	case r.Context().Err() != nil:
		s.giveBack(out)
	case errors.Is(err, errReset):
		panic(http.ErrAbortHandler)
	case err != nil:
		writeError(w, err)
	default:
		if writeAnswer(w, out) != nil {
			s.giveBack(out)
		}
	}
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) (any, error) {
	name, ours := strings.CutPrefix(r.Header.Get("X-Amz-Target"), targetPrefix)
	do, known := operations[name]
	switch {
	case !ours:
		return nil, newError("UnsupportedOperation",
			"Only the AWS JSON 1.0 protocol is served (POST with X-Amz-Target: AmazonSQS.<Operation>), not the query protocol. Use a current SDK.")
	case !known:
		return nil, newError("UnknownOperationException", "There is no operation %q.", name)
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequestBytes))
	if err != nil {
		return nil, newError("SerializationException", "Reading the request: %s", err)
	}
	return do(withRequest(r.Context(), request{origin: originOf(r)}), s, name, body)
}

// writeAnswer sends the answer and reports whether the connection took it.
func writeAnswer(w http.ResponseWriter, out any) error {
	body, err := json.Marshal(out)
	if err != nil {
		return err
	}
	if err := writeBody(w, http.StatusOK, body); err != nil {
		return err
	}
	if err := http.NewResponseController(w).Flush(); !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	return nil
}

func writeBody(w http.ResponseWriter, status int, body []byte) error {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.Header().Set("X-Amzn-Requestid", newID())
	w.WriteHeader(status)
	_, err := io.Copy(w, bytes.NewReader(body))
	return err
}

func writeError(w http.ResponseWriter, err error) {
	var e *Error
	if !errors.As(err, &e) {
		e = &Error{Status: http.StatusInternalServerError, Code: "InternalFailure", Message: err.Error()}
	}
	body, _ := json.Marshal(map[string]string{"__type": e.shape(), "message": e.Message})
	w.Header().Set("X-Amzn-Query-Error", e.queryCode()+";"+e.fault())
	_ = writeBody(w, e.status(), body)
}
