package scaler

import (
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Config holds the settings of a scaler. The zero value is not valid: start
// from Default or Parse.
type Config struct {
	// Table is the name or ARN of the DynamoDB table.
	Table string
	// TickSeconds is the time from one tick to the next.
	TickSeconds int
	// DeadlineMarginSeconds is how long before the invocation's deadline the
	// last tick must be over; the leases are given back in that time.
	DeadlineMarginSeconds int
	// Concurrency bounds the calls that are under way at the same time.
	Concurrency int
	// LeaseSeconds is how long a workload's lease lasts unless it is renewed,
	// and so how long a workload rests after the death of its scaler.
	LeaseSeconds int
	// MetricNamespace is the CloudWatch namespace of the scaler's metrics.
	MetricNamespace string
	// LogLevel is "debug", "info", "warn" or "error". Above "info" only failed
	// ticks are logged; metrics are written at any level.
	LogLevel string
}

// Default returns the default settings. Table has none.
func Default() Config {
	return Config{
		TickSeconds:           10,
		DeadlineMarginSeconds: 2,
		Concurrency:           16,
		LeaseSeconds:          30,
		MetricNamespace:       "Rouse",
		LogLevel:              "info",
	}
}

// Parse reads the settings from environment variables by getenv, usually
// os.Getenv; an empty variable leaves the default. The error lists every
// variable that is wrong.
func Parse(getenv func(string) string) (Config, error) {
	c := Default()
	var problems []error
	for _, s := range c.numbers() {
		problems = append(problems, s.parse(getenv(s.name)))
	}
	for _, s := range c.texts() {
		if value := getenv(s.name); value != "" {
			*s.field = value
		}
	}
	return c, errors.Join(append(problems, c.Validate())...)
}

// Validate reports everything that is wrong at once, each problem with the
// variable's name, its value and what is allowed.
func (c Config) Validate() error {
	var problems []error
	for _, s := range c.numbers() {
		if *s.field < s.low || *s.field > s.high {
			problems = append(problems, s.problem(strconv.Itoa(*s.field)))
		}
	}
	for _, s := range c.texts() {
		if !s.valid(*s.field) {
			problems = append(problems, fmt.Errorf("%s: is %q, must be %s", s.name, *s.field, s.allowed))
		}
	}
	return errors.Join(problems...)
}

// Level returns LogLevel for log/slog.
func (c Config) Level() slog.Level {
	return slog.Level(4*slices.Index(levels, c.LogLevel)) + slog.LevelDebug
}

func (c Config) tick() time.Duration   { return time.Duration(c.TickSeconds) * time.Second }
func (c Config) margin() time.Duration { return time.Duration(c.DeadlineMarginSeconds) * time.Second }
func (c Config) lease() time.Duration  { return time.Duration(c.LeaseSeconds) * time.Second }

// leastBudget is what a tick gets at least: calls take as long as they take,
// however short the tick. The ticks that one overruns are left out.
const leastBudget = 3 * time.Second

// budget is the time that one tick may take. It ends before the next tick
// begins, or after leastBudget, and before a lease that was taken in this tick does.
func (c Config) budget() time.Duration {
	return min(max(c.tick()*9/10, leastBudget), c.lease()*9/10)
}

// least is the time that must be left for a tick to be begun.
func (c Config) least() time.Duration { return min(c.tick(), c.budget()) / 2 }

var (
	levels         = []string{"debug", "info", "warn", "error"}
	validTable     = regexp.MustCompile(`^[a-zA-Z0-9_.:/-]{3,512}$`)
	validNamespace = regexp.MustCompile(`^[a-zA-Z0-9 ._/#:-]{1,255}$`)
)

// number is a setting that is a whole number.
type number struct {
	name      string
	field     *int
	low, high int
}

func (c *Config) numbers() []number {
	return []number{
		{"ROUSE_TICK_SECONDS", &c.TickSeconds, 1, 60},
		{"ROUSE_DEADLINE_MARGIN_SECONDS", &c.DeadlineMarginSeconds, 1, 30},
		{"ROUSE_CONCURRENCY", &c.Concurrency, 1, 256},
		{"ROUSE_LEASE_SECONDS", &c.LeaseSeconds, 5, 300},
	}
}

func (n number) parse(value string) error {
	if value == "" {
		return nil
	}
	parsed, err := strconv.Atoi(value)
	if err != nil {
		return n.problem(value)
	}
	*n.field = parsed
	return nil
}

func (n number) problem(value string) error {
	return fmt.Errorf("%s: is %q, must be a whole number from %d to %d", n.name, value, n.low, n.high)
}

// text is a setting that is a word.
type text struct {
	name    string
	field   *string
	valid   func(string) bool
	allowed string
}

func (c *Config) texts() []text {
	return []text{
		{"ROUSE_TABLE", &c.Table, validTable.MatchString, "the name or ARN of a DynamoDB table"},
		{"ROUSE_METRIC_NAMESPACE", &c.MetricNamespace, isNamespace, "1 to 255 letters, digits, spaces or any of ._/#:- and must not begin with AWS/"},
		{"ROUSE_LOG_LEVEL", &c.LogLevel, isLevel, "one of " + strings.Join(levels, ", ")},
	}
}

func isNamespace(s string) bool {
	return validNamespace.MatchString(s) && !strings.HasPrefix(s, "AWS/")
}

func isLevel(s string) bool { return slices.Contains(levels, s) }
