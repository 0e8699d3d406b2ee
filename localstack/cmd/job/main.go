// Command job is the job that the demo and the integration tests run, one
// process a message. It reads {"work_ms": 300, "exit": 0} from stdin, works (that
// is, waits) for that long and exits with that code. On SIGTERM it stops early
// with code 75: try again later.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"
)

const (
	exitUsage = 65 // the message can never be done
	exitLater = 75
)

// order is what a message asks for.
type order struct {
	WorkMS int    `json:"work_ms"`
	Exit   int    `json:"exit"`
	Say    string `json:"say"`
}

func main() { os.Exit(run(os.Stdin, os.Stderr)) }

func run(in io.Reader, out io.Writer) int {
	var o order
	if err := json.NewDecoder(in).Decode(&o); err != nil {
		fmt.Fprintln(out, "read the message:", err)
		return exitUsage
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	select {
	case <-time.After(time.Duration(o.WorkMS) * time.Millisecond):
	case <-stop:
		fmt.Fprintln(out, "told to stop")
		return exitLater
	}
	if o.Say != "" {
		fmt.Fprintln(out, o.Say)
	}
	return o.Exit
}
