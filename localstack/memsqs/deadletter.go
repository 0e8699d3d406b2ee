package memsqs

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"
)

// redrivePolicy says where a queue's messages go after too many receives. The zero value keeps them.
type redrivePolicy struct {
	target      string
	maxReceives int
}

func parseRedrivePolicy(document string) (redrivePolicy, error) {
	if document == "" {
		return redrivePolicy{}, nil
	}
	var p struct {
		DeadLetterTargetArn string      `json:"deadLetterTargetArn"`
		MaxReceiveCount     json.Number `json:"maxReceiveCount"`
	}
	if err := json.Unmarshal([]byte(document), &p); err != nil {
		return redrivePolicy{}, invalidValue(document, "RedrivePolicy", err.Error())
	}
	receives, err := p.MaxReceiveCount.Int64()
	switch {
	case p.DeadLetterTargetArn == "":
		return redrivePolicy{}, invalidValue(document, "RedrivePolicy", "Redrive policy does not contain mandatory attribute: deadLetterTargetArn.")
	case p.MaxReceiveCount == "":
		return redrivePolicy{}, invalidValue(document, "RedrivePolicy", "Redrive policy does not contain mandatory attribute: maxReceiveCount.")
	case err != nil || receives < 1 || receives > 1000:
		return redrivePolicy{}, invalidValue(document, "RedrivePolicy", "Invalid value for maxReceiveCount: "+p.MaxReceiveCount.String()+", valid values are from 1 to 1000 both inclusive.")
	}
	return redrivePolicy{target: p.DeadLetterTargetArn, maxReceives: int(receives)}, nil
}

// allowPolicy says which queues may use this one as their dead-letter queue. The zero value allows all.
type allowPolicy struct {
	permission string
	sources    []string
}

const maxAllowedSources = 10

func parseAllowPolicy(document string) (allowPolicy, error) {
	if document == "" {
		return allowPolicy{}, nil
	}
	var p struct {
		RedrivePermission string   `json:"redrivePermission"`
		SourceQueueArns   []string `json:"sourceQueueArns"`
	}
	if err := json.Unmarshal([]byte(document), &p); err != nil {
		return allowPolicy{}, invalidValue(document, "RedriveAllowPolicy", err.Error())
	}
	byQueue := p.RedrivePermission == "byQueue"
	switch {
	case !slices.Contains([]string{"allowAll", "denyAll", "byQueue"}, p.RedrivePermission):
		return allowPolicy{}, invalidValue(document, "RedriveAllowPolicy", "redrivePermission must be one of allowAll, denyAll, byQueue.")
	case byQueue != (len(p.SourceQueueArns) > 0):
		return allowPolicy{}, invalidValue(document, "RedriveAllowPolicy", "sourceQueueArns must be given with byQueue, and only then.")
	case len(p.SourceQueueArns) > maxAllowedSources:
		return allowPolicy{}, invalidValue(document, "RedriveAllowPolicy", "sourceQueueArns must not have more than 10 elements.")
	}
	return allowPolicy{permission: p.RedrivePermission, sources: p.SourceQueueArns}, nil
}

func (p allowPolicy) allows(source string) bool {
	switch p.permission {
	case "denyAll":
		return false
	case "byQueue":
		return slices.Contains(p.sources, source)
	}
	return true
}

// checkRedrive says whether the named queue may have these settings: its dead-letter queue exists, is of its type
// and lets it in.
func (s *Server) checkRedrive(name string, wanted settings, document string) error {
	if wanted.redrive.target == "" {
		return nil
	}
	target, exists := s.byARN(wanted.redrive.target)
	switch {
	case !exists:
		return invalidValue(document, "RedrivePolicy", "Dead letter target does not exist.")
	case target.fifo != wanted.fifo:
		return invalidValue(document, "RedrivePolicy", "Dead-letter queue must be same type of queue as the source.")
	case !target.allow.allows(s.arn(name)):
		return invalidValue(document, "RedrivePolicy", "Queue does not have permission to use this queue as its dead-letter queue: the RedriveAllowPolicy of "+wanted.redrive.target+" says no.")
	}
	return nil
}

// exhausted says whether the message has used up its attempts, and returns the queue that it goes to.
func (s *Server) exhausted(q *queue, m *message) (*queue, bool) {
	if q.redrive.target == "" || m.attempts < q.redrive.maxReceives {
		return nil, false
	}
	return s.byARN(q.redrive.target)
}

// deadLetter moves a message to the dead-letter queue. It keeps its id and its attributes.
func (s *Server) deadLetter(q, target *queue, m *message, now time.Time) {
	target.advance(now)
	q.remove(m)
	m.sourceARN = s.arn(q.name)
	target.add(m, 0, now)
	target.settle(s, now)
}

type listSourcesInput struct {
	byURL
	paging
}

type listSourcesOutput struct {
	// QueueURLs begins with a small letter in this operation only.
	QueueURLs []string `json:"queueUrls"`
	NextToken string   `json:"NextToken,omitempty"`
}

// listDeadLetterSourceQueues answers the queues that use this one as their dead-letter queue.
func (s *Server) listDeadLetterSourceQueues(ctx context.Context, in *listSourcesInput) (*listSourcesOutput, error) {
	var names []string
	err := s.withQueue(in.QueueURL, func(q *queue, _ time.Time) error {
		names = s.sources(q)
		return nil
	})
	if err != nil {
		return nil, err
	}
	page, next, err := in.page(names)
	return &listSourcesOutput{QueueURLs: s.urls(ctx, page), NextToken: next}, err
}

// sources returns the names of the queues whose dead-letter queue this is, sorted.
func (s *Server) sources(q *queue) []string {
	arn := s.arn(q.name)
	return slices.SortedFunc(func(yield func(string) bool) {
		for other := range maps.Values(s.queues) {
			if other.redrive.target == arn && !yield(other.name) {
				return
			}
		}
	}, strings.Compare)
}
