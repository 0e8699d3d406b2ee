package endpoint

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// Target names what a request asks for. Service is the signing name ("sqs", "ecs", "dynamodb", "monitoring", …).
// Operation is the API's name for the call; for REST services other than Lambda's functions it is method and path.
type Target struct {
	Service   string
	Operation string

	cbor bool
}

const (
	cborPrefix  = "/service/GraniteServiceVersion20100801/operation/"
	codePrefix  = "/_localcloud/lambda/"
	codeService = "localcloud"
	maxForm     = 1 << 20
)

// targetServices maps the first half of X-Amz-Target to the signing name.
var targetServices = map[string]string{
	"AmazonSQS":                          "sqs",
	"AmazonEC2ContainerServiceV20141113": "ecs",
	"DynamoDB_20120810":                  "dynamodb",
	"GraniteServiceVersion20100801":      "monitoring",
	"Logs_20140328":                      "logs",
}

// identify reads service and operation off a request, looking into the body of form requests only.
func identify(r *http.Request) Target {
	if name, ok := strings.CutPrefix(r.URL.Path, cborPrefix); ok {
		return Target{Service: "monitoring", Operation: name, cbor: true}
	}
	if strings.HasPrefix(r.URL.Path, codePrefix) {
		return Target{Service: codeService, Operation: "GetCode"}
	}
	if prefix, operation, ok := strings.Cut(r.Header.Get("X-Amz-Target"), "."); ok {
		if service, known := targetServices[prefix]; known {
			return Target{Service: service, Operation: operation}
		}
		return Target{Service: signingName(r), Operation: operation}
	}
	if strings.HasPrefix(r.Header.Get("Content-Type"), "application/x-www-form-urlencoded") {
		return Target{Service: signingName(r), Operation: formAction(r)}
	}
	return restTarget(r)
}

func restTarget(r *http.Request) Target {
	service := signingName(r)
	if service == "lambda" {
		if operation, ok := lambdaOperation(r.Method, r.URL.Path); ok {
			return Target{Service: service, Operation: operation}
		}
	}
	return Target{Service: service, Operation: r.Method + " " + r.URL.Path}
}

// signingName is the service in the credential scope of a signed request: KEY/DATE/REGION/SERVICE/aws4_request.
func signingName(r *http.Request) string {
	_, scope, ok := strings.Cut(r.Header.Get("Authorization"), "Credential=")
	if !ok {
		return ""
	}
	parts := strings.SplitN(scope, "/", 5)
	if len(parts) < 5 {
		return ""
	}
	return parts[3]
}

// formAction reads Action out of a form body and puts the body back.
func formAction(r *http.Request) string {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxForm))
	if err != nil {
		return ""
	}
	r.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(body), r.Body), r.Body}
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return ""
	}
	return form.Get("Action")
}
