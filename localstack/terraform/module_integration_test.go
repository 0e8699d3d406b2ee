//go:build integration

package terraform

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

// The module's own tests, and its example, with the real Terraform and provider.
func TestModule(t *testing.T) {
	run := command(t)
	run("../../terraform", "init", "-no-color", "-input=false")
	output := run("../../terraform", "test", "-no-color")
	passed := regexp.MustCompile(`Success! (\d+) passed, 0 failed`).FindSubmatch(output)
	if passed == nil {
		t.Fatalf("no success in:\n%s", output)
	}
	n, err := strconv.Atoi(string(passed[1]))
	if err != nil || n < 200 {
		t.Errorf("%s runs passed, want 200 or more", passed[1])
	}
	t.Logf("%d runs passed", n)
}

func TestExamplesAreValid(t *testing.T) {
	examples, err := filepath.Glob("../../terraform/examples/*/main.tf")
	if err != nil || len(examples) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	for _, example := range examples {
		t.Run(filepath.Base(filepath.Dir(example)), func(t *testing.T) {
			run := command(t)
			run(filepath.Dir(example), "init", "-no-color", "-input=false", "-backend=false")
			run(filepath.Dir(example), "validate", "-no-color")
		})
	}
}

// command returns what runs Terraform in a folder with this machine's providers,
// leaving nothing there.
func command(t *testing.T) func(dir string, args ...string) []byte {
	t.Helper()
	program, err := Look(os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	var mirrors []string
	if mirror := FindMirror(os.Getenv, "/"); mirror != "" {
		mirrors = append(mirrors, mirror)
	}
	config, err := writeCLIConfig(t.TempDir(), mirrors, filepath.Base(program) == "tofu")
	if err != nil {
		t.Fatal(err)
	}
	environment := append(os.Environ(), "TF_CLI_CONFIG_FILE="+config, "TF_DATA_DIR="+t.TempDir(), "AWS_REGION=us-east-1")
	return func(dir string, args ...string) []byte {
		t.Helper()
		cmd := exec.CommandContext(context.WithoutCancel(t.Context()), program, args...)
		cmd.Dir, cmd.Env = dir, environment
		output, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("terraform %v in %s: %v\n%s", args, dir, err, output)
		}
		return output
	}
}
