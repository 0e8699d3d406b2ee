package worker

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	awsconfig "github.com/aws/aws-sdk-go-v2/config"
)

// Exit codes of Main.
const (
	exitFailed = 1 // the worker could not start or was not ready in time
	exitUsage  = 2 // a setting is wrong
)

// Main runs handler as a whole program: it reads the settings from the
// environment, makes the clients, and calls Run until SIGTERM or SIGINT, logging
// JSON to standard error. A second signal ends the process at once. It returns
// the exit code:
//
//	func main() { os.Exit(worker.Main(worker.HandlerFunc(handle))) }
func Main(handler Handler) int {
	config, err := Parse(os.LookupEnv)
	if err != nil {
		return complain(os.Stderr, err, exitUsage)
	}
	config.Logger = NewLogger(os.Stderr, config)
	slog.SetDefault(config.Logger) // for what has no logger of its own
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	context.AfterFunc(ctx, stop)
	loaded, err := awsconfig.LoadDefaultConfig(ctx)
	if err != nil {
		return complain(os.Stderr, fmt.Errorf("load AWS configuration: %w", err), exitFailed)
	}
	if loaded.Region == "" {
		return complain(os.Stderr, wrong("AWS_REGION", "", "the region of the queue, such as eu-west-1"), exitUsage)
	}
	config.Clients = NewClients(loaded)
	if err := Run(ctx, config, handler); err != nil {
		config.Logger.Error("worker failed", "error", err)
		return exitFailed
	}
	return 0
}

// NewLogger returns the logger that Main uses: JSON lines at config.LogLevel that
// name the workload.
func NewLogger(w io.Writer, config Config) *slog.Logger {
	options := &slog.HandlerOptions{Level: config.LogLevel}
	return slog.New(slog.NewJSONHandler(w, options)).With("workload", config.Workload)
}

func complain(w io.Writer, err error, code int) int {
	fmt.Fprintln(w, err)
	return code
}
