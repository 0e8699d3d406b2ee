package memsqs_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

func text(kind, value string) types.MessageAttributeValue {
	return types.MessageAttributeValue{DataType: &kind, StringValue: &value}
}

func binary(kind string, value ...byte) types.MessageAttributeValue {
	return types.MessageAttributeValue{DataType: &kind, BinaryValue: value}
}

// The SDK itself checks the body's MD5, both ways. The attributes' MD5s are those that the algorithm of the SQS
// developer guide yields, computed apart from this code.
func TestChecksumsOverHTTP(t *testing.T) {
	_, client := overHTTP(t)
	q, err := client.CreateQueue(t.Context(), &sqs.CreateQueueInput{QueueName: aws.String("jobs")})
	if err != nil {
		t.Fatal(err)
	}
	sent, err := client.SendMessage(t.Context(), &sqs.SendMessageInput{
		QueueUrl: q.QueueUrl, MessageBody: aws.String("grüße <&> \u2028 🙂"),
		MessageAttributes: map[string]types.MessageAttributeValue{
			"text": text("String", "värde"), "count": text("Number.int", "12"), "raw": binary("Binary.gz", 0, 255, 1),
		},
		MessageSystemAttributes: map[string]types.MessageSystemAttributeValue{
			"AWSTraceHeader": {DataType: aws.String("String"), StringValue: aws.String("Root=1-5759e988")},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	const all = "18fa4ae77d436203ff241ccc861b3526"
	if got := aws.ToString(sent.MD5OfMessageAttributes); got != all {
		t.Errorf("sent attributes have MD5 %s, want %s", got, all)
	}
	if got := aws.ToString(sent.MD5OfMessageSystemAttributes); got != "1093703a9379955b75098a87e549ba88" {
		t.Errorf("sent system attributes have MD5 %s", got)
	}
	out, err := client.ReceiveMessage(t.Context(), &sqs.ReceiveMessageInput{
		QueueUrl: q.QueueUrl, MessageAttributeNames: []string{"All"}, MessageSystemAttributeNames: []types.MessageSystemAttributeName{"AWSTraceHeader"},
	})
	if err != nil || len(out.Messages) != 1 {
		t.Fatal(out, err)
	}
	m := out.Messages[0]
	if aws.ToString(m.MD5OfMessageAttributes) != all || *m.Body != "grüße <&> \u2028 🙂" ||
		string(m.MessageAttributes["raw"].BinaryValue) != "\x00\xff\x01" || *m.MessageAttributes["count"].DataType != "Number.int" {
		t.Errorf("received %+v", m)
	}
	if len(m.Attributes) != 1 || m.Attributes["AWSTraceHeader"] != "Root=1-5759e988" {
		t.Errorf("attributes %v", m.Attributes)
	}
}

func TestReceiveAnswersTheAttributesAskedFor(t *testing.T) {
	tests := map[string]struct{ wanted, got string }{
		"none":     {"", ""},
		"one":      {"trace.id", "trace.id"},
		"a prefix": {"trace.*", "trace.id trace.span"},
		"all":      {"All", "kind trace.id trace.span"},
		"dot star": {".*", "kind trace.id trace.span"},
		"unknown":  {"other", ""},
	}
	bubble(t, func(f fixture) {
		q := f.queue("jobs", "VisibilityTimeout", "0")
		_, err := f.client.SendMessage(f.Context(), &sqs.SendMessageInput{
			QueueUrl: q, MessageBody: aws.String("a"), MessageAttributes: map[string]types.MessageAttributeValue{
				"trace.id": text("String", "1"), "trace.span": text("String", "2"), "kind": text("String", "3"),
			},
		})
		f.must(err)
		for name, tt := range tests {
			in := &sqs.ReceiveMessageInput{QueueUrl: q}
			if tt.wanted != "" {
				in.MessageAttributeNames = []string{tt.wanted}
			}
			out, err := f.client.ReceiveMessage(f.Context(), in)
			f.must(err)
			m := out.Messages[0]
			if got := strings.Join(sortedKeys(m.MessageAttributes), " "); got != tt.got || (m.MD5OfMessageAttributes == nil) != (got == "") {
				t.Errorf("%s: got %q with MD5 %v, want %q", name, got, aws.ToString(m.MD5OfMessageAttributes), tt.got)
			}
		}
	})
}

func TestMessagesThatAreRefused(t *testing.T) {
	eleven := map[string]types.MessageAttributeValue{}
	for i := range 11 {
		eleven["a"+strconv.Itoa(i)] = text("String", "x")
	}
	one := func(name string, v types.MessageAttributeValue) sqs.SendMessageInput {
		return sqs.SendMessageInput{MessageAttributes: map[string]types.MessageAttributeValue{name: v}}
	}
	tests := map[string]struct {
		in   sqs.SendMessageInput
		code string
	}{
		"an empty body":                       {sqs.SendMessageInput{MessageBody: aws.String("")}, "MissingParameter"},
		"a control character":                 {sqs.SendMessageInput{MessageBody: aws.String("a\x01")}, "InvalidMessageContents"},
		"a non-character":                     {sqs.SendMessageInput{MessageBody: aws.String("a\uFFFE")}, "InvalidMessageContents"},
		"white space":                         {sqs.SendMessageInput{MessageBody: aws.String(" \t\r\n")}, ""},
		"a negative delay":                    {sqs.SendMessageInput{DelaySeconds: -1}, "InvalidParameterValue"},
		"a delay over 15 minutes":             {sqs.SendMessageInput{DelaySeconds: 901}, "InvalidParameterValue"},
		"eleven attributes":                   {sqs.SendMessageInput{MessageAttributes: eleven}, "InvalidParameterValue"},
		"an attribute of AWS's":               {one("AWS.x", text("String", "x")), "InvalidParameterValue"},
		"an attribute with a space":           {one("a b", text("String", "x")), "InvalidParameterValue"},
		"an attribute with two dots":          {one("a..b", text("String", "x")), "InvalidParameterValue"},
		"an attribute without a value":        {one("a", text("String", "")), "InvalidParameterValue"},
		"an unknown type":                     {one("a", text("Text", "x")), "InvalidParameterValue"},
		"a number that is none":               {one("a", text("Number", "twelve")), "InvalidParameterValue"},
		"not a number":                        {one("a", text("Number", "NaN")), "InvalidParameterValue"},
		"text that says it is binary":         {one("a", text("Binary", "x")), "InvalidParameterValue"},
		"binary that says it is text":         {one("a", binary("String", 1)), "InvalidParameterValue"},
		"a list":                              {one("a", types.MessageAttributeValue{DataType: aws.String("String"), StringListValues: []string{"x"}}), "AWS.SimpleQueueService.UnsupportedOperation"},
		"a control character in an attribute": {one("a", text("String", "\x00")), "InvalidMessageContents"},
		"another system attribute": {sqs.SendMessageInput{MessageSystemAttributes: map[string]types.MessageSystemAttributeValue{
			"SenderId": {DataType: aws.String("String"), StringValue: aws.String("me")},
		}}, "InvalidParameterValue"},
		"1 MiB":                      {sqs.SendMessageInput{MessageBody: aws.String(strings.Repeat("x", 1<<20))}, ""},
		"1 MiB that escapes in JSON": {sqs.SendMessageInput{MessageBody: aws.String(strings.Repeat("\n", 1<<20))}, ""},
		"a byte more":                {sqs.SendMessageInput{MessageBody: aws.String(strings.Repeat("x", 1<<20+1))}, "InvalidParameterValue"},
		"1 MiB and an attribute":     {sqs.SendMessageInput{MessageBody: aws.String(strings.Repeat("x", 1<<20)), MessageAttributes: map[string]types.MessageAttributeValue{"a": text("String", "x")}}, "InvalidParameterValue"},
	}
	bubble(t, func(f fixture) {
		q := f.queue("jobs")
		for name, tt := range tests {
			tt.in.QueueUrl = q
			if tt.in.MessageBody == nil {
				tt.in.MessageBody = aws.String("body")
			}
			if _, err := f.client.SendMessage(f.Context(), &tt.in); codeOf(err) != tt.code || (err == nil) != (tt.code == "") {
				t.Errorf("%s: error %v, want %q", name, err, tt.code)
			}
		}
		f.expect("jobs", 3, 0, 0)
	})
}

func TestReceivesThatAreRefused(t *testing.T) {
	bubble(t, func(f fixture) {
		q := f.queue("jobs")
		f.send(q, "a")
		for _, in := range []sqs.ReceiveMessageInput{
			{MaxNumberOfMessages: 11}, {MaxNumberOfMessages: -1}, {WaitTimeSeconds: 21}, {WaitTimeSeconds: -1},
			{VisibilityTimeout: 43201}, {VisibilityTimeout: -1},
		} {
			in.QueueUrl = q
			_, err := f.client.ReceiveMessage(f.Context(), &in)
			refuses(t, err, "InvalidParameterValue")
		}
		f.expect("jobs", 1, 0, 0)
	})
}
