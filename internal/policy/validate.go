package policy

import (
	"errors"
	"fmt"
)

// Validate reports every setting that is out of range and every pair that
// contradicts itself, all at once. Each error names the setting, its value and
// what is allowed.
func (c Config) Validate() error {
	var problems []error
	for _, s := range c.settings() {
		problems = append(problems, s.validate())
	}
	for i, s := range c.Schedules {
		problems = append(problems, s.validate(fmt.Sprintf("policy.schedules[%d]", i), c.MaxTasks))
	}
	return errors.Join(append(problems, c.contradictions()...)...)
}

func (c Config) contradictions() []error {
	var problems []error
	if c.MinTasks > c.MaxTasks {
		problems = append(problems, fmt.Errorf("policy.min_tasks: is %d, must be at most max_tasks, which is %d", c.MinTasks, c.MaxTasks))
	}
	if c.WakeLimit > c.MaxTasks {
		problems = append(problems, fmt.Errorf("policy.wake_limit: is %d, must be at most max_tasks, which is %d", c.WakeLimit, c.MaxTasks))
	}
	if c.BrakeRetrySeconds > c.BrakeRetryMaxSeconds {
		problems = append(problems, fmt.Errorf("policy.brake_retry_seconds: is %d, must be at most brake_retry_max_seconds, which is %d", c.BrakeRetrySeconds, c.BrakeRetryMaxSeconds))
	}
	return problems
}
