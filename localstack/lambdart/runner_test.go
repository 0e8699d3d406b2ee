package lambdart_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	lambdago "github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-lambda-go/lambdacontext"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/lambda"

	"github.com/rousehq/rouse/localstack/lambdart"
)

// TestMain lets the test binary be a function's bootstrap, over the real Lambda library.
func TestMain(m *testing.M) {
	switch {
	case os.Getenv("AWS_LAMBDA_RUNTIME_API") == "":
		os.Exit(m.Run())
	case os.Getenv("PART") == "broken":
		fmt.Println("cannot begin")
		os.Exit(3)
	default:
		lambdago.Start(play)
	}
}

// play does what the payload says.
func play(ctx context.Context, order map[string]string) (map[string]string, error) {
	switch order["do"] {
	case "fail":
		return nil, errors.New("no table")
	case "panic":
		panic("boom")
	case "exit":
		os.Exit(9)
	case "hang":
		select {}
	case "meet":
		resp, err := http.Get(os.Getenv("GATE"))
		if err != nil {
			return nil, err
		}
		resp.Body.Close()
	}
	lc, _ := lambdacontext.FromContext(ctx)
	deadline, _ := ctx.Deadline()
	return map[string]string{
		"pid": fmt.Sprint(os.Getpid()), "greeting": os.Getenv("GREETING"), "arn": lc.InvokedFunctionArn,
		"left": time.Until(deadline).Round(time.Second).String(), "endpoint": os.Getenv("AWS_ENDPOINT_URL"),
	}, nil
}

// cloud answers GetFunction and the code's address.
type cloud struct {
	mu        sync.Mutex
	server    *httptest.Server
	code      []byte
	variables map[string]string
	timeout   int
	version   string
	arch      string
}

func newCloud(t *testing.T) *cloud {
	c := &cloud{code: testCode(t), variables: map[string]string{"GREETING": "hello"}, timeout: 30, version: "1"}
	c.arch = map[string]string{"amd64": "x86_64", "arm64": "arm64"}[runtime.GOARCH]
	c.server = httptest.NewServer(c)
	t.Cleanup(c.server.Close)
	return c
}

// testCode is a zip whose bootstrap becomes the test binary.
func testCode(t *testing.T) []byte {
	t.Helper()
	var code bytes.Buffer
	archive := zip.NewWriter(&code)
	file, err := archive.Create("bootstrap")
	if err == nil {
		_, err = fmt.Fprintf(file, "#!/bin/sh\nexec %q\n", os.Args[0])
	}
	if err = errors.Join(err, archive.Close()); err != nil {
		t.Fatal(err)
	}
	return code.Bytes()
}

func (c *cloud) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r.URL.Path == "/code" {
		_, _ = w.Write(c.code)
		return
	}
	if !strings.HasSuffix(r.URL.Path, "/functions/tick") {
		w.Header().Set("X-Amzn-ErrorType", "ResourceNotFoundException")
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, `{"Message":"Function not found"}`)
		return
	}
	_ = json.NewEncoder(w).Encode(map[string]any{
		"Configuration": map[string]any{
			"FunctionName": "tick", "FunctionArn": "arn:aws:lambda:us-east-1:1:function:tick", "Handler": "bootstrap",
			"Timeout": c.timeout, "MemorySize": 128, "CodeSha256": c.version, "Architectures": []string{c.arch},
			"Environment": map[string]any{"Variables": c.variables},
		},
		"Code": map[string]string{"Location": c.server.URL + "/code"},
	})
}

func (c *cloud) set(change func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change()
}

func newRunner(t *testing.T, c *cloud) *lambdart.Runner {
	t.Helper()
	client := lambda.New(lambda.Options{
		Region: "us-east-1", BaseEndpoint: aws.String(c.server.URL),
		Credentials: credentials.NewStaticCredentialsProvider("test", "test", ""),
	})
	r := lambdart.New(lambdart.Options{
		Functions: client, Dir: t.TempDir(), Region: "us-east-1",
		Environment: map[string]string{"AWS_ENDPOINT_URL": "http://cloud"},
	})
	t.Cleanup(r.Close)
	return r
}

func invoke(t *testing.T, r *lambdart.Runner, do string) (lambdart.Invocation, map[string]string) {
	t.Helper()
	invocation, err := r.Invoke(t.Context(), "arn:aws:lambda:us-east-1:1:function:tick", []byte(`{"do":"`+do+`"}`))
	if err != nil {
		t.Fatal(err)
	}
	output := make(map[string]string)
	if !invocation.Failed {
		if err := json.Unmarshal(invocation.Output, &output); err != nil {
			t.Fatalf("output %s: %v", invocation.Output, err)
		}
	}
	return invocation, output
}

func TestAFunctionRunsWithItsSettingsAndStaysWarm(t *testing.T) {
	r := newRunner(t, newCloud(t))
	_, first := invoke(t, r, "")
	_, second := invoke(t, r, "")
	if first["pid"] != second["pid"] {
		t.Errorf("pids %s and %s, want the same warm process", first["pid"], second["pid"])
	}
	for name, want := range map[string]string{
		"greeting": "hello", "arn": "arn:aws:lambda:us-east-1:1:function:tick", "left": "30s", "endpoint": "http://cloud",
	} {
		if first[name] != want {
			t.Errorf("%s = %q, want %q", name, first[name], want)
		}
	}
	if n := len(r.Invocations()); n != 2 {
		t.Errorf("%d invocations recorded, want 2", n)
	}
}

func TestNewCodeReplacesWarmProcesses(t *testing.T) {
	c := newCloud(t)
	r := newRunner(t, c)
	_, first := invoke(t, r, "")
	c.set(func() { c.version, c.variables["GREETING"] = "2", "goodbye" })
	_, second := invoke(t, r, "")
	if first["pid"] == second["pid"] || second["greeting"] != "goodbye" {
		t.Errorf("first %v, second %v; want another process with the new setting", first, second)
	}
}

func TestFailures(t *testing.T) {
	r := newRunner(t, newCloud(t))
	for _, test := range []struct{ name, do, want string }{
		{"an error the function returns", "fail", `"errorMessage":"no table"`},
		{"a panic", "panic", `boom`},
		{"an exit", "exit", `Runtime exited with error: exit status 9`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if invocation, _ := invoke(t, r, test.do); !invocation.Failed || !strings.Contains(string(invocation.Output), test.want) {
				t.Errorf("output = %s, want an error with %s", invocation.Output, test.want)
			}
			if invocation, _ := invoke(t, r, ""); invocation.Failed {
				t.Errorf("the next invocation failed too: %s", invocation.Output)
			}
		})
	}
}

func TestAHangIsKilledAtTheTimeout(t *testing.T) {
	c := newCloud(t)
	c.timeout = 1
	invocation, _ := invoke(t, newRunner(t, c), "hang")
	if !invocation.Failed || !strings.Contains(string(invocation.Output), "Task timed out after 1.00 seconds") {
		t.Errorf("output = %s, want a timeout", invocation.Output)
	}
	if invocation.Duration < time.Second {
		t.Errorf("it took %s, want 1 s at least", invocation.Duration)
	}
}

func TestABootstrapThatCannotBeginFailsTheInvocation(t *testing.T) {
	c := newCloud(t)
	c.variables["PART"] = "broken"
	invocation, _ := invoke(t, newRunner(t, c), "")
	if !invocation.Failed || !strings.Contains(string(invocation.Output), "exit status 3") {
		t.Errorf("output = %s, want exit status 3", invocation.Output)
	}
}

// gate is an address that answers when n requests have come.
func gate(t *testing.T, n int) string {
	var all sync.WaitGroup
	all.Add(n)
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		all.Done()
		all.Wait()
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestConcurrentInvocationsHaveProcessesOfTheirOwn(t *testing.T) {
	c := newCloud(t)
	c.variables["GATE"] = gate(t, 3)
	r := newRunner(t, c)
	pids := make(chan string, 3)
	for range 3 {
		go func() {
			_, output := invoke(t, r, "meet")
			pids <- output["pid"]
		}()
	}
	seen := make(map[string]bool)
	for range 3 {
		seen[<-pids] = true
	}
	if len(seen) != 3 {
		t.Errorf("processes = %v, want 3", seen)
	}
}

func TestCodeForAnotherArchitectureIsRefused(t *testing.T) {
	c := newCloud(t)
	c.arch = map[string]string{"amd64": "arm64", "arm64": "x86_64"}[runtime.GOARCH]
	_, err := newRunner(t, c).Invoke(t.Context(), "tick", nil)
	if err == nil || !strings.Contains(err.Error(), "is built for "+c.arch) {
		t.Errorf("err = %v, want one that names %s", err, c.arch)
	}
}

func TestAnUnknownFunctionIsAnError(t *testing.T) {
	if _, err := newRunner(t, newCloud(t)).Invoke(t.Context(), "nobody", nil); err == nil || !strings.Contains(err.Error(), "nobody") {
		t.Errorf("err = %v, want one that names the function", err)
	}
}

func TestCloseEndsABusyInvocation(t *testing.T) {
	c := newCloud(t)
	r := newRunner(t, c)
	invoke(t, r, "") // the process is warm now
	failed := make(chan bool)
	go func() {
		invocation, err := r.Invoke(context.Background(), "tick", []byte(`{"do":"hang"}`))
		failed <- invocation.Failed || err != nil
	}()
	r.Close()
	if !<-failed {
		t.Error("the invocation did not fail")
	}
	if _, err := r.Invoke(t.Context(), "tick", nil); !errors.Is(err, lambdart.ErrClosed) {
		t.Errorf("err = %v, want ErrClosed", err)
	}
}

// A zip must not write outside its folder.
func TestAZipThatClimbsOutIsRefused(t *testing.T) {
	c := newCloud(t)
	var code bytes.Buffer
	archive := zip.NewWriter(&code)
	if _, err := archive.Create("../bootstrap"); err != nil {
		t.Fatal(err)
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	c.code = code.Bytes()
	if _, err := newRunner(t, c).Invoke(t.Context(), "tick", nil); err == nil || !strings.Contains(err.Error(), "../bootstrap") {
		t.Errorf("err = %v, want one that names the file", err)
	}
}
