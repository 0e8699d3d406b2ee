package endpoint

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
)

const (
	jsonType = "application/x-amz-json-1.1"
	maxBody  = 64 << 20 // a Lambda zip in base64 fits
)

// upstream asks the AWS double questions whose answers the endpoint has to see.
type upstream struct {
	url    *url.URL
	region string
	client *http.Client
}

// reply is an answer read to its end.
type reply struct {
	status int
	header http.Header
	body   []byte
}

// forward sends a client's request on with body in place of the one that was read.
func (u upstream) forward(r *http.Request, body []byte) (reply, error) {
	address := *u.url
	address.Path, address.RawPath, address.RawQuery = r.URL.Path, r.URL.RawPath, r.URL.RawQuery
	req, err := http.NewRequestWithContext(r.Context(), r.Method, address.String(), bytes.NewReader(body))
	if err != nil {
		return reply{}, fmt.Errorf("build upstream request: %w", err)
	}
	req.Header = r.Header.Clone()
	req.Header.Del("Content-Length")
	return u.do(req)
}

// call makes a request of the endpoint's own in the JSON 1.1 protocol.
func (u upstream) call(ctx context.Context, service, target string, input any) (reply, error) {
	body, err := json.Marshal(input)
	if err != nil {
		return reply{}, fmt.Errorf("encode %s: %w", target, err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, u.url.String()+"/", bytes.NewReader(body))
	if err != nil {
		return reply{}, fmt.Errorf("build %s request: %w", target, err)
	}
	req.Header = jsonHeader(target, fmt.Sprintf("AWS4-HMAC-SHA256 Credential=test/20260101/%s/%s/aws4_request, SignedHeaders=host, Signature=none", u.region, service))
	return u.do(req)
}

func jsonHeader(target, authorization string) http.Header {
	return http.Header{
		"Content-Type":  {jsonType},
		"X-Amz-Target":  {target},
		"Authorization": {authorization},
	}
}

func (u upstream) do(req *http.Request) (reply, error) {
	resp, err := u.client.Do(req)
	if err != nil {
		return reply{}, fmt.Errorf("ask upstream: %w", err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return reply{}, fmt.Errorf("read upstream reply: %w", err)
	}
	return reply{status: resp.StatusCode, header: resp.Header, body: body}, nil
}

// send passes an answer on to the client.
func (a reply) send(w http.ResponseWriter) {
	for name, values := range a.header {
		if name != "Content-Length" && name != "Connection" && name != "Transfer-Encoding" {
			w.Header()[name] = values
		}
	}
	w.WriteHeader(a.status)
	_, _ = w.Write(a.body)
}

func (a reply) ok() bool { return a.status >= 200 && a.status < 300 }

// readBody reads a request's body, bounded.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		return nil, fmt.Errorf("read request: %w", err)
	}
	return body, nil
}

func writeJSON(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", jsonType)
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

// fail answers a fault of the endpoint itself.
func (e *Endpoint) fail(w http.ResponseWriter, r *http.Request, err error) {
	e.options.Logger.Warn("request", "path", r.URL.Path, "error", err.Error())
	Refusal{Status: http.StatusBadGateway, Code: "InternalFailure", Message: err.Error()}.write(w, r)
}
