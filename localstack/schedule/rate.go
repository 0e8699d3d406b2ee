package schedule

import (
	"fmt"
	"regexp"
	"strconv"
	"time"
)

var rateForm = regexp.MustCompile(`^rate\((\d+) (minute|hour|day)s?\)$`)

var units = map[string]time.Duration{"minute": time.Minute, "hour": time.Hour, "day": 24 * time.Hour}

// parseRate reads rate(N UNIT), the one form of schedule that is fired here. Unlike
// EventBridge's rules, EventBridge Scheduler takes either number of the unit.
func parseRate(expression string) (time.Duration, error) {
	match := rateForm.FindStringSubmatch(expression)
	if match == nil {
		return 0, fmt.Errorf("schedule expression %q: the local cloud fires rate(N minutes|hours|days) only", expression)
	}
	n, err := strconv.Atoi(match[1])
	if err != nil || n < 1 || n > 1_000_000 {
		return 0, fmt.Errorf("schedule expression %q: the number must be 1 to 1000000", expression)
	}
	return time.Duration(n) * units[match[2]], nil
}
