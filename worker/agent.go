package worker

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

const (
	// agentTimeout bounds one call of the ECS agent.
	agentTimeout = 5 * time.Second
	// protectionLife is how long one protection lasts. It is renewed at half of it.
	protectionLife = time.Hour
	maxAgentReply  = 64 * 1024
)

// agent is the ECS agent's task-protection endpoint.
type agent struct {
	uri  string // ECS_AGENT_URI
	http *http.Client
}

// protectionReply is what the agent answers. A refusal comes with status 200.
type protectionReply struct {
	Protection *struct {
		ProtectionEnabled bool
		ExpirationDate    time.Time
	} `json:"protection"`
	Failure *struct{ Reason, Detail string } `json:"failure"`
	Error   *struct{ Code, Message string }  `json:"error"`
}

// protect switches the task's scale-in protection on or off. It succeeds only if
// the reply's body says that the protection is what was asked for.
func (a agent) protect(ctx context.Context, on bool) error {
	ctx, cancel := context.WithTimeout(ctx, agentTimeout)
	defer cancel()
	reply, status, err := a.put(ctx, on)
	switch {
	case err != nil:
		return fmt.Errorf("task protection: %w", err)
	case reply.Failure != nil:
		return fmt.Errorf("task protection refused: %s: %s", reply.Failure.Reason, reply.Failure.Detail)
	case reply.Error != nil:
		return fmt.Errorf("task protection refused: %s: %s", reply.Error.Code, reply.Error.Message)
	case reply.Protection == nil || reply.Protection.ProtectionEnabled != on:
		return fmt.Errorf("task protection not confirmed: status %d", status)
	}
	return nil
}

func (a agent) put(ctx context.Context, on bool) (reply protectionReply, status int, err error) {
	ask := map[string]any{"ProtectionEnabled": on}
	if on {
		ask["ExpiresInMinutes"] = int(protectionLife / time.Minute)
	}
	body, err := json.Marshal(ask)
	if err != nil {
		return reply, 0, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPut, a.uri+"/task-protection/v1/state", bytes.NewReader(body))
	if err != nil {
		return reply, 0, err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := a.http.Do(request)
	if err != nil {
		return reply, 0, err
	}
	defer response.Body.Close()
	if err := json.NewDecoder(io.LimitReader(response.Body, maxAgentReply)).Decode(&reply); err != nil {
		return reply, response.StatusCode, fmt.Errorf("status %d: %w", response.StatusCode, err)
	}
	return reply, response.StatusCode, nil
}
