package taskrunner

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"
)

const (
	agentPath      = "/agent/"
	metadataPath   = "/v4/"
	protectionPath = "/task-protection/v1/state"

	defaultProtection = 120 // minutes
	maxProtection     = 2880
	maxAgentBody      = 64 << 10
)

// Failure is the agent's refusal to protect a task. It is answered with HTTP 200.
type Failure struct {
	Arn    string
	Reason string // for example "DEPLOYMENT_BLOCKED" or "TASK_NOT_VALID"
	Detail string
}

// RefuseProtection has the agent ask f before it protects a task, and answer what f returns unless nil. f must not call
// the Runner. A nil f ends it.
func (r *Runner) RefuseProtection(f func(Task) *Failure) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.refuse = f
}

// protection is the agent's answer about a task's protection.
type protection struct {
	ProtectionEnabled bool
	ExpirationDate    *time.Time `json:",omitempty"`
	TaskArn           string
}

// agentError is the agent's answer to a wrong request.
type agentError struct {
	Arn     string
	Code    string
	Message string
}

// agentReply is one of the three shapes of an answer.
type agentReply struct {
	Protection *protection `json:"protection,omitempty"`
	Failure    *Failure    `json:"failure,omitempty"`
	Error      *agentError `json:"error,omitempty"`
}

// Agent serves the ECS agent's endpoints of all tasks: task protection and metadata version 4.
func (r *Runner) Agent() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+agentPath+"{task}"+protectionPath, r.getProtection)
	mux.HandleFunc("PUT "+agentPath+"{task}"+protectionPath, r.putProtection)
	mux.HandleFunc("GET "+metadataPath+"{task}", r.getContainer)
	mux.HandleFunc("GET "+metadataPath+"{task}/task", r.getTask)
	return mux
}

func (r *Runner) getProtection(w http.ResponseWriter, req *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	task := r.find(req.PathValue("task"))
	if task == nil {
		notFound(w, req)
		return
	}
	answer(w, http.StatusOK, agentReply{Protection: protectionOf(task.Task, time.Now())})
}

func protectionOf(t Task, now time.Time) *protection {
	state := &protection{TaskArn: t.ARN, ProtectionEnabled: t.Protected(now)}
	if state.ProtectionEnabled {
		until := t.ProtectedUntil.UTC().Truncate(time.Second)
		state.ExpirationDate = &until
	}
	return state
}

func (r *Runner) putProtection(w http.ResponseWriter, req *http.Request) {
	var input struct {
		ProtectionEnabled *bool
		ExpiresInMinutes  *int
	}
	err := json.NewDecoder(http.MaxBytesReader(w, req.Body, maxAgentBody)).Decode(&input)
	minutes := defaultProtection
	if input.ExpiresInMinutes != nil {
		minutes = *input.ExpiresInMinutes
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	task := r.find(req.PathValue("task"))
	switch {
	case task == nil:
		notFound(w, req)
	case err != nil || input.ProtectionEnabled == nil:
		invalid(w, task.ARN, "ProtectionEnabled must be true or false")
	case minutes < 1 || minutes > maxProtection:
		invalid(w, task.ARN, "ExpiresInMinutes must be between 1 and "+strconv.Itoa(maxProtection))
	default:
		answer(w, http.StatusOK, r.protect(task, *input.ProtectionEnabled, time.Duration(minutes)*time.Minute))
	}
}

// protect sets a task's protection unless it is refused. It wants the lock held, so that a task is either protected or
// chosen to stop, never both.
func (r *Runner) protect(t *task, enabled bool, duration time.Duration) agentReply {
	now := time.Now()
	if !t.Alive() {
		return agentReply{Failure: &Failure{Arn: t.ARN, Reason: "TASK_NOT_VALID", Detail: "the task is stopping"}}
	}
	if r.refuse != nil && enabled {
		if failure := r.refuse(t.Task); failure != nil {
			failure.Arn = t.ARN
			return agentReply{Failure: failure}
		}
	}
	t.ProtectedUntil = time.Time{}
	if enabled {
		t.ProtectedUntil = now.Add(duration)
	}
	r.nudge()
	return agentReply{Protection: protectionOf(t.Task, now)}
}

func invalid(w http.ResponseWriter, arn, message string) {
	answer(w, http.StatusBadRequest, agentReply{Error: &agentError{Arn: arn, Code: "InvalidParameterException", Message: message}})
}

func notFound(w http.ResponseWriter, req *http.Request) {
	message := "task " + req.PathValue("task") + " is not known"
	answer(w, http.StatusNotFound, agentReply{Error: &agentError{Code: "ResourceNotFoundException", Message: message}})
}

func answer(w http.ResponseWriter, status int, reply any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(reply)
}
