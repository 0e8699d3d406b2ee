package policy

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Schedule raises the floor or lowers the ceiling during known hours. A window
// that ends at or before its start runs past midnight and belongs to the day it
// started on. Several schedules may be in force: the highest floor and the lowest ceiling count.
type Schedule struct {
	// Days are the days the window starts on, "mon" to "sun"; none means every day.
	Days []string `json:"days,omitempty"`
	// Start and End are "15:04" in Timezone; End is not part of the window.
	Start string `json:"start"`
	End   string `json:"end"`
	// Timezone is an IANA name; empty is UTC.
	Timezone string `json:"timezone,omitempty"`
	// Floor is the least desired count in the window, Ceiling the greatest; 0 means none.
	Floor   int `json:"floor,omitempty"`
	Ceiling int `json:"ceiling,omitempty"`
}

var weekdays = []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}

func (s Schedule) validate(name string, maxTasks int) error {
	problems := []error{s.validateCounts(name, maxTasks)}
	for _, day := range s.Days {
		problems = append(problems, demand(slices.Contains(weekdays, day), name+".days", day, "among "+strings.Join(weekdays, ", ")))
	}
	for _, field := range [][2]string{{"start", s.Start}, {"end", s.End}} {
		_, err := time.Parse("15:04", field[1])
		problems = append(problems, demand(err == nil, name+"."+field[0], field[1], "a time of day from 00:00 to 23:59"))
	}
	_, err := time.LoadLocation(s.Timezone)
	problems = append(problems, demand(err == nil, name+".timezone", s.Timezone, "an IANA time zone such as Europe/Berlin"))
	return errors.Join(problems...)
}

func (s Schedule) validateCounts(name string, maxTasks int) error {
	return errors.Join(
		demand(s.Floor >= 0 && s.Floor <= maxTasks, name+".floor", s.Floor, fmt.Sprintf("from 0 to max_tasks, which is %d", maxTasks)),
		demand(s.Ceiling >= 0 && s.Ceiling <= maxTasks, name+".ceiling", s.Ceiling, fmt.Sprintf("from 0 (none) to max_tasks, which is %d", maxTasks)),
		demand(s.Ceiling <= 0 || s.Floor <= s.Ceiling, name+".floor", s.Floor, fmt.Sprintf("at most its ceiling, which is %d", s.Ceiling)),
	)
}

// demand returns an error that names the field, its value and what is allowed, unless ok.
func demand(ok bool, field string, value any, allowed string) error {
	if ok {
		return nil
	}
	return fmt.Errorf("%s: is %q, must be %s", field, fmt.Sprint(value), allowed)
}

// window is a Schedule made ready to be asked.
type window struct {
	days           [7]bool
	start, end     int // minutes of the day
	location       *time.Location
	floor, ceiling int
}

func newWindow(s Schedule) (window, error) {
	location, err := time.LoadLocation(s.Timezone)
	if err != nil {
		return window{}, fmt.Errorf("load time zone %s: %w", s.Timezone, err)
	}
	w := window{start: minuteOf(s.Start), end: minuteOf(s.End), location: location, floor: s.Floor, ceiling: s.Ceiling}
	for i, day := range weekdays {
		w.days[i] = len(s.Days) == 0 || slices.Contains(s.Days, day)
	}
	return w, nil
}

// minuteOf returns the minute of the day of a validated "15:04".
func minuteOf(clock string) int {
	t, _ := time.Parse("15:04", clock)
	return t.Hour()*60 + t.Minute()
}

// contains reports whether the window is open at now.
func (w window) contains(now time.Time) bool {
	local := now.In(w.location)
	today := int(local.Weekday())
	yesterday := (today + 6) % 7
	minute := local.Hour()*60 + local.Minute()
	if w.start < w.end {
		return w.days[today] && minute >= w.start && minute < w.end
	}
	return w.days[today] && minute >= w.start || w.days[yesterday] && minute < w.end
}
