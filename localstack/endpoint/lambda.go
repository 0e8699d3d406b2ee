package endpoint

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
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
	switch operation {
	case "CreateFunction", "UpdateFunctionCode", "UpdateFunctionConfiguration", "GetFunction", "GetFunctionConfiguration":
		return func(w http.ResponseWriter, r *http.Request) { e.serveFunction(w, r, operation) }
	case "Invoke":
		if e.run != nil {
			return e.invoke
		}
	}
	return e.proxy.ServeHTTP
}

// serveFunction passes a request on, keeps what the upstream forgets and adds it to the answer.
func (e *Endpoint) serveFunction(w http.ResponseWriter, r *http.Request, operation string) {
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
		answer.body, err = e.adoptFunction(r, operation, body, answer.body)
	}
	if err != nil {
		e.fail(w, r, err)
		return
	}
	answer.send(w)
}

func (e *Endpoint) adoptFunction(r *http.Request, operation string, body, answer []byte) ([]byte, error) {
	name := functionName(r)
	if r.Method != http.MethodGet {
		var err error
		if name, err = e.keepFunction(name, operation, body); err != nil {
			return nil, err
		}
	}
	var output object
	if err := json.Unmarshal(answer, &output); err != nil {
		return nil, fmt.Errorf("decode answer about function %s: %w", name, err)
	}
	configuration := output
	if nested, ok := output["Configuration"].(object); ok { // GetFunction
		configuration = nested
		if _, ok := e.code.get(name); ok {
			location := "http://" + r.Host + codePrefix + url.PathEscape(name)
			output["Code"] = object{"Location": location, "RepositoryType": "S3"}
		}
	}
	e.functions.complete(name, configuration)
	return json.Marshal(output)
}

// keepFunction keeps code and configuration from a request's body, and returns the function's name.
func (e *Endpoint) keepFunction(name, operation string, body []byte) (string, error) {
	var input object
	if err := json.Unmarshal(body, &input); err != nil {
		return "", fmt.Errorf("decode function: %w", err)
	}
	if name == "" {
		name, _ = input["FunctionName"].(string)
	}
	if operation != "UpdateFunctionCode" {
		created := operation == "CreateFunction"
		e.functions.remember(name, writtenFunction(name, input, created), created)
	}
	return name, e.keepCode(name, input)
}

func (e *Endpoint) keepCode(name string, input object) error {
	if code, ok := input["Code"].(object); ok { // CreateFunction
		input = code
	}
	text, _ := input["ZipFile"].(string)
	zip, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return fmt.Errorf("decode code of function %s: %w", name, err)
	}
	if len(zip) > 0 {
		e.code.put(name, zip)
	}
	return nil
}

// writtenFunction are the parts of a function's configuration that a request sets and that read back as written.
func writtenFunction(name string, input object, created bool) object {
	written := object{}
	for _, field := range []string{"DeadLetterConfig", "KMSKeyArn", "SnapStart", "TracingConfig"} {
		if value, ok := input[field]; ok {
			written[field] = value
		}
	}
	given, ok := input["LoggingConfig"].(object)
	if ok || created {
		logging := object{"LogFormat": "Text", "LogGroup": "/aws/lambda/" + name}
		maps.Copy(logging, given)
		written["LoggingConfig"] = logging
	}
	return written
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
		go func() { _, _, _ = e.run(context.WithoutCancel(r.Context()), functionName(r), payload) }()
		w.WriteHeader(http.StatusAccepted)
		return
	}
	output, functionError, err := e.run(r.Context(), functionName(r), payload)
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
