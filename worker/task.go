package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/rousehq/rouse/internal/workload"
)

// metadataAttempts is how often the task's id is asked for before the host's name must do.
const metadataAttempts = 3

// taskID returns the id of the ECS task that this process runs in, asked of the
// metadata endpoint, or a name of the host and process if there is none. The
// error says why the endpoint could not be used; the id is good all the same.
func taskID(ctx context.Context, client *http.Client, metadataURI string) (string, error) {
	if metadataURI == "" {
		return hostID(), nil
	}
	var err error
	for n := 1; n <= metadataAttempts; n++ {
		var id string
		if id, err = askTaskID(ctx, client, metadataURI+"/task"); err == nil {
			return id, nil
		}
		if !sleep(ctx, readyBackoff.delay(n)) {
			break
		}
	}
	return hostID(), fmt.Errorf("read task metadata: %w", err)
}

func askTaskID(ctx context.Context, client *http.Client, url string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", err
	}
	response, err := client.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	var task struct{ TaskARN string }
	if err := json.NewDecoder(io.LimitReader(response.Body, 1<<20)).Decode(&task); err != nil {
		return "", fmt.Errorf("status %d: %w", response.StatusCode, err)
	}
	id := workload.TaskID(task.TaskARN)
	if id == "" {
		return "", errors.New("has no TaskARN")
	}
	return id, nil
}

func hostID() string {
	host, err := os.Hostname()
	if err != nil || host == "" {
		host = "worker"
	}
	return fmt.Sprintf("%s-%d", host, os.Getpid())
}
