package lambdart

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"
)

const (
	apiVersion  = "/2018-06-01/runtime"
	maxResponse = 6 << 20 // Lambda's limit of a synchronous response
)

// event is an invocation on its way to the bootstrap.
type event struct {
	requestID string
	arn       string
	deadline  time.Time
	payload   []byte
}

// result is the bootstrap's answer to an event.
type result struct {
	requestID string
	output    []byte
	failed    bool // the function answered an error
}

// runtimeAPI serves one instance's bootstrap.
type runtimeAPI struct {
	server   *http.Server
	address  string
	events   chan event    // taken by GET next
	results  chan result   // given by POST response and error
	initFail chan []byte   // given by POST init/error
	closed   chan struct{} // ends requests under way
}

func serveRuntimeAPI() (*runtimeAPI, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	api := &runtimeAPI{
		address:  listener.Addr().String(),
		events:   make(chan event),
		results:  make(chan result),
		initFail: make(chan []byte, 1),
		closed:   make(chan struct{}),
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+apiVersion+"/invocation/next", api.next)
	mux.HandleFunc("POST "+apiVersion+"/invocation/{id}/response", func(w http.ResponseWriter, r *http.Request) { api.answer(w, r, false) })
	mux.HandleFunc("POST "+apiVersion+"/invocation/{id}/error", func(w http.ResponseWriter, r *http.Request) { api.answer(w, r, true) })
	mux.HandleFunc("POST "+apiVersion+"/init/error", api.initError)
	api.server = &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = api.server.Serve(listener) }()
	return api, nil
}

func (a *runtimeAPI) close() {
	close(a.closed)
	_ = a.server.Close()
}

// next holds the bootstrap until there is an event.
func (a *runtimeAPI) next(w http.ResponseWriter, r *http.Request) {
	select {
	case e := <-a.events:
		w.Header().Set("Lambda-Runtime-Aws-Request-Id", e.requestID)
		w.Header().Set("Lambda-Runtime-Deadline-Ms", strconv.FormatInt(e.deadline.UnixMilli(), 10))
		w.Header().Set("Lambda-Runtime-Invoked-Function-Arn", e.arn)
		w.Header().Set("Lambda-Runtime-Trace-Id", "Root=1-00000000-000000000000000000000000;Sampled=0")
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(e.payload)
	case <-r.Context().Done():
	case <-a.closed:
	}
}

func (a *runtimeAPI) answer(w http.ResponseWriter, r *http.Request, failed bool) {
	output, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxResponse))
	if err != nil {
		output, failed = errorOutput("Function.ResponseSizeTooLarge", "Response payload size exceeded maximum allowed payload size (6291556 bytes)."), true
	}
	select {
	case a.results <- result{requestID: r.PathValue("id"), output: output, failed: failed}:
		accept(w)
	case <-r.Context().Done():
	case <-a.closed:
	}
}

func (a *runtimeAPI) initError(w http.ResponseWriter, r *http.Request) {
	output, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxResponse))
	if err != nil {
		output = errorOutput("Runtime.InitError", err.Error())
	}
	select {
	case a.initFail <- output:
	default: // the first one counts
	}
	accept(w)
}

func accept(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusAccepted)
	_, _ = io.WriteString(w, `{"status":"OK"}`)
}

// errorOutput is an error as Lambda reports it to the caller.
func errorOutput(kind, message string) []byte {
	data, _ := json.Marshal(map[string]string{"errorType": kind, "errorMessage": message}) // strings always marshal
	return data
}
