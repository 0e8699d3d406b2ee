package adapter

import (
	"bytes"
	"log/slog"
	"strings"
	"sync"
)

const (
	maxLine   = 8 * 1024   // bytes of a line that are logged
	maxOutput = 256 * 1024 // bytes of one stream of one job that are logged
	maxTail   = 1024       // bytes of the last lines that are kept
)

// lines logs one stream of a command's output line by line, within bounds, and
// remembers its end. It is safe for use by the goroutine that copies the stream
// and one other.
type lines struct {
	log *slog.Logger

	mu      sync.Mutex
	partial []byte
	last    []byte
	logged  int
	omitted int // bytes beyond maxOutput
}

func newLines(log *slog.Logger, messageID, stream string) *lines {
	return &lines{log: log.With("message_id", messageID, "stream", stream)}
}

// Write never fails, so that a talkative command is not stopped by it.
func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.remember(p)
	for rest := p; len(rest) > 0; {
		line, after, complete := bytes.Cut(rest, []byte{'\n'})
		room := max(0, maxLine-len(l.partial))
		l.partial = append(l.partial, line[:min(len(line), room)]...)
		if complete {
			l.flush()
		}
		rest = after
	}
	return len(p), nil
}

// remember keeps the last maxTail bytes.
func (l *lines) remember(p []byte) {
	l.last = append(l.last, p[max(0, len(p)-maxTail):]...)
	l.last = l.last[max(0, len(l.last)-maxTail):]
}

func (l *lines) flush() {
	switch {
	case len(l.partial) == 0:
	case l.logged >= maxOutput:
		l.omitted += len(l.partial)
	default:
		l.logged += len(l.partial)
		l.log.Info("job output", "line", strings.ToValidUTF8(string(l.partial), "\uFFFD"))
	}
	l.partial = l.partial[:0]
}

// close logs what is left.
func (l *lines) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.flush()
	if l.omitted > 0 {
		l.log.Warn("job output omitted", "bytes", l.omitted)
	}
}

// tail returns the end of the stream, as valid text without surrounding space.
func (l *lines) tail() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.TrimSpace(strings.ToValidUTF8(string(l.last), ""))
}
