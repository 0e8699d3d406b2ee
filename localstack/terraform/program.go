// Package terraform drives a real Terraform (or OpenTofu) against the local cloud: it finds the program and the AWS
// provider on the machine, writes a CLI configuration of its own, and runs init, plan, apply, output and destroy with the
// local cloud's environment.
package terraform

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// ProgramVariable names the environment variable that overrides which program runs.
const ProgramVariable = "ROUSE_TERRAFORM"

// ErrMissing says that neither Terraform nor OpenTofu was found, and what to install.
var ErrMissing = errors.New("neither terraform nor tofu is on PATH; install Terraform 1.9 or later, " +
	"or run make setup, which builds OpenTofu, or set " + ProgramVariable + " to the program")

// Look returns the path of the program to run: $ROUSE_TERRAFORM, else terraform, else tofu on PATH.
func Look(getenv func(string) string) (string, error) {
	if named := getenv(ProgramVariable); named != "" {
		path, err := exec.LookPath(named)
		if err != nil {
			return "", fmt.Errorf("%s=%s: %w", ProgramVariable, named, err)
		}
		return filepath.Abs(path)
	}
	for _, name := range []string{"terraform", "tofu"} {
		if path, err := exec.LookPath(name); err == nil {
			return filepath.Abs(path)
		}
	}
	return "", ErrMissing
}

// isTofu tells OpenTofu, whose providers live under another host name.
func isTofu(program string) bool {
	return strings.Contains(filepath.Base(program), "tofu")
}
