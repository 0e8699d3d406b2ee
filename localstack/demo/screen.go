package demo

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/rousehq/rouse/localstack/rig"
)

const (
	barWidth = 30
	quiet    = 5 * time.Second // a plain line at least this often while nothing changes
)

// screen shows the demo: finished lines go up, and where the output is live, a
// panel is redrawn below them.
type screen struct {
	columns int // of the terminal; 0 if the output is not one

	mu       sync.Mutex
	out      io.Writer
	panel    []string // as drawn last
	reason   string   // of the decision shown last
	shown    view     // as shown last, in plain output
	hasShown bool
}

func newScreen(out io.Writer, columns int) *screen { return &screen{out: out, columns: columns} }

func (s *screen) live() bool { return s.columns > 0 }

// step announces something that takes a while, and returns what ends it.
func (s *screen) step(what string) (done func(detail string)) {
	begun := time.Now()
	s.line("▸ " + what)
	return func(detail string) {
		if detail != "" {
			detail = ": " + detail
		}
		s.line(fmt.Sprintf("  done in %.1f s%s", time.Since(begun).Seconds(), detail))
	}
}

// line adds a finished line.
func (s *screen) line(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	panel := s.panel
	s.draw(nil)
	fmt.Fprintln(s.out, text)
	s.draw(panel)
}

// Write shows Terraform's progress: as lines, or in the panel.
func (s *screen) Write(p []byte) (int, error) {
	for line := range bytes.Lines(p) {
		text := "  " + strings.TrimRight(string(line), "\r\n")
		if !s.live() {
			s.line(text)
			continue
		}
		s.mu.Lock()
		s.draw([]string{text})
		s.mu.Unlock()
	}
	return len(p), nil
}

// decision adds a line for a decision that changed something or has a new reason.
func (s *screen) decision(d rig.Decision, at time.Duration) {
	if d.Reason == s.reason && d.Outcome == "no-op" {
		return
	}
	s.reason = d.Reason
	change := ""
	if d.Desired != nil && d.Target != *d.Desired {
		change = fmt.Sprintf("  %d → %d tasks", *d.Desired, d.Target)
	}
	if d.Error != "" {
		change += "  " + d.Error
	}
	s.line(fmt.Sprintf("%6.1f s  scaler: %s (%s)%s", max(0, at.Seconds()), d.Reason, d.Outcome, change))
}

// view shows the workload: as a panel, or as a line when something has changed.
func (s *screen) view(v view, jobs int) {
	if s.live() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.draw(panel(v, jobs))
		return
	}
	old := s.shown
	same := v.depth == old.depth && v.fleet == old.fleet && v.ready == old.ready && v.done == old.done
	if s.hasShown && (same || v.at-old.at < time.Second) && v.at-old.at < quiet {
		return
	}
	s.shown, s.hasShown = v, true
	s.line(fmt.Sprintf("%6.1f s  visible %4d  in flight %3d  desired %2d  running %2d  ready %2d  done %d/%d",
		v.at.Seconds(), v.depth.Visible, v.depth.InFlight, v.fleet.Desired, v.fleet.Running, v.ready, v.done, jobs))
}

func panel(v view, jobs int) []string {
	return []string{
		fmt.Sprintf("%6.1f s", v.at.Seconds()),
		fmt.Sprintf("  visible   %5d  %s", v.depth.Visible, bar(v.depth.Visible, jobs)),
		fmt.Sprintf("  in flight %5d  %s", v.depth.InFlight, bar(v.depth.InFlight, jobs)),
		fmt.Sprintf("  done      %5d  %s", v.done, bar(v.done, jobs)),
		fmt.Sprintf("  tasks     %5d  desired, %d running, %d ready", v.fleet.Desired, v.fleet.Running, v.ready),
	}
}

func bar(n, of int) string {
	filled := min(barWidth, (n*barWidth+of-1)/of)
	return strings.Repeat("█", filled) + strings.Repeat("░", barWidth-filled)
}

// draw replaces the panel. Its lines are cut to the terminal's width, because a
// wrapped one could not be taken back. The caller has the lock.
func (s *screen) draw(panel []string) {
	if len(s.panel) > 0 {
		fmt.Fprintf(s.out, "\x1b[%dA\x1b[J", len(s.panel))
	}
	for _, line := range panel {
		fmt.Fprintln(s.out, cut(line, s.columns-1))
	}
	s.panel = panel
}

// cut shortens a line to a number of characters.
func cut(line string, columns int) string {
	if runes := []rune(line); len(runes) > columns {
		return string(runes[:max(0, columns-1)]) + "…"
	}
	return line
}
