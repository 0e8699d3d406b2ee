// Command cloud runs Rouse's local cloud until it is interrupted. On standard output it prints the lines to paste into
// a shell that is to use the cloud, then one line for each change of a task; failed invocations and schedules that
// cannot be fired go to standard error.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/rousehq/rouse/localstack"
	"github.com/rousehq/rouse/localstack/taskrunner"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "cloud:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	options, err := parse(args, stderr)
	if err != nil {
		return err
	}
	options.Logger = slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	cloud, err := localstack.Start(ctx, options)
	if err != nil {
		return err
	}
	defer cloud.Close()
	env := cloud.Env()
	for _, name := range slices.Sorted(maps.Keys(env)) {
		fmt.Fprintf(stdout, "export %s=%s\n", name, env[name])
	}
	cloud.Fleet.Observe(func(task taskrunner.Task) { fmt.Fprintln(stdout, "#", line(task)) })
	<-ctx.Done()
	cloud.Fleet.Observe(nil)
	return nil
}

func line(task taskrunner.Task) string {
	text := fmt.Sprintf("%s %s/%s %s", time.Now().Format(time.TimeOnly), task.Service, task.ID[:8], task.LastStatus)
	if task.Health != taskrunner.HealthUnknown {
		text += " " + task.Health
	}
	if task.Reason != "" {
		text += ": " + task.Reason
	}
	return text
}

func parse(args []string, stderr io.Writer) (localstack.Options, error) {
	options := localstack.Options{NoTerraform: true, Programs: make(map[string]taskrunner.Program)}
	flags := flag.NewFlagSet("cloud", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.IntVar(&options.Port, "port", 4566, "the endpoint's port, 0 to 65535; 0 takes a free one")
	flags.DurationVar(&options.StartDelay, "start-delay", 2*time.Second, "how long tasks stay PENDING, 0 to 1h")
	flags.StringVar(&options.Dir, "dir", "", "where logs go (default: a temporary folder, removed at the end)")
	flags.BoolVar(&options.NoContainers, "no-containers", false, "run programs even where a container engine has the image")
	flags.Func("program", "IMAGE=COMMAND stands in for an image (may be repeated); COMMAND is split at spaces", func(value string) error {
		return addProgram(options.Programs, value)
	})
	if err := flags.Parse(args); err != nil {
		return localstack.Options{}, err
	}
	return options, validate(options, flags.Args())
}

func addProgram(programs map[string]taskrunner.Program, value string) error {
	image, command, ok := strings.Cut(value, "=")
	argv := strings.Fields(command)
	if !ok || image == "" || len(argv) == 0 {
		return errors.New("want IMAGE=COMMAND")
	}
	programs[image] = taskrunner.Program{Command: argv}
	return nil
}

func validate(options localstack.Options, rest []string) error {
	var problems []error
	if options.Port < 0 || options.Port > 65535 {
		problems = append(problems, fmt.Errorf("-port=%d: want 0 to 65535", options.Port))
	}
	if options.StartDelay < 0 || options.StartDelay > time.Hour {
		problems = append(problems, fmt.Errorf("-start-delay=%s: want 0 to 1h", options.StartDelay))
	}
	if len(rest) > 0 {
		problems = append(problems, fmt.Errorf("unexpected arguments: %s", strings.Join(rest, " ")))
	}
	return errors.Join(problems...)
}
