package sim

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const (
	traceHeader = "offset_s,count"
	// mostTraceProblems is how many problems of a trace are told at most.
	mostTraceProblems = 10
	// mostTraceSeconds and mostTraceCount keep times and sums far from overflow.
	mostTraceSeconds = 10 * 366 * 86400
	mostTraceCount   = 100_000_000
)

// Trace returns the arrivals of a trace file: comments that begin with "#" and
// tell bucket_s and duration_s, the header "offset_s,count", and a line for each
// bucket that is not empty, in ascending order:
//
//	# bucket_s: 60
//	# duration_s: 86400
//	offset_s,count
//	0,29
//
// The whole file is checked, without keeping it; the error names file, line and
// field of every problem, up to ten. Each run then reads the file again.
func Trace(path string) (Arrivals, error) {
	file, err := os.Open(path) // #nosec G304 -- the trace that the user names
	if err != nil {
		return Arrivals{}, fmt.Errorf("open trace: %w", err)
	}
	defer file.Close()
	t := newTraceReader(path, file)
	var problems []error
	for len(problems) < mostTraceProblems {
		if _, err := t.next(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			problems = append(problems, err)
		}
	}
	if err := errors.Join(append(problems, t.head.missing(path)...)...); err != nil {
		return Arrivals{}, err
	}
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	return Arrivals{Name: name, Duration: t.head.duration, Buckets: func(uint64) iter.Seq2[Bucket, error] { return readTrace(path) }}, nil
}

// readTrace yields the buckets of a trace file.
func readTrace(path string) iter.Seq2[Bucket, error] {
	return func(yield func(Bucket, error) bool) {
		file, err := os.Open(path) // #nosec G304 -- the trace that the user names
		if err != nil {
			yield(Bucket{}, fmt.Errorf("open trace: %w", err))
			return
		}
		defer file.Close()
		t := newTraceReader(path, file)
		for {
			b, err := t.next()
			if errors.Is(err, io.EOF) || !yield(b, err) || err != nil {
				return
			}
		}
	}
}

// traceHead is what the comments of a trace tell.
type traceHead struct{ width, duration time.Duration }

func (h traceHead) missing(path string) []error {
	var problems []error
	if h.width == 0 {
		problems = append(problems, fmt.Errorf("%s: bucket_s: is missing, must stand in a comment as \"# bucket_s: SECONDS\"", path))
	}
	if h.duration == 0 {
		problems = append(problems, fmt.Errorf("%s: duration_s: is missing, must stand in a comment as \"# duration_s: SECONDS\"", path))
	}
	return problems
}

// traceReader reads a trace line by line. After an error it can go on.
type traceReader struct {
	path    string
	lines   *bufio.Scanner
	number  int
	head    traceHead
	started bool // the header was seen
	last    int  // the last offset, -1 before the first
}

func newTraceReader(path string, r io.Reader) *traceReader {
	return &traceReader{path: path, lines: bufio.NewScanner(r), last: -1}
}

// next returns the next bucket, or io.EOF.
func (t *traceReader) next() (Bucket, error) {
	for t.lines.Scan() {
		t.number++
		line := strings.TrimSpace(t.lines.Text())
		comment, isComment := strings.CutPrefix(line, "#")
		switch {
		case line == "":
		case isComment:
			if err := t.comment(comment); err != nil {
				return Bucket{}, err
			}
		case !t.started:
			t.started = true
			if line != traceHeader {
				return Bucket{}, t.problem("header", line, "\""+traceHeader+"\"")
			}
		default:
			return t.bucket(line)
		}
	}
	if err := t.lines.Err(); err != nil {
		t.lines = bufio.NewScanner(strings.NewReader(""))
		return Bucket{}, fmt.Errorf("read %s:%d: %w", t.path, t.number+1, err)
	}
	return Bucket{}, io.EOF
}

// comment takes in a comment; those that are not "bucket_s" or "duration_s" say nothing to us.
func (t *traceReader) comment(text string) error {
	key, value, _ := strings.Cut(text, ":")
	field := map[string]*time.Duration{"bucket_s": &t.head.width, "duration_s": &t.head.duration}[strings.TrimSpace(key)]
	if field == nil {
		return nil
	}
	seconds, err := t.whole(strings.TrimSpace(key), strings.TrimSpace(value), 1, mostTraceSeconds)
	*field = time.Duration(max(1, seconds)) * time.Second
	return err
}

// bucket reads one line of the table.
func (t *traceReader) bucket(line string) (Bucket, error) {
	offset, count, found := strings.Cut(line, ",")
	if !found || strings.Contains(count, ",") {
		return Bucket{}, t.problem("line", line, "two fields, "+traceHeader)
	}
	duration, width := int(t.head.duration/time.Second), int(t.head.width/time.Second)
	least := 0
	if t.last >= 0 {
		least = t.last + max(1, width)
	}
	start, err := t.whole("offset_s", offset, least, max(least, duration-1))
	n, countErr := t.whole("count", count, 1, mostTraceCount)
	if err := errors.Join(err, countErr); err != nil {
		return Bucket{}, err
	}
	t.last = start
	at := time.Duration(start) * time.Second
	return Bucket{Start: at, Width: min(t.head.width, t.head.duration-at), Count: n}, nil
}

// whole reads a whole number within [low, high].
func (t *traceReader) whole(field, text string, low, high int) (int, error) {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || n < low || n > high {
		return 0, t.problem(field, text, fmt.Sprintf("a whole number from %d to %d", low, high))
	}
	return n, nil
}

func (t *traceReader) problem(field, value, allowed string) error {
	const longest = 60
	if len(value) > longest {
		value = value[:longest] + "…"
	}
	return fmt.Errorf("%s:%d: %s: is %q, must be %s", t.path, t.number, field, value, allowed)
}
