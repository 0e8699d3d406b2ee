package lambdart

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/aws/aws-sdk-go-v2/service/lambda/types"
)

const (
	maxCode        = 250 << 20 // Lambda's limit, unzipped
	defaultTimeout = 3 * time.Second
	fetchTimeout   = 30 * time.Second
)

// functionReader reads deployed functions.
type functionReader interface {
	GetFunction(context.Context, *lambda.GetFunctionInput, ...func(*lambda.Options)) (*lambda.GetFunctionOutput, error)
}

var _ functionReader = (*lambda.Client)(nil)

// deployment is one state of a function's code and configuration.
type deployment struct {
	name      string
	arn       string
	version   string // changes with code and configuration
	timeout   time.Duration
	memory    int32
	handler   string
	logGroup  string
	variables map[string]string
	reserved  int // instances at most; 0 for no bound
	location  string
	dir       string // where the code is unpacked
}

// errNoCode says that the endpoint cannot hand out the function's code.
var errNoCode = errors.New("the endpoint gives no address of its code")

// describe reads a function, without its code.
func describe(ctx context.Context, functions functionReader, name string) (*deployment, error) {
	output, err := functions.GetFunction(ctx, &lambda.GetFunctionInput{FunctionName: &name})
	if err != nil {
		return nil, fmt.Errorf("get function %s: %w", name, err)
	}
	if output.Configuration == nil || output.Code == nil || aws.ToString(output.Code.Location) == "" {
		return nil, fmt.Errorf("get function %s: %w", name, errNoCode)
	}
	c := output.Configuration
	if err := checkArchitecture(aws.ToString(c.FunctionName), c.Architectures); err != nil {
		return nil, err
	}
	d := configured(c)
	d.location = aws.ToString(output.Code.Location)
	if output.Concurrency != nil {
		d.reserved = int(aws.ToInt32(output.Concurrency.ReservedConcurrentExecutions))
	}
	return d, nil
}

// configured reads a function's configuration, with Lambda's defaults.
func configured(c *types.FunctionConfiguration) *deployment {
	d := &deployment{
		name:    aws.ToString(c.FunctionName),
		arn:     aws.ToString(c.FunctionArn),
		version: aws.ToString(c.CodeSha256) + aws.ToString(c.LastModified) + aws.ToString(c.RevisionId),
		timeout: defaultTimeout,
		memory:  aws.ToInt32(c.MemorySize),
		handler: aws.ToString(c.Handler),
	}
	if c.Timeout != nil {
		d.timeout = time.Duration(*c.Timeout) * time.Second
	}
	if c.Environment != nil {
		d.variables = c.Environment.Variables
	}
	d.logGroup = "/aws/lambda/" + d.name
	if c.LoggingConfig != nil && c.LoggingConfig.LogGroup != nil {
		d.logGroup = *c.LoggingConfig.LogGroup
	}
	return d
}

// checkArchitecture refuses code that this machine cannot run.
func checkArchitecture(name string, built []types.Architecture) error {
	native := map[string]types.Architecture{"amd64": types.ArchitectureX8664, "arm64": types.ArchitectureArm64}[runtime.GOARCH]
	if len(built) == 0 || slices.Contains(built, native) {
		return nil
	}
	return fmt.Errorf("function %s is built for %s, this machine is %s: deploy it with the architecture %s", name, built[0], native, native)
}

// fetch downloads the code and unpacks it below parent.
func (d *deployment) fetch(ctx context.Context, parent string) error {
	code, err := download(ctx, d.location)
	if err != nil {
		return fmt.Errorf("fetch code of function %s: %w", d.name, err)
	}
	d.dir, err = os.MkdirTemp(parent, filepath.Base(d.name)+"-")
	if err != nil {
		return fmt.Errorf("make a folder for function %s: %w", d.name, err)
	}
	if err := unpack(code, d.dir); err != nil {
		return fmt.Errorf("unpack code of function %s: %w", d.name, err)
	}
	return nil
}

// remove deletes the unpacked code. A process that still runs from it keeps its open files.
func (d *deployment) remove() {
	if d != nil {
		_ = os.RemoveAll(d.dir)
	}
}

func download(ctx context.Context, location string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, location, nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", location, resp.Status)
	}
	return io.ReadAll(io.LimitReader(resp.Body, maxCode))
}

// unpack writes a zip's files, executable as Lambda has them, and none outside dir.
func unpack(code []byte, dir string) error {
	archive, err := zip.NewReader(bytes.NewReader(code), int64(len(code)))
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	left := int64(maxCode)
	for _, file := range archive.File {
		if file.FileInfo().IsDir() {
			continue
		}
		n, err := unpackFile(root, file, left)
		if err != nil {
			return fmt.Errorf("%s: %w", file.Name, err)
		}
		left -= n
	}
	return nil
}

var errTooLarge = errors.New("the unpacked code is larger than 250 MiB")

func unpackFile(root *os.Root, file *zip.File, left int64) (int64, error) {
	if err := root.MkdirAll(filepath.Dir(file.Name), 0o755); err != nil {
		return 0, err
	}
	source, err := file.Open()
	if err != nil {
		return 0, err
	}
	defer source.Close()
	target, err := root.OpenFile(file.Name, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o755)
	if err != nil {
		return 0, err
	}
	n, err := io.Copy(target, io.LimitReader(source, left+1))
	if err = errors.Join(err, target.Close()); err == nil && n > left {
		err = errTooLarge
	}
	return n, err
}
