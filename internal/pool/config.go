package pool

import (
	"errors"
	"fmt"
)

// The ranges of the settings.
const (
	minSize, maxSize             = 1, 1000
	minBufferSize, maxBufferSize = 1, 10000
)

// Config holds the settings of a pool. Default returns the defaults; the zero
// value is not valid.
type Config struct {
	// Size is the number of goroutines, so of tasks that run at once
	// (WORKER_POOL_SIZE, 1 to 1000).
	Size int
	// BufferSize is how many tasks may wait for a goroutine
	// (WORKER_BUFFER_SIZE, 1 to 10000).
	BufferSize int
	// OnPanic, if set, is told the value and the stack of each panic in a task.
	// It is called by the goroutine that ran the task, so by several at once,
	// and the task counts as running until it returns. A panic in OnPanic is
	// recovered and counted too, but not reported.
	OnPanic func(value any, stack []byte)
}

// Default returns a pool of one goroutine with room for 100 waiting tasks.
func Default() Config {
	return Config{Size: 1, BufferSize: 100}
}

// Validate returns nil, or one error that joins all problems: each names the
// setting, its value and the allowed range.
func (c Config) Validate() error {
	return errors.Join(
		within("WORKER_POOL_SIZE", c.Size, minSize, maxSize),
		within("WORKER_BUFFER_SIZE", c.BufferSize, minBufferSize, maxBufferSize),
	)
}

func within(name string, value, low, high int) error {
	if value >= low && value <= high {
		return nil
	}
	return fmt.Errorf("%s: is %d, must be a whole number from %d to %d", name, value, low, high)
}
