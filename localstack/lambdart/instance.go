package lambdart

import (
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/rousehq/rouse/localstack/process"
)

// stopGrace is how long an idle bootstrap may take to end.
const stopGrace = time.Second

// instance is a running bootstrap. It takes one invocation at a time.
type instance struct {
	api   *runtimeAPI
	group *process.Group
	log   io.Closer
	warm  bool // has answered before
}

// startInstance starts the bootstrap of a deployment.
func startInstance(d *deployment, env []string, log io.WriteCloser) (*instance, error) {
	api, err := serveRuntimeAPI()
	if err != nil {
		return nil, fmt.Errorf("serve the runtime API: %w", err)
	}
	cmd := exec.Command(filepath.Join(d.dir, "bootstrap"))
	cmd.Dir = d.dir
	cmd.Env = append(env, "AWS_LAMBDA_RUNTIME_API="+api.address)
	cmd.Stdout, cmd.Stderr = log, log
	group, err := process.Start(cmd)
	if err != nil {
		api.close()
		return nil, err
	}
	return &instance{api: api, group: group, log: log}, nil
}

// close ends the bootstrap.
func (i *instance) close() {
	i.group.Stop(stopGrace)
	i.api.close()
	_ = i.log.Close()
}

// fate is what became of an instance that was given an event.
type fate int

const (
	reusable  fate = iota // it can take another event
	spent                 // it has to be closed
	untouched             // it had ended before it took the event; another may take it
)

// invoke hands an event to the bootstrap and waits for its answer.
func (i *instance) invoke(e event, timeout time.Duration) (result, fate) {
	timer := time.NewTimer(time.Until(e.deadline))
	defer timer.Stop()
	select {
	case i.api.events <- e:
		return i.await(e, timer, timeout)
	case output := <-i.api.initFail:
		return failure(e, output), spent
	case <-i.group.Done():
		return i.exited(e), untouched
	case <-timer.C:
		return i.timedOut(e, timeout), spent
	}
}

// await waits for the answer to an event that was taken.
func (i *instance) await(e event, timer *time.Timer, timeout time.Duration) (result, fate) {
	for {
		select {
		case answer := <-i.api.results:
			if answer.requestID == e.requestID {
				return answer, reusable
			}
		case <-i.group.Done():
			return i.exited(e), spent
		case <-timer.C:
			return i.timedOut(e, timeout), spent
		}
	}
}

func failure(e event, output []byte) result {
	return result{requestID: e.requestID, output: output, failed: true}
}

func (i *instance) exited(e event) result {
	select {
	case output := <-i.api.initFail: // why it exited
		return failure(e, output)
	default:
	}
	exit := i.group.Wait()
	cause := fmt.Sprintf("exit status %d", exit.Code)
	if exit.Signal != 0 {
		cause = "signal: " + exit.Signal.String()
	}
	return failure(e, errorOutput("Runtime.ExitError", fmt.Sprintf("RequestId: %s Error: Runtime exited with error: %s", e.requestID, cause)))
}

func (i *instance) timedOut(e event, timeout time.Duration) result {
	_ = i.group.Kill()
	return failure(e, errorOutput("Sandbox.Timedout", fmt.Sprintf("RequestId: %s Error: Task timed out after %.2f seconds", e.requestID, timeout.Seconds())))
}
