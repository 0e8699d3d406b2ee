package memsqs

import (
	"cmp"
	"context"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// purgeInterval is how long a queue refuses a second purge.
const purgeInterval = 60 * time.Second

const fifoSuffix = ".fifo"

var namePattern = regexp.MustCompile(`^[A-Za-z0-9_-]{1,80}$`)

type createQueueInput struct {
	byName
	Attributes map[string]string
	Tags       map[string]string `json:"tags"`
}

type queueURLOutput struct {
	QueueURL string `json:"QueueUrl"`
}

// createQueue makes a queue, or answers the one that is already as wanted.
func (s *Server) createQueue(ctx context.Context, in *createQueueInput) (*queueURLOutput, error) {
	if err := checkCreation(in); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	out := &queueURLOutput{QueueURL: s.url(ctx, in.QueueName)}
	if q, exists := s.queues[in.QueueName]; exists {
		return out, q.checkSame(in.Attributes)
	}
	return out, s.add(in)
}

// add makes the queue. The lock is held.
func (s *Server) add(in *createQueueInput) error {
	q := newQueue(in.QueueName, s.next(), s.now())
	if strings.HasSuffix(q.name, fifoSuffix) {
		q.order = newGroups()
	}
	maps.Copy(q.tags, in.Tags)
	initial := initialAttributes(strings.HasSuffix(q.name, fifoSuffix))
	if err := s.configure(q, merge(initial, in.Attributes)); err != nil {
		return err
	}
	s.queues[q.name] = q
	return nil
}

func checkCreation(in *createQueueInput) error {
	if in.QueueName == "" {
		return missing("QueueName")
	}
	base, fifo := strings.CutSuffix(in.QueueName, fifoSuffix)
	if !namePattern.MatchString(base) || len(in.QueueName) > 80 {
		return newError("InvalidParameterValue", "Queue name %q: can only include alphanumeric characters, hyphens, or underscores, 1 to 80 in length.", in.QueueName)
	}
	_, wanted := in.Attributes["FifoQueue"]
	if fifo && !wanted {
		return newError("InvalidParameterValue", "Queue name %q: a name that ends with .fifo needs the attribute FifoQueue.", in.QueueName)
	}
	if !fifo && in.Attributes["FifoQueue"] == "true" {
		return newError("InvalidParameterValue", "Queue name %q: the name of a FIFO queue must end with the .fifo suffix.", in.QueueName)
	}
	return cmp.Or(checkTags(in.Tags), checkAttributes(in.Attributes, fifo))
}

// checkSame refuses a second creation that wants something else.
func (q *queue) checkSame(wanted map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		if compact(wanted[name]) != q.attributes[name] {
			return newError("QueueNameExists", "A queue already exists with the same name and a different value for attribute %s.", name)
		}
	}
	return nil
}

type getQueueURLInput struct {
	byName
	QueueOwnerAWSAccountID string `json:"QueueOwnerAWSAccountId"`
}

func (s *Server) getQueueURL(ctx context.Context, in *getQueueURLInput) (*queueURLOutput, error) {
	if in.QueueName == "" {
		return nil, missing("QueueName")
	}
	if in.QueueOwnerAWSAccountID != "" && in.QueueOwnerAWSAccountID != s.account {
		return nil, noSuchQueue()
	}
	err := s.withNamed(in.QueueName, func(*queue, time.Time) error { return nil })
	return &queueURLOutput{QueueURL: s.url(ctx, in.QueueName)}, err
}

type listQueuesInput struct {
	QueueNamePrefix string
	paging
}

func (*listQueuesInput) addressee() string { return "" }

type listQueuesOutput struct {
	QueueURLs []string `json:"QueueUrls,omitempty"`
	NextToken string   `json:"NextToken,omitempty"`
}

func (s *Server) listQueues(ctx context.Context, in *listQueuesInput) (*listQueuesOutput, error) {
	names := slices.DeleteFunc(s.QueueNames(), func(name string) bool {
		return !strings.HasPrefix(name, in.QueueNamePrefix)
	})
	page, next, err := in.page(names)
	return &listQueuesOutput{QueueURLs: s.urls(ctx, page), NextToken: next}, err
}

// QueueNames returns the names of all queues, sorted.
func (s *Server) QueueNames() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.queues))
}

// paging is the part of a list operation's input that asks for pages.
type paging struct {
	MaxResults *int
	NextToken  string
}

const maxPage = 1000

// page returns the wanted part of the names, and the token of the next part if there is one. Without MaxResults the
// first thousand come, and no token.
func (p paging) page(names []string) ([]string, string, error) {
	start, err := strconv.Atoi(cmp.Or(p.NextToken, "0"))
	if err != nil || start < 0 || start > len(names) {
		return nil, "", invalidValue(p.NextToken, "NextToken", "The token is not one of this list's.")
	}
	names = names[start:]
	if p.MaxResults == nil {
		return names[:min(len(names), maxPage)], "", nil
	}
	if *p.MaxResults < 1 || *p.MaxResults > maxPage {
		return nil, "", invalidValue(*p.MaxResults, "MaxResults", "Must be between 1 and 1000, if provided.")
	}
	if len(names) <= *p.MaxResults {
		return names, "", nil
	}
	return names[:*p.MaxResults], strconv.Itoa(start + *p.MaxResults), nil
}

type queueInput struct{ byURL }

func (s *Server) deleteQueue(_ context.Context, in *queueInput) (*empty, error) {
	return &empty{}, s.withQueue(in.QueueURL, func(q *queue, _ time.Time) error {
		q.clear()
		q.deleted = true
		delete(s.queues, q.name)
		return nil
	})
}

func (s *Server) purgeQueue(_ context.Context, in *queueInput) (*empty, error) {
	return &empty{}, s.withQueue(in.QueueURL, func(q *queue, now time.Time) error {
		if !q.purgedAt.IsZero() && now.Sub(q.purgedAt) < purgeInterval {
			return newError("PurgeQueueInProgress", "Only one PurgeQueue operation on %s is allowed every 60 seconds.", q.name)
		}
		q.clear()
		q.purgedAt = now
		return nil
	})
}
