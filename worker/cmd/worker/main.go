// Command worker runs jobs in any language as a Rouse worker.
//
//	worker exec -- COMMAND ARGS…   run a command for each message of the queue
//	worker healthcheck             ask the worker on this host for its health
//
// See package worker for its settings, and package adapter for what a command is
// given and what its exit code means.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/rousehq/rouse/worker"
	"github.com/rousehq/rouse/worker/adapter"
)

const usage = `usage:
  worker exec -- COMMAND ARGS…   run COMMAND for each message: body on stdin, attributes in
                                 the environment; exit 0 = done, 75 = retry later,
                                 65 = permanent failure, other = failure
  worker healthcheck             exit 0 if the worker on this host is healthy, else 1

Settings are read from the environment; ROUSE_WORKLOAD and ROUSE_QUEUE_URL are required.
`

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	if len(args) == 0 {
		return misuse(errors.New("no subcommand given"))
	}
	switch args[0] {
	case "exec":
		return runExec(args[1:])
	case "healthcheck":
		return healthcheck(args[1:])
	case "help", "-h", "-help", "--help":
		fmt.Print(usage)
		return 0
	default:
		return misuse(fmt.Errorf("unknown subcommand %q", args[0]))
	}
}

func runExec(args []string) int {
	if len(args) == 0 || args[0] != "--" {
		return misuse(errors.New("exec: put -- before the command"))
	}
	command := &adapter.Exec{Args: args[1:]}
	if err := command.Check(); err != nil {
		return misuse(err)
	}
	return worker.Main(command)
}

func healthcheck(args []string) int {
	if len(args) > 0 {
		return misuse(fmt.Errorf("healthcheck: takes no arguments, got %q", args))
	}
	address, set := os.LookupEnv("WORKER_HTTP_ADDRESS")
	if !set {
		address = worker.Default().HTTPAddress
	}
	if err := worker.Healthcheck(context.Background(), address); err != nil {
		fmt.Fprintln(os.Stderr, "worker:", err)
		return 1
	}
	return 0
}

func misuse(err error) int {
	fmt.Fprintf(os.Stderr, "worker: %v\n%s", err, usage)
	return 2
}
