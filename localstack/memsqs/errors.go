package memsqs

import (
	"cmp"
	"fmt"
	"net/http"
)

// Error is an answer that is not a success, in SQS's terms. The zero Status means 400.
type Error struct {
	// Status is the HTTP status; 500 and above is the service's fault, anything else the sender's.
	Status int
	// Code is the name of the error's shape, such as QueueDoesNotExist.
	Code string
	// Message is the text for a human.
	Message string
}

// Error returns the code and the message.
func (e *Error) Error() string { return e.Code + ": " + e.Message }

// Throttled is what SQS answers to a caller that asks too often; SDKs retry it.
func Throttled() *Error {
	return &Error{Code: "RequestThrottled", Message: "Request is throttled."}
}

// Unavailable is a 503: SQS cannot answer at the moment; SDKs retry it.
func Unavailable() *Error {
	return &Error{Status: http.StatusServiceUnavailable, Code: "ServiceUnavailable", Message: "The service is unavailable. Try again later."}
}

func (e *Error) status() int       { return cmp.Or(e.Status, http.StatusBadRequest) }
func (e *Error) senderFault() bool { return e.status() < http.StatusInternalServerError }

// fault is the second half of the x-amzn-query-error header.
func (e *Error) fault() string {
	if e.senderFault() {
		return "Sender"
	}
	return "Receiver"
}

// shape is the absolute name of the error's shape. Errors that SQS's model does not name come from the common layer.
func (e *Error) shape() string {
	switch e.Code {
	case "InvalidParameterValue", "MissingParameter", "SerializationException", "UnknownOperationException", "ServiceUnavailable", "InternalFailure":
		return "com.amazon.coral.service#" + e.Code
	}
	return "com.amazonaws.sqs#" + e.Code
}

// queryCode is the code that the query protocol used for the error. SDKs report this one, so that programs written
// for the query protocol keep working.
func (e *Error) queryCode() string {
	switch e.Code {
	case "QueueDoesNotExist":
		return "AWS.SimpleQueueService.NonExistentQueue"
	case "QueueNameExists":
		return "QueueAlreadyExists"
	case "BatchEntryIdsNotDistinct", "BatchRequestTooLong", "EmptyBatchRequest", "InvalidBatchEntryId", "MessageNotInflight",
		"PurgeQueueInProgress", "TooManyEntriesInBatchRequest", "UnsupportedOperation":
		return "AWS.SimpleQueueService." + e.Code
	}
	return e.Code
}

func newError(code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// invalidValue is InvalidParameterValue in SQS's own wording.
func invalidValue(value any, parameter, reason string) *Error {
	return newError("InvalidParameterValue", "Value %v for parameter %s is invalid. Reason: %s", value, parameter, reason)
}

func missing(parameter string) *Error {
	return newError("MissingParameter", "The request must contain the parameter %s.", parameter)
}

func noSuchQueue() *Error {
	return newError("QueueDoesNotExist", "The specified queue does not exist.")
}
