package adapter

import (
	"encoding/base64"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rousehq/rouse/worker"
)

// Names of the variables that describe a message.
const (
	variableMessageID    = "ROUSE_MESSAGE_ID"
	variableReceiveCount = "ROUSE_RECEIVE_COUNT"
	variableSentAt       = "ROUSE_SENT_AT" // RFC 3339
	variableGroupID      = "ROUSE_GROUP_ID"
	variableTrace        = "_X_AMZN_TRACE_ID" // as AWS's own runtimes name it
	variableOmitted      = "ROUSE_ATTRIBUTES_OMITTED"
	attributePrefix      = "ROUSE_ATTRIBUTE_"
)

const (
	maxValue  = 32 * 1024  // bytes of one attribute; the kernel refuses a command with more than 128 KiB in one
	maxValues = 256 * 1024 // bytes of all attributes
)

// withheld are inherited variables that a command does not get: the ones that
// describe a message, which must come from no one else, and the ECS agent's
// address, since only the worker may speak of the task's protection. Everything
// else is inherited, as a container's command expects: PATH, the region, and the
// task role's credentials, under which the job runs.
func withheld(name string) bool {
	switch name {
	case variableMessageID, variableReceiveCount, variableSentAt, variableGroupID, variableTrace, variableOmitted, "ECS_AGENT_URI":
		return true
	default:
		return strings.HasPrefix(name, attributePrefix)
	}
}

// environment returns what of inherited a command gets, and the message's
// variables. An attribute can set nothing but variables that begin with
// ROUSE_ATTRIBUTE_, whatever it is called.
func environment(inherited []string, m worker.Message) []string {
	variables := make([]string, 0, len(inherited)+8)
	for _, variable := range inherited {
		if name, _, _ := strings.Cut(variable, "="); !withheld(name) {
			variables = append(variables, variable)
		}
	}
	variables = append(variables, variableMessageID+"="+clean(m.ID), variableReceiveCount+"="+strconv.Itoa(m.ReceiveCount))
	if !m.SentAt.IsZero() {
		variables = append(variables, variableSentAt+"="+m.SentAt.UTC().Format(time.RFC3339Nano))
	}
	if m.GroupID != "" {
		variables = append(variables, variableGroupID+"="+clean(m.GroupID))
	}
	if m.TraceHeader != "" {
		variables = append(variables, variableTrace+"="+clean(m.TraceHeader))
	}
	return append(variables, attributeVariables(m.Attributes)...)
}

// attributeVariables turns each attribute into a variable, in the order of their
// names. Of two attributes whose names become the same variable the first has
// it. What is omitted, for that or for its size, is listed in ROUSE_ATTRIBUTES_OMITTED.
func attributeVariables(attributes map[string]worker.Attribute) []string {
	var variables, omitted []string
	taken, left := make(map[string]bool), maxValues
	for _, attribute := range slices.Sorted(maps.Keys(attributes)) {
		name, value := variableName(attribute), variableValue(attributes[attribute])
		if taken[name] || len(value) > min(maxValue, left) {
			omitted = append(omitted, strings.TrimPrefix(name, attributePrefix))
			continue
		}
		taken[name] = true
		left -= len(value)
		variables = append(variables, name+"="+value)
	}
	if len(omitted) > 0 {
		variables = append(variables, variableOmitted+"="+strings.Join(omitted, ","))
	}
	return variables
}

// variableName returns the name of an attribute's variable: upper case, with _
// for whatever is neither a letter of ASCII nor a digit.
func variableName(attribute string) string {
	return attributePrefix + strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z':
			return r - 'a' + 'A'
		case 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
			return r
		default:
			return '_'
		}
	}, attribute)
}

// variableValue returns the text of an attribute; binary values are in base64.
func variableValue(a worker.Attribute) string {
	if strings.HasPrefix(a.DataType, "Binary") {
		return base64.StdEncoding.EncodeToString(a.Binary)
	}
	return clean(a.Text)
}

// clean drops the one character that no variable can hold.
func clean(text string) string { return strings.ReplaceAll(text, "\x00", "") }
