package main

import (
	"strings"
	"testing"
)

func TestBuildNamesEveryWrongSetting(t *testing.T) {
	t.Setenv("ROUSE_TABLE", "")
	t.Setenv("ROUSE_TICK_SECONDS", "never")
	t.Setenv("ROUSE_LOG_LEVEL", "loud")
	_, err := build(t.Context())
	for _, name := range []string{"ROUSE_TABLE", "ROUSE_TICK_SECONDS", "ROUSE_LOG_LEVEL"} {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s is not in %v", name, err)
		}
	}
}

func TestBuildReachesNothing(t *testing.T) {
	t.Setenv("ROUSE_TABLE", "rouse")
	t.Setenv("AWS_REGION", "eu-west-1")
	if s, err := build(t.Context()); err != nil || s == nil {
		t.Errorf("%v, %v", s, err)
	}
}
