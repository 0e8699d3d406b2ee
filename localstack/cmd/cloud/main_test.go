package main

import (
	"io"
	"strings"
	"testing"
)

func TestParseReportsAllProblems(t *testing.T) {
	_, err := parse([]string{"-port=70000", "-start-delay=2h", "more"}, io.Discard)
	for _, want := range []string{"-port=70000: want 0 to 65535", "-start-delay=2h0m0s: want 0 to 1h", "unexpected arguments: more"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("err = %v, want it to say %q", err, want)
		}
	}
}

func TestParsePrograms(t *testing.T) {
	options, err := parse([]string{"-program", "jobs:1=/bin/worker exec -- cat", "-port", "0"}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if command := options.Programs["jobs:1"].Command; len(command) != 4 || command[0] != "/bin/worker" {
		t.Errorf("command = %q", command)
	}
	if _, err := parse([]string{"-program", "nothing"}, io.Discard); err == nil {
		t.Error("a program without a command was taken")
	}
}
