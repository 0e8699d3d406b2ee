package memsqs

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"path"
	"strings"
)

// operation decodes a call, and runs it once its fault allows.
type operation func(ctx context.Context, s *Server, name string, body []byte) (any, error)

var operations = map[string]operation{
	"CreateQueue":                  operate((*Server).createQueue),
	"GetQueueUrl":                  operate((*Server).getQueueURL),
	"ListQueues":                   operate((*Server).listQueues),
	"DeleteQueue":                  operate((*Server).deleteQueue),
	"PurgeQueue":                   operate((*Server).purgeQueue),
	"GetQueueAttributes":           operate((*Server).getQueueAttributes),
	"SetQueueAttributes":           operate((*Server).setQueueAttributes),
	"TagQueue":                     operate((*Server).tagQueue),
	"UntagQueue":                   operate((*Server).untagQueue),
	"ListQueueTags":                operate((*Server).listQueueTags),
	"ListDeadLetterSourceQueues":   operate((*Server).listDeadLetterSourceQueues),
	"SendMessage":                  operate((*Server).sendMessage),
	"SendMessageBatch":             operate((*Server).sendMessageBatch),
	"ReceiveMessage":               operate((*Server).receiveMessage),
	"DeleteMessage":                operate((*Server).deleteMessage),
	"DeleteMessageBatch":           operate((*Server).deleteMessageBatch),
	"ChangeMessageVisibility":      operate((*Server).changeMessageVisibility),
	"ChangeMessageVisibilityBatch": operate((*Server).changeMessageVisibilityBatch),
	"StartMessageMoveTask":         operate((*Server).startMessageMoveTask),
	"ListMessageMoveTasks":         operate((*Server).listMessageMoveTasks),
	"CancelMessageMoveTask":        operate((*Server).cancelMessageMoveTask),
}

// empty is the answer of operations that say nothing but that they succeeded.
type empty struct{}

func operate[In, Out any, P interface {
	*In
	addressed
}](do func(*Server, context.Context, P) (*Out, error)) operation {
	return func(ctx context.Context, s *Server, name string, body []byte) (any, error) {
		in := P(new(In))
		if err := decode(body, in); err != nil {
			return nil, err
		}
		s.tell(name, in.addressee())
		r := requestOf(ctx)
		r.fault = s.faultOf(name, in.addressee())
		return r.fault.suffer(ctx, func() (any, error) {
			return answer(do(s, withRequest(ctx, r), in))
		})
	}
}

// answer keeps a failed operation's half-made output from being taken for an answer.
func answer[Out any](out *Out, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return out, nil
}

func decode(body []byte, into any) error {
	err := json.Unmarshal(body, into)
	var wrongType *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &wrongType):
		return newError("SerializationException", "%s cannot be a %s", wrongType.Field, wrongType.Value)
	}
	return newError("SerializationException", "The request is not JSON: %s", err)
}

// addressed is a call's input that knows which queue the call is about.
type addressed interface{ addressee() string }

// byURL, byName and byARN are the ways in which operations name their queue.
type (
	byURL struct {
		QueueURL string `json:"QueueUrl"`
	}
	byName struct{ QueueName string }
	byARN  struct{ SourceArn string }
)

func (a byURL) addressee() string {
	u, err := url.Parse(a.QueueURL)
	if err != nil || u.Path == "" {
		return ""
	}
	return path.Base(u.Path)
}

func (a byName) addressee() string { return a.QueueName }

func (a byARN) addressee() string { return a.SourceArn[strings.LastIndex(a.SourceArn, ":")+1:] }
