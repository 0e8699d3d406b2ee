package memsqs

import (
	"cmp"
	"context"
	"hash/maphash"
	"net/url"
	"path"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// The account and region of a server that was not given others.
const (
	DefaultAccount = "000000000000"
	DefaultRegion  = "us-east-1"
)

// Options are a server's settings. The zero value is ready to use.
type Options struct {
	// Region is part of every queue's ARN; DefaultRegion if empty.
	Region string
	// Account is part of every queue's URL and ARN; DefaultAccount if empty.
	Account string
	// Now is the clock, time.Now if nil. It must run as fast as the time package's timers do, since those wake the
	// long polls.
	Now func() time.Time
}

// Server is an in-memory SQS. It serves HTTP, and its methods work beside that. All of it may be used concurrently.
// Make one with New; it needs no closing.
type Server struct {
	region  string
	account string
	now     func() time.Time
	seed    maphash.Seed

	fault  atomic.Pointer[func(op, queue string) *Fault]
	onCall atomic.Pointer[func(op, queue string)]

	mu     sync.Mutex // guards all below, the queues' insides included
	queues map[string]*queue
	tasks  []*moveTask
	last   uint64 // the last number given out by next
}

// New returns an empty server.
func New(o Options) *Server {
	s := &Server{
		region:  cmp.Or(o.Region, DefaultRegion),
		account: cmp.Or(o.Account, DefaultAccount),
		now:     o.Now,
		seed:    maphash.MakeSeed(),
		queues:  map[string]*queue{},
	}
	if s.now == nil {
		s.now = time.Now
	}
	return s
}

// next returns a number that was not used before; they rise.
func (s *Server) next() uint64 {
	s.last++
	return s.last
}

// withQueue runs f on the queue, at present time and under the lock, and then wakes whoever waits for its outcome.
func (s *Server) withQueue(queueURL string, f func(q *queue, now time.Time) error) error {
	name, err := s.nameIn(queueURL)
	if err != nil {
		return err
	}
	return s.withNamed(name, f)
}

func (s *Server) withNamed(name string, f func(q *queue, now time.Time) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	q, exists := s.queues[name]
	if !exists {
		return noSuchQueue()
	}
	now := s.now()
	q.advance(now)
	err := f(q, now)
	q.settle(s, now)
	return err
}

// nameIn returns the queue's name from its URL, whichever host that names: .../ACCOUNT/NAME.
func (s *Server) nameIn(queueURL string) (string, error) {
	if queueURL == "" {
		return "", missing("QueueUrl")
	}
	u, err := url.Parse(queueURL)
	if err != nil {
		return "", newError("InvalidAddress", "The address %s is not valid for this endpoint.", queueURL)
	}
	account, name := path.Split(u.Path)
	if account != "" && path.Base(account) != s.account {
		return "", noSuchQueue()
	}
	return name, nil
}

func (s *Server) arnPrefix() string { return "arn:aws:sqs:" + s.region + ":" + s.account + ":" }

func (s *Server) arn(name string) string { return s.arnPrefix() + name }

// byARN returns the queue with the ARN.
func (s *Server) byARN(arn string) (*queue, bool) {
	name, ours := strings.CutPrefix(arn, s.arnPrefix())
	q, exists := s.queues[name]
	return q, ours && exists
}

// urls returns the queues' URLs on the host that the request named.
func (s *Server) urls(ctx context.Context, names []string) []string {
	urls := make([]string, len(names))
	for i, name := range names {
		urls[i] = s.url(ctx, name)
	}
	return urls
}

func (s *Server) url(ctx context.Context, name string) string {
	return requestOf(ctx).origin + "/" + s.account + "/" + name
}
