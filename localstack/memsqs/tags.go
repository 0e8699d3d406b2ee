package memsqs

import (
	"context"
	"maps"
	"strings"
	"time"
)

const (
	maxTags     = 50
	maxTagKey   = 128
	maxTagValue = 256
)

type tagQueueInput struct {
	byURL
	Tags map[string]string
}

func (s *Server) tagQueue(_ context.Context, in *tagQueueInput) (*empty, error) {
	return &empty{}, s.withQueue(in.QueueURL, func(q *queue, _ time.Time) error {
		merged := maps.Clone(q.tags)
		maps.Copy(merged, in.Tags)
		if err := checkTags(merged); err != nil {
			return err
		}
		q.tags = merged
		return nil
	})
}

type untagQueueInput struct {
	byURL
	TagKeys []string
}

func (s *Server) untagQueue(_ context.Context, in *untagQueueInput) (*empty, error) {
	return &empty{}, s.withQueue(in.QueueURL, func(q *queue, _ time.Time) error {
		for _, key := range in.TagKeys {
			delete(q.tags, key)
		}
		return nil
	})
}

type listTagsOutput struct {
	Tags map[string]string `json:",omitempty"`
}

func (s *Server) listQueueTags(_ context.Context, in *queueInput) (*listTagsOutput, error) {
	out := &listTagsOutput{}
	return out, s.withQueue(in.QueueURL, func(q *queue, _ time.Time) error {
		out.Tags = maps.Clone(q.tags)
		return nil
	})
}

// checkTags checks all the tags that a queue would have.
func checkTags(tags map[string]string) error {
	if len(tags) > maxTags {
		return newError("InvalidParameterValue", "Too many tags: %d, allowed 0..%d.", len(tags), maxTags)
	}
	for key, value := range tags {
		if key == "" || len(key) > maxTagKey || len(value) > maxTagValue || strings.HasPrefix(strings.ToLower(key), "aws:") {
			return newError("InvalidParameterValue", "Tag %q = %q: a key has 1..%d bytes and no prefix aws:, a value 0..%d bytes.", key, value, maxTagKey, maxTagValue)
		}
	}
	return nil
}
