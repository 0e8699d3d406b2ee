package demo

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/rousehq/rouse/localstack"
	"github.com/rousehq/rouse/localstack/rig"
	"github.com/rousehq/rouse/localstack/taskrunner"
)

// cleanUpTime bounds what is still done after an interrupt.
const cleanUpTime = 2 * time.Minute

// Run runs the demo until the fleet is back at zero, everything is accounted for
// and destroyed. When ctx ends it cleans up and returns the context's cause.
func Run(ctx context.Context, options Options) error {
	if err := options.Validate(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, options.Timeout, fmt.Errorf("the demo has not come to its end within %v", options.Timeout))
	defer cancel()
	s := newScreen(options.Out, options.Columns)
	cloud, err := startCloud(ctx, options, s)
	if err != nil {
		return err
	}
	defer cloud.Close()
	r, err := deploy(ctx, cloud, options, s)
	if err == nil {
		err = work(ctx, cloud, r, options, s)
	}
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	return errors.Join(err, destroy(ctx, r, s))
}

func startCloud(ctx context.Context, options Options, s *screen) (*localstack.Cloud, error) {
	program, err := rig.Program(options.Root)
	if err != nil {
		return nil, err
	}
	logger, err := cloudLog(options.Logs)
	if err != nil {
		return nil, err
	}
	done := s.step("start the local cloud")
	cloud, err := localstack.Start(ctx, localstack.Options{
		Programs:     map[string]taskrunner.Program{rig.Image: program},
		NoContainers: options.Processes,
		StartDelay:   options.StartDelay,
		Dir:          options.Logs,
		Logger:       logger,
	})
	if err != nil {
		return nil, err
	}
	done("AWS_ENDPOINT_URL=" + cloud.Endpoint())
	return cloud, nil
}

// cloudLog writes what the cloud does into a file beside its other logs; nil if none are kept.
func cloudLog(dir string) (*slog.Logger, error) {
	if dir == "" {
		return nil, nil
	}
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return nil, fmt.Errorf("keep logs: %w", err)
	}
	file, err := os.Create(filepath.Join(dir, "cloud.log"))
	if err != nil {
		return nil, fmt.Errorf("keep logs: %w", err)
	}
	return slog.New(slog.NewTextHandler(file, nil)), nil
}

// deploy applies the module. The rig is returned even when that fails, to be destroyed.
func deploy(ctx context.Context, cloud *localstack.Cloud, options Options, s *screen) (*rig.Rig, error) {
	containers := !options.Processes && taskrunner.HasImage(ctx, rig.Image)
	kind := "processes"
	if containers {
		kind = "containers"
	}
	done := s.step("terraform apply (about a minute; workers run as " + kind + ")")
	r, err := rig.Deploy(ctx, rig.Options{
		Cloud: cloud, Root: options.Root, Name: "demo", Progress: s,
		Inputs: options.inputs(rig.JobCommand(options.Root, containers)),
	})
	if err != nil {
		return r, err
	}
	done("queue " + r.Outputs.QueueURL)
	return r, nil
}

// work sends the jobs, watches until the fleet is back at zero, and checks the books.
func work(ctx context.Context, cloud *localstack.Cloud, r *rig.Rig, options Options, s *screen) error {
	done := s.step(fmt.Sprintf("send %d jobs of %v to a queue with no workers", options.Jobs, options.Work))
	jobs := make([]rig.Job, options.Jobs)
	for i := range jobs {
		jobs[i] = rig.Job{WorkMS: int(options.Work.Milliseconds())}
	}
	ids, err := r.Send(ctx, jobs...)
	if err != nil {
		return err
	}
	done("")
	w := newWatch(r, len(ids), s)
	if err := w.untilZero(ctx); err != nil {
		return err
	}
	s.line(w.summary())
	return settle(ctx, cloud, r, ids, s)
}

// destroy removes what was deployed, also after an interrupt. An own endpoint
// forgets everything when it ends, so then there is nothing to wait for.
func destroy(ctx context.Context, r *rig.Rig, s *screen) error {
	if r == nil || ctx.Err() != nil && r.Ephemeral() {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanUpTime)
	defer cancel()
	done := s.step("terraform destroy")
	if err := r.Destroy(ctx); err != nil {
		return err
	}
	done("")
	return nil
}
