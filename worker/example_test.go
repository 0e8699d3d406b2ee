package worker_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/rousehq/rouse/worker"
)

func ExampleMain() {
	handler := worker.HandlerFunc(func(ctx context.Context, m worker.Message) error {
		return os.WriteFile("report-"+m.ID, []byte(m.Body), 0o600)
	})
	main := func() { os.Exit(worker.Main(handler)) }
	_ = main
}

func ExampleParse() {
	env := map[string]string{"ROUSE_WORKLOAD": "reports", "WORKER_POOL_SIZE": "0"}
	_, err := worker.Parse(func(name string) (string, bool) { value, set := env[name]; return value, set })
	fmt.Println(err)
	// Output:
	// WORKER_POOL_SIZE: is "0", must be a whole number from 1 to 1000
	// ROUSE_QUEUE_URL: is "", must be the http(s) URL of a queue
}

func ExamplePermanent() {
	handle := func(_ context.Context, m worker.Message) error {
		if m.Body == "" {
			return worker.Permanent(errors.New("no report named"))
		}
		return nil
	}
	err := handle(context.Background(), worker.Message{})
	fmt.Println(err, worker.IsPermanent(err))
	// Output: no report named true
}

func ExampleRetryAfter() {
	err := worker.RetryAfter(90*time.Second, errors.New("rate limited"))
	fmt.Println(err)
	// Output: rate limited
}
