package memsqs

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"syscall"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
)

// Client returns the real SDK client, speaking to the server without a network. It can be used inside a testing/synctest
// bubble, if it was made there; its queue URLs name the host "memsqs".
func (s *Server) Client(options ...func(*sqs.Options)) *sqs.Client {
	return sqs.New(sqs.Options{
		Region:       s.region,
		BaseEndpoint: aws.String("http://memsqs"),
		Credentials:  credentials.NewStaticCredentialsProvider("local", "local", ""),
		HTTPClient:   &http.Client{Transport: s.Transport()},
	}, options...)
}

// Transport returns a transport that takes every request to the server's handler, on the caller's goroutine. A fault
// that resets the connection is an error that wraps syscall.ECONNRESET.
func (s *Server) Transport() http.RoundTripper { return transport{s} }

type transport struct{ server *Server }

// RoundTrip implements http.RoundTripper.
func (t transport) RoundTrip(r *http.Request) (_ *http.Response, err error) {
	defer func() {
		switch p := recover(); p {
		case nil:
		case http.ErrAbortHandler:
			err = fmt.Errorf("read from %s: %w", r.URL.Host, syscall.ECONNRESET)
		default:
			panic(p)
		}
	}()
	if r.Body != nil {
		defer func() { _ = r.Body.Close() }()
	}
	w := &recorder{header: http.Header{}}
	t.server.ServeHTTP(w, asServed(r))
	if w.status == 0 { // nobody is left to answer
		return nil, r.Context().Err()
	}
	return w.response(r), nil
}

// asServed is the request as a server would have read it.
func asServed(r *http.Request) *http.Request {
	served := r.Clone(r.Context())
	if served.Host == "" {
		served.Host = r.URL.Host
	}
	if served.Body == nil {
		served.Body = http.NoBody
	}
	return served
}

// recorder is a response that stays in memory.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (w *recorder) Header() http.Header         { return w.header }
func (w *recorder) WriteHeader(status int)      { w.status = status }
func (w *recorder) Write(b []byte) (int, error) { return w.body.Write(b) }
func (w *recorder) response(r *http.Request) *http.Response {
	return &http.Response{
		Status: http.StatusText(w.status), StatusCode: w.status, Header: w.header,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Body: io.NopCloser(&w.body), ContentLength: int64(w.body.Len()), Request: r,
	}
}
