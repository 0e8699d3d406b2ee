//go:build integration

package terraform

import (
	"bytes"
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
	dir := "../../terraform"
	if program, err := Look(os.Getenv); err == nil && isTofu(program) {
		dir = withMocksInPlace(t, dir)
	}
	run(dir, "init", "-no-color", "-input=false")
	output := run(dir, "test", "-no-color")
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

// withMocksInPlace copies the module. OpenTofu cannot read a provider's mocks
// from a file of their own, so they are written into the tests that name it.
func withMocksInPlace(t *testing.T, module string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(module)); err != nil {
		t.Fatal(err)
	}
	mocks, err := os.ReadFile(filepath.Join(dir, "tests/mocks/aws.tfmock.hcl"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "tests/*.tftest.hcl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text = bytes.ReplaceAll(text, []byte(`source = "./tests/mocks"`), mocks)
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
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
	config, err := writeCLIConfig(t.TempDir(), mirrors, isTofu(program))
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
