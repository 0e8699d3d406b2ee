package rig

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// Decision is what the scaler wrote into its log of one tick of a workload. A
// count that it did not know is nil.
type Decision struct {
	Time     time.Time `json:"time"`
	Message  string    `json:"msg"`
	Workload string    `json:"workload"`
	Reason   string    `json:"reason"`
	Outcome  string    `json:"outcome"`
	Visible  *int      `json:"visible"`
	InFlight *int      `json:"in_flight"`
	Desired  *int      `json:"desired"`
	Running  *int      `json:"running"`
	Ready    *int      `json:"ready"`
	Busy     *int      `json:"busy"`
	Target   int       `json:"target"`
	Error    string    `json:"error"`
}

// Decisions follows the scaler's log. It belongs to one goroutine.
type Decisions struct {
	path   string
	name   string
	offset int64
}

// Decisions returns a reader of the workload's decisions, from the first on.
func (r *Rig) Decisions() *Decisions {
	return &Decisions{path: filepath.Join(r.options.Cloud.Dir(), "functions", r.Outputs.Function+".log"), name: r.Name}
}

// Next returns the decisions that were written since the last call.
func (d *Decisions) Next() ([]Decision, error) {
	f, err := os.Open(d.path)
	if os.IsNotExist(err) {
		return nil, nil // not invoked yet
	}
	if err != nil {
		return nil, fmt.Errorf("read the scaler's log: %w", err)
	}
	defer f.Close()
	if _, err := f.Seek(d.offset, io.SeekStart); err != nil {
		return nil, fmt.Errorf("read the scaler's log: %w", err)
	}
	var decisions []Decision
	lines := bufio.NewReader(f)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return decisions, nil // the rest is not a whole line yet
		}
		d.offset += int64(len(line))
		if decision, ok := d.parse(line); ok {
			decisions = append(decisions, decision)
		}
	}
}

// parse reads a line if it is a decision about the workload; the log holds other lines too.
func (d *Decisions) parse(line []byte) (Decision, bool) {
	var decision Decision
	if start := bytes.IndexByte(line, '{'); start < 0 || json.Unmarshal(line[start:], &decision) != nil {
		return Decision{}, false
	}
	return decision, decision.Message == "tick" && decision.Workload == d.name
}
