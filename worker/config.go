package worker

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"github.com/rousehq/rouse/internal/workload"
)

// Config holds the settings of a worker. Default returns the defaults and Parse
// reads the environment; Run refuses a Config that Validate finds wrong. All
// durations are whole seconds.
type Config struct {
	// Workload is the workload's name, as in its document (ROUSE_WORKLOAD).
	Workload string
	// QueueURL is the queue to work on, DLQURL its dead-letter queue. Without
	// DLQURL a permanent failure is retried like any other.
	QueueURL string
	DLQURL   string
	// Table is the DynamoDB table for heartbeats and results; empty writes neither.
	Table string

	// PoolSize is how many messages are worked on at once: the slots.
	PoolSize int
	// BufferSize bounds the messages that are received and not yet started. No
	// message is ever received without a slot, so it matters only when it is less than PoolSize.
	BufferSize int
	// WaitSeconds is how long one receive waits for a message (long poll).
	WaitSeconds int
	// VisibilitySeconds is the length of the lease on a message. It is renewed
	// every third of it for as long as the worker holds the message, up to SQS's 12 hours.
	VisibilitySeconds int
	// JobTimeoutSeconds is the hard limit on one call of the handler.
	JobTimeoutSeconds int
	// RetryBaseSeconds is the delay before the first retry of a failed message;
	// each further receive doubles it up to RetryMaxSeconds.
	RetryBaseSeconds int
	RetryMaxSeconds  int
	// DrainSeconds is how long running jobs may go on after the signal to stop.
	// ECS's stopTimeout must be at least ten seconds longer.
	DrainSeconds int

	// ReadyTCP lists host:port addresses that must accept a connection, and
	// ReadyHTTP URLs that must answer 2xx, before anything is claimed.
	ReadyTCP  []string
	ReadyHTTP []string
	// ReadyTimeoutSeconds is how long the first readiness may take before Run
	// fails; ReadyIntervalSeconds is how often it is checked again afterwards.
	ReadyTimeoutSeconds  int
	ReadyIntervalSeconds int

	// HeartbeatSeconds is how often the worker's record in the table is written.
	HeartbeatSeconds int
	// StallSeconds is how long the claim loop may be stuck before /healthz fails.
	StallSeconds int
	// ResultTTLSeconds is how long a job's result is kept; 0 keeps none.
	ResultTTLSeconds int
	// HTTPAddress serves /healthz, /readyz and /metrics; empty serves nothing.
	HTTPAddress string
	// LogLevel is the least level that Main logs.
	LogLevel slog.Level

	// AgentURI is the ECS agent's endpoint (ECS_AGENT_URI). Empty means that
	// there is none and that no scale-in protection is needed.
	AgentURI string
	// MetadataURI is the task metadata endpoint (ECS_CONTAINER_METADATA_URI_V4),
	// asked once for the task's id. Without it the host's name stands in.
	MetadataURI string

	// Logger receives the worker's log; nil is slog.Default.
	Logger *slog.Logger
	// Clients are the services that the worker calls.
	Clients Clients
}

// Clients are the services that a worker calls. NewClients makes them; their
// types are interfaces so that a test can stand in for the services.
type Clients struct {
	// SQS is required; *sqs.Client fits.
	SQS queueAPI
	// DynamoDB is required if Config.Table is set; *dynamodb.Client fits.
	DynamoDB tableAPI
	// HTTP makes the readiness checks and the calls to the ECS agent; nil is http.DefaultClient.
	HTTP *http.Client
}

// queueAPI is all of SQS that the worker uses. Each part is declared beside its calls.
type queueAPI interface {
	receiver
	deleter
	visibilityChanger
	sender
}

// tableAPI is all of DynamoDB that the worker uses.
type tableAPI interface {
	heartbeatStore
	resultStore
}

var (
	_ queueAPI = (*sqs.Client)(nil)
	_ tableAPI = (*dynamodb.Client)(nil)
)

// NewClients returns the real clients, configured by c.
func NewClients(c aws.Config) Clients {
	return Clients{SQS: sqs.NewFromConfig(c), DynamoDB: dynamodb.NewFromConfig(c), HTTP: &http.Client{}}
}

// Default returns the default settings. Workload, QueueURL and Clients have
// none and must be set.
func Default() Config {
	var c Config
	for _, s := range numbers {
		*s.field(&c) = s.fallback
	}
	c.HTTPAddress = ":8080"
	return c
}

// Validate reports everything that is wrong with the settings at once. Each
// error names the setting as the environment spells it, its value and what is allowed.
func (c Config) Validate() error {
	var problems []error
	for _, s := range numbers {
		problems = append(problems, s.validate(*s.field(&c)))
	}
	problems = append(problems, c.validateNames()...)
	problems = append(problems, c.validateAddresses()...)
	return errors.Join(append(problems, c.contradictions()...)...)
}

// wrong is the one form of a complaint about a setting.
func wrong(name string, value any, allowed string) error {
	return fmt.Errorf("%s: is %q, must be %s", name, fmt.Sprint(value), allowed)
}

func (c Config) validateNames() []error {
	var problems []error
	if workload.CheckName(c.Workload) != nil {
		problems = append(problems, wrong("ROUSE_WORKLOAD", c.Workload,
			"2 to 40 characters of a-z, 0-9 and -, starting with a letter and not ending with -"))
	}
	if !isURL(c.QueueURL) {
		problems = append(problems, wrong("ROUSE_QUEUE_URL", c.QueueURL, "the http(s) URL of a queue"))
	}
	if c.DLQURL != "" && !isURL(c.DLQURL) {
		problems = append(problems, wrong("ROUSE_DLQ_URL", c.DLQURL, "the http(s) URL of a queue, or empty"))
	}
	return problems
}

func (c Config) validateAddresses() []error {
	var problems []error
	for _, address := range c.ReadyTCP {
		if !isHostPort(address) {
			problems = append(problems, wrong("WORKER_READY_TCP", address, "host:port, several separated by commas"))
		}
	}
	for _, address := range c.ReadyHTTP {
		if !isURL(address) {
			problems = append(problems, wrong("WORKER_READY_HTTP", address, "an http(s) URL, several separated by commas"))
		}
	}
	if c.HTTPAddress != "" && !isListenAddress(c.HTTPAddress) {
		problems = append(problems, wrong("WORKER_HTTP_ADDRESS", c.HTTPAddress, "[host]:port, or empty for none"))
	}
	for name, uri := range map[string]string{"ECS_AGENT_URI": c.AgentURI, "ECS_CONTAINER_METADATA_URI_V4": c.MetadataURI} {
		if uri != "" && !isURL(uri) {
			problems = append(problems, wrong(name, uri, "an http(s) URL, or empty"))
		}
	}
	return problems
}

func (c Config) contradictions() []error {
	var problems []error
	if c.QueueURL != "" && c.QueueURL == c.DLQURL {
		problems = append(problems, wrong("ROUSE_DLQ_URL", c.DLQURL, "another queue than ROUSE_QUEUE_URL"))
	}
	if c.RetryBaseSeconds > c.RetryMaxSeconds {
		problems = append(problems, wrong("WORKER_RETRY_BASE_SECONDS", c.RetryBaseSeconds,
			fmt.Sprintf("at most WORKER_RETRY_MAX_SECONDS, which is %d", c.RetryMaxSeconds)))
	}
	if c.ResultTTLSeconds > 0 && c.Table == "" {
		problems = append(problems, wrong("WORKER_RESULT_TTL_SECONDS", c.ResultTTLSeconds, "0 without a ROUSE_TABLE to keep results in"))
	}
	return problems
}

// validateClients reports the clients that the settings need and that are missing.
func (c Config) validateClients() error {
	var problems []error
	if c.Clients.SQS == nil {
		problems = append(problems, errors.New("Clients.SQS: is nil, must be a client (see NewClients)"))
	}
	if c.Table != "" && c.Clients.DynamoDB == nil {
		problems = append(problems, errors.New("Clients.DynamoDB: is nil, must be a client since ROUSE_TABLE is set"))
	}
	return errors.Join(problems...)
}

// fifo reports whether the queue is a FIFO queue.
func (c Config) fifo() bool { return strings.HasSuffix(c.QueueURL, ".fifo") }

func isURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Hostname() != ""
}
