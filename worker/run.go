package worker

import (
	"context"
	"errors"
	"time"
)

// wrapUp is how long the last calls of a stopping worker may take: to put back
// what was interrupted, to delete what is done, to drop its protection.
const wrapUp = 3 * time.Second

// Run works on the queue until ctx is done, then drains and returns nil. It
// returns an error if the settings are wrong or if the worker did not become
// ready in time; nothing was claimed then. It never returns because the queue is
// empty: only the scaler decides how many workers there are.
//
// When ctx is done no further message is received, messages not yet started go
// back to the queue at once, and running jobs have Config.DrainSeconds to end.
// Then their contexts are cancelled with ErrStopping, and their messages go back
// too. Run returns at the latest 8 seconds after the drain deadline, so ECS's
// stopTimeout should be Config.DrainSeconds + 10 or more.
//
// Run may be called more than once, also at the same time.
func Run(ctx context.Context, config Config, handler Handler) error {
	err := errors.Join(config.Validate(), config.validateClients())
	if handler == nil {
		err = errors.Join(err, errors.New("handler: is nil, must be a Handler"))
	}
	if err != nil {
		return err
	}
	w, err := newWorker(ctx, config, handler)
	if err != nil {
		return err
	}
	stop, err := serve(ctx, config.HTTPAddress, routes(w.health, w.gate, w.metrics))
	if err != nil {
		return err
	}
	defer stop()
	return w.run(ctx)
}

// run is the life of a worker: become ready, claim, drain, wrap up.
func (w *worker) run(ctx context.Context) error {
	defer w.cancelCalls()
	w.startServices()
	err := w.readiness.await(ctx)
	if err == nil {
		w.startClaims(ctx)
		<-ctx.Done()
	}
	deadline, cancel := w.stop()
	defer cancel()
	w.claims.Wait()
	w.drain(deadline)
	w.finish()
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// startServices starts what must run until the last message is dealt with.
func (w *worker) startServices() {
	w.batches.Go(func() { w.deletes.batches.run(w.calls) })
	w.batches.Go(func() { w.returns.batches.run(w.calls) })
	services, cancel := context.WithCancel(w.calls)
	w.stopServices = cancel
	w.services.Go(func() { w.leases.run(services) })
	w.services.Go(func() { w.protection.run(services) })
	if w.heartbeats != nil {
		w.services.Go(func() { w.heartbeats.run(services) })
	}
}

// startClaims starts the claim loops and the readiness watch, which end with ctx.
func (w *worker) startClaims(ctx context.Context) {
	for _, p := range w.health.pulses {
		w.claims.Go(func() { w.claimer.run(ctx, p) })
	}
	w.claims.Go(func() { w.readiness.watch(ctx) })
}

// stop gives back what is not started, at once, and starts the clocks: of the
// drain, whose deadline it returns, and of the calls, which end a little later.
func (w *worker) stop() (deadline context.Context, cancel context.CancelFunc) {
	w.gate.close(draining, "stopping")
	w.log.Info("draining", "busy", w.slots.busy(), "drain_seconds", w.config.DrainSeconds)
	w.claimer.giveBack(w.pool.Reclaim(), string(draining))
	drain := duration(w.config.DrainSeconds)
	time.AfterFunc(drain+cancelGrace+wrapUp, w.cancelCalls)
	return context.WithTimeout(context.Background(), drain)
}

// drain waits for the running jobs, and interrupts them at the deadline. Then
// they end within the grace, since a handler that does not return is given up.
func (w *worker) drain(deadline context.Context) {
	if err := w.pool.Drain(deadline); err == nil {
		return
	}
	w.log.Warn("interrupting jobs", "busy", w.slots.busy())
	w.interrupt(ErrStopping)
	_ = w.pool.Drain(context.Background()) // fails only if its context ends
}

// finish flushes what is left to say and stops the services, in this order, since
// leases must be held until their messages are deleted.
func (w *worker) finish() {
	w.deletes.batches.close()
	w.returns.batches.close()
	w.batches.Wait()
	w.stopServices()
	w.services.Wait()
	if err := w.protection.drop(w.calls); err != nil {
		w.log.Warn("task protection not dropped", "error", err)
	}
	if w.heartbeats != nil {
		if err := w.heartbeats.remove(w.calls); err != nil {
			w.log.Warn("heartbeat not removed", "error", err)
		}
	}
	w.log.Info("stopped")
}
