// Command demo shows the whole loop, from zero and back, on this machine. See
// package demo; `make demo` builds what it needs and runs it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/term"

	"github.com/rousehq/rouse/localstack/demo"
)

// Exit codes.
const (
	exitFailed      = 1
	exitUsage       = 2
	exitInterrupted = 130
)

var errInterrupted = errors.New("interrupted")

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	options, err := parse(args)
	if err != nil {
		return exitUsage // the flag set has said what is wrong
	}
	ctx, stop := interruptible()
	defer stop()
	err = demo.Run(ctx, options)
	if err == nil {
		return 0
	}
	fmt.Fprintln(os.Stderr, "demo:", err)
	if errors.Is(err, errInterrupted) {
		return exitInterrupted
	}
	return exitFailed
}

func parse(args []string) (demo.Options, error) {
	o := demo.Default()
	o.Out = os.Stdout
	flags := flag.NewFlagSet("demo", flag.ContinueOnError)
	flags.StringVar(&o.Root, "root", o.Root, "the repository's `folder`")
	flags.IntVar(&o.Jobs, "jobs", o.Jobs, "how many jobs to send")
	flags.DurationVar(&o.Work, "work", o.Work, "how long a job takes")
	flags.IntVar(&o.Tick, "tick", o.Tick, "the scaler's tick in `seconds`")
	flags.IntVar(&o.Idle, "idle", o.Idle, "the idle window in `seconds`")
	flags.IntVar(&o.MaxTasks, "max-tasks", o.MaxTasks, "the most tasks")
	flags.IntVar(&o.Slots, "slots", o.Slots, "how many jobs a task works on at once")
	flags.DurationVar(&o.StartDelay, "start-delay", o.StartDelay, "how long a task takes to be provisioned")
	flags.DurationVar(&o.Timeout, "timeout", o.Timeout, "give up after this time")
	flags.BoolVar(&o.Processes, "processes", false, "run workers as processes even where Docker has the image")
	flags.StringVar(&o.Logs, "logs", "", "keep all logs in this `folder`")
	plain := flags.Bool("plain", false, "plain lines even on a terminal")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		err := fmt.Errorf("unexpected argument %q", flags.Arg(0))
		fmt.Fprintln(flags.Output(), err)
		return o, err
	}
	if columns, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil && !*plain {
		o.Columns = columns
	}
	return o, nil
}

// interruptible returns a context that the first interrupt ends; the second ends the program.
func interruptible() (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		fmt.Fprintln(os.Stderr, "\ncleaning up; once more to stop at once")
		signal.Stop(signals)
		cancel(errInterrupted)
	}()
	return ctx, func() { cancel(nil) }
}
