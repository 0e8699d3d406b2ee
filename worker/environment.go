package worker

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strconv"
	"strings"
)

// number is one whole-number setting. The table below is its only description:
// defaults, parsing and validation all read it. With orZero, 0 is allowed beside
// the range and means "none".
type number struct {
	name               string
	fallback, min, max int
	field              func(*Config) *int
	orZero             bool
}

var numbers = []number{
	{"WORKER_POOL_SIZE", 1, 1, 1000, func(c *Config) *int { return &c.PoolSize }, false},
	{"WORKER_BUFFER_SIZE", 100, 1, 10000, func(c *Config) *int { return &c.BufferSize }, false},
	{"WORKER_WAIT_SECONDS", 20, 0, 20, func(c *Config) *int { return &c.WaitSeconds }, false},
	{"WORKER_VISIBILITY_SECONDS", 60, 5, 43200, func(c *Config) *int { return &c.VisibilitySeconds }, false},
	{"WORKER_JOB_TIMEOUT_SECONDS", 3600, 1, 43200, func(c *Config) *int { return &c.JobTimeoutSeconds }, false},
	{"WORKER_RETRY_BASE_SECONDS", 10, 0, 43200, func(c *Config) *int { return &c.RetryBaseSeconds }, false},
	{"WORKER_RETRY_MAX_SECONDS", 900, 0, 43200, func(c *Config) *int { return &c.RetryMaxSeconds }, false},
	{"WORKER_DRAIN_SECONDS", 90, 1, 110, func(c *Config) *int { return &c.DrainSeconds }, false},
	{"WORKER_READY_TIMEOUT_SECONDS", 300, 1, 3600, func(c *Config) *int { return &c.ReadyTimeoutSeconds }, false},
	{"WORKER_READY_INTERVAL_SECONDS", 5, 1, 300, func(c *Config) *int { return &c.ReadyIntervalSeconds }, false},
	{"WORKER_HEARTBEAT_SECONDS", 10, 1, 60, func(c *Config) *int { return &c.HeartbeatSeconds }, false},
	{"WORKER_STALL_SECONDS", 120, 30, 3600, func(c *Config) *int { return &c.StallSeconds }, false},
	{"WORKER_RESULT_TTL_SECONDS", 0, 60, 31536000, func(c *Config) *int { return &c.ResultTTLSeconds }, true},
}

func (s number) allowed() string {
	text := fmt.Sprintf("a whole number from %d to %d", s.min, s.max)
	if s.orZero {
		return "0 or " + text
	}
	return text
}

func (s number) validate(value int) error {
	if value >= s.min && value <= s.max || s.orZero && value == 0 {
		return nil
	}
	return wrong(s.name, value, s.allowed())
}

// Parse reads the settings from the environment; lookup is os.LookupEnv, as a
// rule. An empty variable means the default, except that an empty
// WORKER_HTTP_ADDRESS serves nothing. All problems are reported at once. The
// result has no clients yet.
func Parse(lookup func(string) (string, bool)) (Config, error) {
	getenv := func(name string) string {
		value, _ := lookup(name)
		return value
	}
	c := Default()
	var problems []error
	for _, s := range numbers {
		problems = append(problems, s.parse(&c, getenv(s.name)))
	}
	problems = append(problems, c.parseLevel(getenv("WORKER_LOG_LEVEL")))
	c.Workload = getenv("ROUSE_WORKLOAD")
	c.QueueURL = getenv("ROUSE_QUEUE_URL")
	c.DLQURL = getenv("ROUSE_DLQ_URL")
	c.Table = getenv("ROUSE_TABLE")
	c.ReadyTCP = list(getenv("WORKER_READY_TCP"))
	c.ReadyHTTP = list(getenv("WORKER_READY_HTTP"))
	c.AgentURI = getenv("ECS_AGENT_URI")
	c.MetadataURI = getenv("ECS_CONTAINER_METADATA_URI_V4")
	if address, set := lookup("WORKER_HTTP_ADDRESS"); set {
		c.HTTPAddress = address
	}
	return c, errors.Join(append(problems, c.Validate())...)
}

// parse sets the field from text. Text that is no number leaves the default,
// which is valid, so that a setting is complained of once.
func (s number) parse(c *Config, text string) error {
	if text == "" {
		return nil
	}
	value, err := strconv.Atoi(text)
	if err != nil {
		return wrong(s.name, text, s.allowed())
	}
	*s.field(c) = value
	return nil
}

func (c *Config) parseLevel(text string) error {
	levels := map[string]slog.Level{"": slog.LevelInfo, "debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError}
	level, known := levels[text]
	if !known {
		return wrong("WORKER_LOG_LEVEL", text, "debug, info, warn or error")
	}
	c.LogLevel = level
	return nil
}

// list splits comma-separated text, leaving out empty parts.
func list(text string) []string {
	var parts []string
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

func isHostPort(s string) bool {
	host, _, err := net.SplitHostPort(s)
	return err == nil && host != "" && isListenAddress(s)
}

func isListenAddress(s string) bool {
	_, port, err := net.SplitHostPort(s)
	if err != nil {
		return false
	}
	n, err := strconv.Atoi(port)
	return err == nil && n >= 0 && n <= 65535
}
