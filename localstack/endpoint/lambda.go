package endpoint

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
)

// Invoke runs a deployed function, by name or ARN, with a JSON payload. functionError is empty when the function
// answered; otherwise it is "Unhandled" and output holds the error as Lambda would report it. err is for invocations
// that could not be made at all, for example of a function that does not exist.
type Invoke func(ctx context.Context, function string, payload []byte) (output []byte, functionError string, err error)

var lambdaFunctions = regexp.MustCompile(`^/\d{4}-\d{2}-\d{2}/functions(?:/([^/]+))?(?:/(code|invocations|configuration))?/?$`)

// lambdaOperation names the calls on functions that the endpoint or a test cares about.
func lambdaOperation(method, path string) (string, bool) {
	match := lambdaFunctions.FindStringSubmatch(path)
	if match == nil {
		return "", false
	}
	named := "collection"
	if match[1] != "" {
		named = match[2]
	}
	operation, ok := map[string]string{
		"POST collection":   "CreateFunction",
		"GET collection":    "ListFunctions",
		"GET ":              "GetFunction",
		"DELETE ":           "DeleteFunction",
		"PUT code":          "UpdateFunctionCode",
		"POST invocations":  "Invoke",
		"GET configuration": "GetFunctionConfiguration",
		"PUT configuration": "UpdateFunctionConfiguration",
	}[method+" "+named]
	return operation, ok
}

// functionName is the name in a request's path, which may hold a name or an ARN.
func functionName(r *http.Request) string {
	match := lambdaFunctions.FindStringSubmatch(r.URL.Path)
	if match == nil {
		return ""
	}
	name := match[1]
	if _, after, ok := strings.Cut(name, ":function:"); ok {
		name, _, _ = strings.Cut(after, ":")
	}
	return name
}

// codeStore keeps the zips that were deployed; the upstream keeps only their hashes.
type codeStore struct {
	mu   sync.Mutex
	zips map[string][]byte
}

func (c *codeStore) put(name string, zip []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.zips == nil {
		c.zips = make(map[string][]byte)
	}
	c.zips[name] = zip
}

func (c *codeStore) get(name string) ([]byte, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	zip, ok := c.zips[name]
	return zip, ok
}

func (e *Endpoint) routeLambda(operation string) http.HandlerFunc {
	switch {
	case operation == "CreateFunction", operation == "UpdateFunctionCode":
		return e.deploy
	case operation == "GetFunction":
		return e.getFunction
	case operation == "Invoke" && e.options.Invoke != nil:
		return e.invoke
	}
	return e.proxy.ServeHTTP
}

// deploy passes a function on to the upstream and keeps its code.
func (e *Endpoint) deploy(w http.ResponseWriter, r *http.Request) {
	body, err := readBody(w, r)
	if err != nil {
		e.fail(w, r, err)
		return
	}
	answer, err := e.upstream.forward(r, body)
	if err != nil {
		e.fail(w, r, err)
		return
	}
	if answer.ok() {
		if err := e.keepCode(r, body); err != nil {
			e.fail(w, r, err)
			return
		}
	}
	answer.send(w)
}

func (e *Endpoint) keepCode(r *http.Request, body []byte) error {
	var input struct {
		FunctionName string
		ZipFile      string
		Code         struct{ ZipFile string }
	}
	if err := json.Unmarshal(body, &input); err != nil {
		return fmt.Errorf("decode function: %w", err)
	}
	name := functionName(r)
	if name == "" {
		name = input.FunctionName
	}
	zip, err := base64.StdEncoding.DecodeString(input.Code.ZipFile + input.ZipFile) // one of the two is set
	if err != nil {
		return fmt.Errorf("decode code of function %s: %w", name, err)
	}
	if len(zip) > 0 {
		e.code.put(name, zip)
	}
	return nil
}

// getFunction answers as the upstream does, with a Code.Location that can be fetched.
func (e *Endpoint) getFunction(w http.ResponseWriter, r *http.Request) {
	answer, err := e.upstream.forward(r, nil)
	if err != nil {
		e.fail(w, r, err)
		return
	}
	name := functionName(r)
	if _, ok := e.code.get(name); ok && answer.ok() {
		answer.body, err = withLocation(answer.body, "http://"+r.Host+codePrefix+url.PathEscape(name))
	}
	if err != nil {
		e.fail(w, r, err)
		return
	}
	answer.send(w)
}

func withLocation(body []byte, location string) ([]byte, error) {
	var function map[string]any
	if err := json.Unmarshal(body, &function); err != nil {
		return nil, fmt.Errorf("decode function: %w", err)
	}
	function["Code"] = map[string]string{"Location": location, "RepositoryType": "S3"}
	return json.Marshal(function)
}

// serveCode answers the address that getFunction gives.
func (e *Endpoint) serveCode(w http.ResponseWriter, r *http.Request) {
	zip, ok := e.code.get(strings.TrimPrefix(r.URL.Path, codePrefix))
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/zip")
	_, _ = w.Write(zip)
}

// invoke runs the function and answers as Lambda does: a function's own error is HTTP 200 with a header. An Event
// invocation is answered at once and outlives the request.
func (e *Endpoint) invoke(w http.ResponseWriter, r *http.Request) {
	payload, err := readBody(w, r)
	if err != nil {
		e.fail(w, r, err)
		return
	}
	if r.Header.Get("X-Amz-Invocation-Type") == "Event" {
		go func() { _, _, _ = e.options.Invoke(context.WithoutCancel(r.Context()), functionName(r), payload) }()
		w.WriteHeader(http.StatusAccepted)
		return
	}
	output, functionError, err := e.options.Invoke(r.Context(), functionName(r), payload)
	if err != nil {
		e.fail(w, r, err)
		return
	}
	if functionError != "" {
		w.Header().Set("X-Amz-Function-Error", functionError)
	}
	w.Header().Set("X-Amz-Executed-Version", "$LATEST")
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(output)
}
