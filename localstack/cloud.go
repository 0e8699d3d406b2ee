package localstack

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/rousehq/rouse/localstack/endpoint"
	"github.com/rousehq/rouse/localstack/lambdart"
	"github.com/rousehq/rouse/localstack/memsqs"
	"github.com/rousehq/rouse/localstack/moto"
	"github.com/rousehq/rouse/localstack/schedule"
	"github.com/rousehq/rouse/localstack/taskrunner"
)

// Account is the id of the account in which everything of an own endpoint lives. It is moto_server's.
const Account = "123456789012"

// Cloud is a running local cloud. Its methods may be called concurrently; Close must be called.
type Cloud struct {
	options Options
	address string // what clients use
	inner   string // what the cloud's own parts use

	// API is the endpoint that clients speak to, with its Recorder and Refuse; nil if AWS_ENDPOINT_URL was set.
	API *endpoint.Endpoint
	// Queues is the in-memory SQS; nil if AWS_ENDPOINT_URL was set.
	Queues *memsqs.Server
	// Fleet runs the tasks.
	Fleet *taskrunner.Runner
	// Lambda runs the functions.
	Lambda *lambdart.Runner
	// Scheduler fires the schedules.
	Scheduler *schedule.Runner

	dir     string
	stop    context.CancelFunc
	loops   sync.WaitGroup
	closers []func() // run last to first
	once    sync.Once
}

// Start starts a cloud, or returns one error that names everything that is missing. ctx bounds the start only.
func Start(ctx context.Context, options Options) (*Cloud, error) {
	if err := options.check(); err != nil {
		return nil, err
	}
	c := &Cloud{options: options.withDefaults()}
	if err := c.start(ctx); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

func (c *Cloud) start(ctx context.Context) error {
	if err := c.makeDir(); err != nil {
		return err
	}
	loops, stop := context.WithCancel(context.WithoutCancel(ctx))
	c.stop = stop
	agent, err := c.listen(0)
	if err != nil {
		return err
	}
	plain, front, err := c.choose(ctx)
	if err != nil {
		return err
	}
	c.build(ctx, agent.url())
	agent.serve(c.Fleet.Agent())
	if plain != nil {
		c.API = plain.Overlay(c.Fleet, c.invokeForClient)
		front.serve(c.API)
		c.loops.Go(func() { plain.PublishAges(loops, c.Queues, c.options.AgePeriod) })
	}
	c.loops.Go(func() { c.Fleet.Run(loops) })
	c.loops.Go(func() { c.Scheduler.Run(loops) })
	return nil
}

// choose settles which endpoint is used: the one that AWS_ENDPOINT_URL names, or an own one, whose plain view serves
// the cloud's own parts; the server returned is for clients.
func (c *Cloud) choose(ctx context.Context) (*endpoint.Endpoint, *server, error) {
	if given := os.Getenv(EndpointVariable); given != "" {
		if _, err := url.ParseRequestURI(given); err != nil {
			return nil, nil, fmt.Errorf("%s=%s: want a URL such as http://127.0.0.1:4566", EndpointVariable, given)
		}
		c.address, c.inner = given, given
		return nil, nil, nil
	}
	upstream, err := c.startMoto(ctx)
	if err != nil {
		return nil, nil, err
	}
	c.Queues = memsqs.New(memsqs.Options{Region: c.options.Region, Account: Account})
	plain := endpoint.New(endpoint.Options{Upstream: upstream, SQS: c.Queues, Region: c.options.Region, Logger: c.options.Logger})
	inner, err := c.listen(0)
	if err != nil {
		return nil, nil, err
	}
	inner.serve(plain)
	front, err := c.listen(c.options.Port)
	if err != nil {
		return nil, nil, err
	}
	c.address, c.inner = front.url(), inner.url()
	return plain, front, nil
}

func (c *Cloud) startMoto(ctx context.Context) (*url.URL, error) {
	log, err := os.Create(filepath.Join(c.dir, "moto.log"))
	if err != nil {
		return nil, fmt.Errorf("open moto_server's log: %w", err)
	}
	c.closers = append(c.closers, func() { _ = log.Close() })
	double, err := moto.Start(ctx, log)
	if err != nil {
		return nil, err
	}
	c.closers = append(c.closers, double.Close)
	return double.URL(), nil
}

func (c *Cloud) listen(port int) (*server, error) {
	s, err := listen(port, c.options.Logger)
	if err != nil {
		return nil, err
	}
	c.closers = append(c.closers, s.close)
	return s, nil
}

func (c *Cloud) makeDir() error {
	c.dir = c.options.Dir
	if c.dir == "" {
		dir, err := os.MkdirTemp("", "rouse-cloud-")
		if err != nil {
			return fmt.Errorf("make a folder for logs: %w", err)
		}
		c.dir = dir
		c.closers = append(c.closers, func() { _ = os.RemoveAll(dir) })
	}
	if err := os.MkdirAll(c.functionsDir(), 0o755); err != nil {
		return fmt.Errorf("make a folder for logs: %w", err)
	}
	return nil
}

// functionsDir holds the functions' logs and unpacked code.
func (c *Cloud) functionsDir() string { return filepath.Join(c.dir, "functions") }

// Close stops everything the cloud has started, and returns when nothing is left of it, within about ten seconds.
// Closing twice is no error.
func (c *Cloud) Close() {
	c.once.Do(func() {
		if c.stop != nil {
			c.stop()
		}
		if c.Lambda != nil {
			c.Lambda.Close()
		}
		c.loops.Wait()
		for i := range c.closers {
			c.closers[len(c.closers)-1-i]()
		}
	})
}

// Endpoint is the address of the AWS endpoint.
func (c *Cloud) Endpoint() string { return c.address }

// Dir holds the logs: tasks/SERVICE/TASK.log, functions/NAME.log, moto.log.
func (c *Cloud) Dir() string { return c.dir }

// Env is what a program needs in its environment to use the cloud.
func (c *Cloud) Env() map[string]string {
	return map[string]string{
		EndpointVariable:            c.address,
		"AWS_REGION":                c.options.Region,
		"AWS_DEFAULT_REGION":        c.options.Region,
		"AWS_ACCESS_KEY_ID":         orDefault(os.Getenv("AWS_ACCESS_KEY_ID"), "test"),
		"AWS_SECRET_ACCESS_KEY":     orDefault(os.Getenv("AWS_SECRET_ACCESS_KEY"), "test"),
		"AWS_EC2_METADATA_DISABLED": "true",
	}
}

func orDefault(value, fallback string) string {
	if value == "" {
		return fallback
	}
	return value
}

// AWSConfig is for clients of the cloud.
func (c *Cloud) AWSConfig() aws.Config { return c.config(c.address) }

// Tasks are the tasks of the named services, or of all, in the order of their creation, stopped ones included.
func (c *Cloud) Tasks(services ...string) []taskrunner.Task {
	var tasks []taskrunner.Task
	for _, task := range c.Fleet.Tasks() {
		if matches(task.Service, services) {
			tasks = append(tasks, task)
		}
	}
	return tasks
}

// Invocations are those of the named functions, or of all, in the order of their end.
func (c *Cloud) Invocations(functions ...string) []lambdart.Invocation {
	var invocations []lambdart.Invocation
	for _, invocation := range c.Lambda.Invocations() {
		if matches(invocation.Function, functions) {
			invocations = append(invocations, invocation)
		}
	}
	return invocations
}

// openFunctionLog appends to a function's log.
func (c *Cloud) openFunctionLog(function string) (io.WriteCloser, error) {
	return os.OpenFile(filepath.Join(c.functionsDir(), filepath.Base(function)+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
}
