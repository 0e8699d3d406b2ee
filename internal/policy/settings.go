package policy

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Config holds the settings of a policy. Every setting has a default; Default
// returns them, and JSON that leaves a setting out gets its default. Seconds
// are whole numbers.
type Config struct {
	// ScaleToZero is the opt-in to a floor of zero. Without it the floor is max(1, MinTasks).
	ScaleToZero bool `json:"scale_to_zero"`
	// MinTasks is the floor, MaxTasks the ceiling of the desired count.
	MinTasks int `json:"min_tasks"`
	MaxTasks int `json:"max_tasks"`
	// TargetAgeSeconds is the objective: how long a message may wait.
	TargetAgeSeconds int `json:"target_age_seconds"`
	// BacklogPerTask is how many visible messages one task is meant to stand for.
	BacklogPerTask Backlog `json:"backlog_per_task"`
	// ActivationBacklog is how many visible messages wake a service at zero at
	// once; fewer wake it when they have waited for TargetAgeSeconds.
	ActivationBacklog int `json:"activation_backlog"`
	// WakeLimit is the most tasks that a wake-up starts in one write; 0 is MaxTasks.
	WakeLimit int `json:"wake_limit"`
	// WakeConfirmations is how many consecutive reads must agree before a wake-up.
	WakeConfirmations int `json:"wake_confirmations"`
	// EWMAAlpha is the weight of the newest age in its moving average.
	EWMAAlpha float64 `json:"ewma_alpha"`
	// Hysteresis is the half-width of the band around 1 in which nothing is done.
	Hysteresis float64 `json:"hysteresis"`
	// StepUp and StepDown are the most tasks added and removed in one tick. At 1 there is no controller.
	StepUp   int `json:"step_up"`
	StepDown int `json:"step_down"`
	// Kp and Ki are the servo's gains.
	Kp float64 `json:"kp"`
	Ki float64 `json:"ki"`
	// CooldownUpSeconds is the least time between two growths, CooldownDownSeconds how
	// long the pressure must have been low, and nothing changed, before a shrink.
	CooldownUpSeconds   int `json:"cooldown_up_seconds"`
	CooldownDownSeconds int `json:"cooldown_down_seconds"`
	// BackoffFactor multiplies the cool-downs after each change, up to BackoffMaxMultiplier,
	// until BackoffResetSeconds pass without one; 0 is four times the longer cool-down.
	BackoffFactor        float64 `json:"backoff_factor"`
	BackoffMaxMultiplier float64 `json:"backoff_max_multiplier"`
	BackoffResetSeconds  int     `json:"backoff_reset_seconds"`
	// IdleWindowSeconds is how long there must be no work, over at least
	// IdleConfirmations consecutive reads, before the floor is taken.
	IdleWindowSeconds int `json:"idle_window_seconds"`
	IdleConfirmations int `json:"idle_confirmations"`
	// WarmupSeconds is how long a task may take to start before its slowness stops further growth.
	WarmupSeconds int `json:"warmup_seconds"`
	// Delayed says how delayed messages count, PrewakeLeadSeconds how long before they come due "prewake" acts.
	Delayed            DelayedPolicy `json:"delayed"`
	PrewakeLeadSeconds int           `json:"prewake_lead_seconds"`
	// BrakeAfterStarts is how many restarts without progress put the brake on; the canary is
	// retried after BrakeRetrySeconds, doubled each time up to BrakeRetryMaxSeconds.
	BrakeAfterStarts     int `json:"brake_after_starts"`
	BrakeRetrySeconds    int `json:"brake_retry_seconds"`
	BrakeRetryMaxSeconds int `json:"brake_retry_max_seconds"`
	// StalledAfterSeconds is how long work may wait with tasks running and none completed before "stalled" is reported.
	StalledAfterSeconds int `json:"stalled_after_seconds"`
	// Paused holds the desired count where it is.
	Paused bool `json:"paused"`
	// Schedules raise the floor or lower the ceiling at known hours.
	Schedules []Schedule `json:"schedules"`
}

// DelayedPolicy says how delayed messages count as work.
type DelayedPolicy string

const (
	// DelayedHold keeps a running service above zero while there are delayed messages; they do not wake it.
	DelayedHold DelayedPolicy = "hold"
	// DelayedPrewake does the same and wakes one task shortly before they come due.
	DelayedPrewake DelayedPolicy = "prewake"
	// DelayedIgnore does not count them before they are visible.
	DelayedIgnore DelayedPolicy = "ignore"
)

// Backlog is a number of messages per task, or Auto.
type Backlog float64

// Auto derives the backlog per task from the measured service time:
// target_age × slots ÷ service time, and at least the slots of one task.
const Auto Backlog = 0

// MarshalJSON writes the number, or "auto".
func (b Backlog) MarshalJSON() ([]byte, error) {
	if b == Auto {
		return []byte(`"auto"`), nil
	}
	return json.Marshal(float64(b))
}

// UnmarshalJSON reads a number above zero, or "auto".
func (b *Backlog) UnmarshalJSON(data []byte) error {
	if bytes.Equal(data, []byte(`"auto"`)) {
		*b = Auto
		return nil
	}
	n, err := strconv.ParseFloat(string(data), 64)
	if err != nil {
		return errors.New("neither a number nor \"auto\"")
	}
	if n == 0 {
		n = -1 // zero is Auto in memory only; in JSON it is out of range
	}
	*b = Backlog(n)
	return nil
}

// Default returns the defaults. The values are chosen for delay-tolerant jobs
// with a cold start of about half a minute.
func Default() Config {
	return Config{
		MaxTasks:             10,
		TargetAgeSeconds:     60,
		BacklogPerTask:       10,
		ActivationBacklog:    1,
		WakeConfirmations:    1,
		EWMAAlpha:            0.3,
		Hysteresis:           0.1,
		StepUp:               10,
		StepDown:             5,
		Kp:                   1,
		Ki:                   0.1,
		CooldownUpSeconds:    30,
		CooldownDownSeconds:  60,
		BackoffFactor:        1,
		BackoffMaxMultiplier: 8,
		IdleWindowSeconds:    60,
		IdleConfirmations:    2,
		WarmupSeconds:        60,
		Delayed:              DelayedHold,
		PrewakeLeadSeconds:   60,
		BrakeAfterStarts:     3,
		BrakeRetrySeconds:    60,
		BrakeRetryMaxSeconds: 3600,
		StalledAfterSeconds:  900,
		Schedules:            []Schedule{},
	}
}

// Setting describes one setting of a Config: the one place where its name and
// its range stand. The Terraform module's validations are checked against it.
type Setting struct {
	// Name is the JSON key.
	Name string
	// Allowed is the range in words, as errors print it.
	Allowed string
	// Min and Max bound a number; both are zero for a setting that is not one.
	Min, Max float64

	field any // pointer into a Config
	check func() bool
}

// Settings lists every setting in the order of Config's fields.
func Settings() []Setting {
	c := Default()
	return c.settings()
}

func (c *Config) settings() []Setting {
	day := 86400
	return []Setting{
		choice("scale_to_zero", &c.ScaleToZero, "true or false", nil),
		whole("min_tasks", &c.MinTasks, 0, 5000),
		whole("max_tasks", &c.MaxTasks, 1, 5000),
		whole("target_age_seconds", &c.TargetAgeSeconds, 1, day),
		{Name: "backlog_per_task", Allowed: `a number above 0 and up to 1000000, or "auto"`, Max: 1e6, field: &c.BacklogPerTask,
			check: func() bool { return c.BacklogPerTask >= 0 && c.BacklogPerTask <= 1e6 }},
		whole("activation_backlog", &c.ActivationBacklog, 1, 1000000),
		whole("wake_limit", &c.WakeLimit, 0, 5000),
		whole("wake_confirmations", &c.WakeConfirmations, 1, 10),
		{Name: "ewma_alpha", Allowed: "above 0 and up to 1", Max: 1, field: &c.EWMAAlpha,
			check: func() bool { return c.EWMAAlpha > 0 && c.EWMAAlpha <= 1 }},
		{Name: "hysteresis", Allowed: "0 or more and below 1", Max: 1, field: &c.Hysteresis,
			check: func() bool { return c.Hysteresis >= 0 && c.Hysteresis < 1 }},
		whole("step_up", &c.StepUp, 1, 5000),
		whole("step_down", &c.StepDown, 1, 5000),
		number("kp", &c.Kp, 0, 100),
		number("ki", &c.Ki, 0, 100),
		whole("cooldown_up_seconds", &c.CooldownUpSeconds, 0, day),
		whole("cooldown_down_seconds", &c.CooldownDownSeconds, 0, day),
		number("backoff_factor", &c.BackoffFactor, 1, 10),
		number("backoff_max_multiplier", &c.BackoffMaxMultiplier, 1, 100),
		whole("backoff_reset_seconds", &c.BackoffResetSeconds, 0, day),
		whole("idle_window_seconds", &c.IdleWindowSeconds, 0, day),
		whole("idle_confirmations", &c.IdleConfirmations, 1, 10),
		whole("warmup_seconds", &c.WarmupSeconds, 0, 3600),
		choice("delayed", &c.Delayed, `"hold", "prewake" or "ignore"`, func() bool {
			return slices.Contains([]DelayedPolicy{DelayedHold, DelayedPrewake, DelayedIgnore}, c.Delayed)
		}),
		whole("prewake_lead_seconds", &c.PrewakeLeadSeconds, 0, 900),
		whole("brake_after_starts", &c.BrakeAfterStarts, 1, 100),
		whole("brake_retry_seconds", &c.BrakeRetrySeconds, 1, day),
		whole("brake_retry_max_seconds", &c.BrakeRetryMaxSeconds, 1, day),
		whole("stalled_after_seconds", &c.StalledAfterSeconds, 60, day),
		choice("paused", &c.Paused, "true or false", nil),
		choice("schedules", &c.Schedules, "a list of at most 50 schedules", func() bool { return len(c.Schedules) <= 50 }),
	}
}

func whole(name string, field *int, low, high int) Setting {
	return Setting{
		Name: name, Allowed: fmt.Sprintf("a whole number from %d to %d", low, high),
		Min: float64(low), Max: float64(high), field: field,
		check: func() bool { return *field >= low && *field <= high },
	}
}

func number(name string, field *float64, low, high float64) Setting {
	return Setting{
		Name: name, Allowed: fmt.Sprintf("a number from %g to %g", low, high),
		Min: low, Max: high, field: field,
		check: func() bool { return *field >= low && *field <= high && !math.IsNaN(*field) },
	}
}

func choice(name string, field any, allowed string, check func() bool) Setting {
	return Setting{Name: name, Allowed: allowed, field: field, check: check}
}

// validate returns an error if the setting's value is out of range.
func (s Setting) validate() error {
	if s.check == nil || s.check() {
		return nil
	}
	value, err := json.Marshal(s.field)
	if err != nil {
		value = []byte("not a number")
	}
	return s.problem(string(value))
}

func (s Setting) problem(value string) error {
	const longest = 60
	if len(value) > longest {
		value = value[:longest] + "…"
	}
	return fmt.Errorf("policy.%s: is %s, must be %s", s.Name, value, s.Allowed)
}

// UnmarshalJSON reads settings over the defaults. It rejects unknown settings
// and wrong types and reports all of them at once; ranges are Validate's part.
func (c *Config) UnmarshalJSON(data []byte) error {
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		return fmt.Errorf("policy: is not a JSON object: %w", err)
	}
	config := Default()
	var problems []error
	for _, s := range config.settings() {
		value, ok := raw[s.Name]
		delete(raw, s.Name)
		if !ok {
			continue
		}
		problems = append(problems, s.decode(value))
	}
	for _, name := range slices.Sorted(mapKeys(raw)) {
		problems = append(problems, fmt.Errorf("policy.%s: is not a setting of the policy", name))
	}
	*c = config
	return errors.Join(problems...)
}

// decode reads value into the setting's field. A null is not a value.
func (s Setting) decode(value json.RawMessage) error {
	if string(value) == "null" {
		return s.problem("null")
	}
	decoder := json.NewDecoder(bytes.NewReader(value))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(s.field); err != nil {
		return s.problem(strings.TrimSpace(string(value)))
	}
	return nil
}

func mapKeys(m map[string]json.RawMessage) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}
