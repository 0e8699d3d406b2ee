package memsqs_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"github.com/rousehq/rouse/localstack/memsqs"
)

// post sends one request as it is and returns the answer.
func post(s *memsqs.Server, host, target, body string) (*httptest.ResponseRecorder, map[string]string) {
	r := httptest.NewRequest(http.MethodPost, "http://"+host+"/", strings.NewReader(body))
	if target != "" {
		r.Header.Set("X-Amz-Target", target)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	var answer map[string]string
	_ = json.Unmarshal(w.Body.Bytes(), &answer) // answers without text members stay nil
	return w, answer
}

func TestErrorsCarryBothCodes(t *testing.T) {
	w, answer := post(memsqs.New(memsqs.Options{}), "h", "AmazonSQS.GetQueueUrl", `{"QueueName":"nobody"}`)
	if w.Code != 400 || answer["__type"] != "com.amazonaws.sqs#QueueDoesNotExist" ||
		w.Header().Get("X-Amzn-Query-Error") != "AWS.SimpleQueueService.NonExistentQueue;Sender" ||
		w.Header().Get("Content-Type") != "application/x-amz-json-1.0" || w.Header().Get("X-Amzn-Requestid") == "" {
		t.Errorf("%d %v %v", w.Code, w.Header(), answer)
	}
}

func TestUnknownQueueIsATypedErrorInTheSDK(t *testing.T) {
	bubble(t, func(f fixture) {
		for _, url := range []string{"http://memsqs/000000000000/nobody", "http://memsqs/111111111111/jobs", "http://memsqs/"} {
			f.queue("jobs")
			_, err := f.client.ReceiveMessage(f.Context(), &sqs.ReceiveMessageInput{QueueUrl: &url})
			var unknown *types.QueueDoesNotExist
			if !errors.As(err, &unknown) {
				t.Errorf("%s: %v", url, err)
			}
		}
	})
}

func TestRequestsThatAreRefused(t *testing.T) {
	tests := map[string]struct{ target, body, code string }{
		"the query protocol":      {"", "Action=ListQueues&Version=2012-11-05", "com.amazonaws.sqs#UnsupportedOperation"},
		"another service":         {"DynamoDB_20120810.ListTables", "{}", "com.amazonaws.sqs#UnsupportedOperation"},
		"an unknown operation":    {"AmazonSQS.Dance", "{}", "com.amazon.coral.service#UnknownOperationException"},
		"no JSON":                 {"AmazonSQS.ListQueues", "{", "com.amazon.coral.service#SerializationException"},
		"a number as text":        {"AmazonSQS.ReceiveMessage", `{"QueueUrl":"u","WaitTimeSeconds":"3"}`, "com.amazon.coral.service#SerializationException"},
		"no queue":                {"AmazonSQS.ReceiveMessage", `{}`, "com.amazon.coral.service#MissingParameter"},
		"no receipt handle":       {"AmazonSQS.DeleteMessage", `{"QueueUrl":"http://h/000000000000/jobs"}`, "com.amazon.coral.service#MissingParameter"},
		"no visibility timeout":   {"AmazonSQS.ChangeMessageVisibility", `{"QueueUrl":"http://h/000000000000/jobs","ReceiptHandle":"x"}`, "com.amazon.coral.service#MissingParameter"},
		"an address that is none": {"AmazonSQS.DeleteQueue", `{"QueueUrl":"http://[/"}`, "com.amazonaws.sqs#InvalidAddress"},
		"a body past all limits":  {"AmazonSQS.ListQueues", strings.Repeat(" ", 9<<20), "com.amazon.coral.service#SerializationException"},
	}
	s := memsqs.New(memsqs.Options{})
	post(s, "h", "AmazonSQS.CreateQueue", `{"QueueName":"jobs"}`)
	for name, tt := range tests {
		if w, answer := post(s, "h", tt.target, tt.body); w.Code != 400 || answer["__type"] != tt.code || answer["message"] == "" {
			t.Errorf("%s: %d %v, want %s", name, w.Code, answer, tt.code)
		}
	}
}

func TestQueueURLsNameTheHostOfTheRequest(t *testing.T) {
	s := memsqs.New(memsqs.Options{Account: "123456789012"})
	post(s, "sqs.example:4566", "AmazonSQS.CreateQueue", `{"QueueName":"jobs"}`)
	for _, host := range []string{"localhost:4566", "sqs.internal"} {
		_, answer := post(s, host, "AmazonSQS.GetQueueUrl", `{"QueueName":"jobs"}`)
		if want := "http://" + host + "/123456789012/jobs"; answer["QueueUrl"] != want {
			t.Errorf("%v, want %s", answer, want)
		}
	}
}

func TestExplicitZeroesAreNotDefaults(t *testing.T) {
	bubble(t, func(f fixture) {
		q := f.queue("jobs", "ReceiveMessageWaitTimeSeconds", "20", "DelaySeconds", "900")
		post(f.server, "memsqs", "AmazonSQS.SendMessage", `{"QueueUrl":"`+*q+`","MessageBody":"a","DelaySeconds":0}`)
		f.expect("jobs", 1, 0, 0)
		post(f.server, "memsqs", "AmazonSQS.ReceiveMessage", `{"QueueUrl":"`+*q+`","VisibilityTimeout":0,"WaitTimeSeconds":0}`)
		f.expect("jobs", 1, 0, 0)
		w, _ := post(f.server, "memsqs", "AmazonSQS.ReceiveMessage", `{"QueueUrl":"`+*q+`","WaitTimeSeconds":0,"MaxNumberOfMessages":0}`)
		if w.Code != 400 {
			t.Errorf("asked for no messages: %d", w.Code)
		}
	})
}
