package terraform

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
)

// lines turns Terraform's JSON log into plain progress lines and keeps the errors it reports. Terraform's own text of a
// failure is only "exit status 1".
type lines struct {
	mu       sync.Mutex
	progress io.Writer
	rest     []byte
	problems []error
}

// logLine is one line of Terraform's machine-readable UI.
type logLine struct {
	Type    string `json:"type"`
	Message string `json:"@message"`
	Hook    struct {
		Action string `json:"action"`
	} `json:"hook"`
	Diagnostic struct {
		Severity string `json:"severity"`
		Summary  string `json:"summary"`
		Detail   string `json:"detail"`
		Address  string `json:"address"`
	} `json:"diagnostic"`
}

// shownTypes are the log lines a reader wants to see.
var shownTypes = map[string]bool{
	"apply_complete": true, "apply_errored": true, "change_summary": true, "diagnostic": true,
}

func newLines(progress io.Writer) *lines { return &lines{progress: progress} }

// Write takes the log in pieces of any size.
func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rest = append(l.rest, p...)
	for {
		line, rest, ok := bytes.Cut(l.rest, []byte("\n"))
		if !ok {
			return len(p), nil
		}
		l.rest = rest
		l.show(line)
	}
}

func (l *lines) show(line []byte) {
	var entry logLine
	if json.Unmarshal(line, &entry) != nil {
		return
	}
	if entry.Type == "diagnostic" && entry.Diagnostic.Severity == "error" {
		l.problems = append(l.problems, entry.problem())
	}
	if shownTypes[entry.Type] && entry.Hook.Action != "read" {
		fmt.Fprintln(l.progress, entry.Message)
	}
}

func (e logLine) problem() error {
	parts := []string{e.Diagnostic.Summary}
	if e.Diagnostic.Detail != "" {
		parts = append(parts, e.Diagnostic.Detail)
	}
	text := strings.Join(parts, ": ")
	if e.Diagnostic.Address != "" {
		text = e.Diagnostic.Address + ": " + text
	}
	return errors.New(text)
}

// explain adds the problems Terraform reported to the error of its exit.
func (l *lines) explain(command string, err error) error {
	if err == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return fmt.Errorf("%s: %w", command, errors.Join(append(l.problems, err)...))
}
