package worker

import (
	"context"
	"sync"
	"time"
)

const (
	batchSize     = 10                     // SQS's limit on the entries of a call
	batchLinger   = 100 * time.Millisecond // the longest that an entry waits for others
	batchFlights  = 8                      // calls under way at once
	batchAttempts = 6
)

// batcher gathers entries into calls of ten. Entries that fail are tried again
// with back-off, apart from those that succeeded. When all calls are under way
// and slow, add blocks, which holds back the jobs instead of memory.
type batcher[T any] struct {
	// call makes one call and returns the entries that are worth another try.
	call func(context.Context, []T) (retry []T, err error)
	// abandon is told of the entries that were tried often enough.
	abandon func([]T, error)
	retry   backoff

	in      chan T
	flights chan struct{}
	flying  sync.WaitGroup
}

func newBatcher[T any](call func(context.Context, []T) ([]T, error), abandon func([]T, error)) *batcher[T] {
	return &batcher[T]{
		call:    call,
		abandon: abandon,
		retry:   backoff{base: 200 * time.Millisecond, max: 5 * time.Second},
		in:      make(chan T, batchSize*batchFlights),
		flights: make(chan struct{}, batchFlights),
	}
}

// add hands over an entry. It must not be called after close.
func (b *batcher[T]) add(entry T) { b.in <- entry }

// close makes run send what is left at once and return.
func (b *batcher[T]) close() { close(b.in) }

// run sends batches until close, and returns when every call has ended. ctx bounds the calls.
func (b *batcher[T]) run(ctx context.Context) {
	for first := range b.in {
		batch := b.fill(first)
		b.flights <- struct{}{}
		b.flying.Go(func() {
			defer func() { <-b.flights }()
			b.send(ctx, batch)
		})
	}
	b.flying.Wait()
}

// fill gathers a batch: until it is full, or its first entry has waited long enough.
func (b *batcher[T]) fill(first T) []T {
	batch := append(make([]T, 0, batchSize), first)
	linger := time.NewTimer(batchLinger)
	defer linger.Stop()
	for len(batch) < batchSize {
		select {
		case entry, more := <-b.in:
			if !more {
				return batch
			}
			batch = append(batch, entry)
		case <-linger.C:
			return batch
		}
	}
	return batch
}

func (b *batcher[T]) send(ctx context.Context, batch []T) {
	for attempt := 1; ; attempt++ {
		failed, err := b.call(ctx, batch)
		if len(failed) == 0 {
			return
		}
		if attempt == batchAttempts || !sleep(ctx, b.retry.delay(attempt)) {
			b.abandon(failed, err)
			return
		}
		batch = failed
	}
}

// sleep waits for d and reports whether it passed before ctx was done.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
