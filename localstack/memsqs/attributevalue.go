package memsqs

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const (
	maxMessageAttributes = 10
	maxAttributeName     = 256
	traceHeader          = "AWSTraceHeader"
)

// attributeValue is a message attribute as it travels.
type attributeValue struct {
	DataType         string
	StringValue      *string  `json:",omitempty"`
	BinaryValue      []byte   `json:",omitempty"`
	StringListValues []string `json:",omitempty"`
	BinaryListValues [][]byte `json:",omitempty"`
}

func (v attributeValue) text() string {
	if v.StringValue == nil {
		return ""
	}
	return *v.StringValue
}

func (v attributeValue) size() int {
	return len(v.DataType) + len(v.text()) + len(v.BinaryValue)
}

var attributeNamePattern = regexp.MustCompile(`^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$`)

// checkMessageAttributes checks a message's attributes one by one, in the order of their names.
func checkMessageAttributes(attributes map[string]attributeValue) error {
	if len(attributes) > maxMessageAttributes {
		return newError("InvalidParameterValue", "Number of message attributes [%d] exceeds the allowed maximum [%d].", len(attributes), maxMessageAttributes)
	}
	for _, name := range slices.Sorted(maps.Keys(attributes)) {
		if err := cmp.Or(checkAttributeName(name), attributes[name].check(name)); err != nil {
			return err
		}
	}
	return nil
}

func checkAttributeName(name string) error {
	lower := strings.ToLower(name)
	if len(name) > maxAttributeName || !attributeNamePattern.MatchString(name) ||
		strings.HasPrefix(lower, "aws.") || strings.HasPrefix(lower, "amazon.") {
		return newError("InvalidParameterValue", "Message attribute name %q is invalid: 1..256 of letters, digits, underscore, hyphen and single inner periods, and no prefix AWS. or Amazon.", name)
	}
	return nil
}

// check checks the value against its type: String, Number or Binary, each with an optional label after a period.
func (v attributeValue) check(name string) error {
	if len(v.StringListValues) > 0 || len(v.BinaryListValues) > 0 {
		return newError("UnsupportedOperation", "Message attribute list values in SendMessage operation are not supported.")
	}
	if len(v.DataType) > maxAttributeName || !v.fitsType() {
		return newError("InvalidParameterValue", "The message attribute %q with type %q must have a type String, Number or Binary, "+
			"with an optional .label, and a non-empty value of that type and no other.", name, v.DataType)
	}
	return checkCharacters(v.text())
}

func (v attributeValue) fitsType() bool {
	kind, _, _ := strings.Cut(v.DataType, ".")
	switch kind {
	case "Binary":
		return len(v.BinaryValue) > 0 && v.StringValue == nil
	case "Number":
		return v.BinaryValue == nil && isNumber(v.text())
	case "String":
		return v.BinaryValue == nil && v.text() != ""
	}
	return false
}

func isNumber(text string) bool {
	_, err := strconv.ParseFloat(text, 64)
	return err == nil && !strings.ContainsAny(text, "xX_nN")
}

// checkSystemAttributes admits the one system attribute that a sender may set.
func checkSystemAttributes(attributes map[string]attributeValue) error {
	for name, value := range attributes {
		if name != traceHeader || value.DataType != "String" || value.text() == "" {
			return newError("InvalidParameterValue", "Message system attribute %q with type %q is invalid: only %s, of type String and not empty, can be sent.", name, value.DataType, traceHeader)
		}
	}
	return nil
}

// checkCharacters admits what XML admits.
func checkCharacters(text string) error {
	for _, r := range text {
		if r == 0xFFFE || r == 0xFFFF || r < ' ' && r != '\t' && r != '\n' && r != '\r' {
			return newError("InvalidMessageContents", "Invalid characters found. Valid unicode characters are #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF")
		}
	}
	return nil
}

// selectAttributes returns the attributes that a receiver asked for: by name, by prefix as in "trace.*", or All.
func selectAttributes(attributes map[string]attributeValue, wanted []string) map[string]attributeValue {
	if len(wanted) == 0 || len(attributes) == 0 {
		return nil
	}
	chosen := map[string]attributeValue{}
	for name, value := range attributes {
		if slices.ContainsFunc(wanted, func(pattern string) bool { return selects(pattern, name) }) {
			chosen[name] = value
		}
	}
	return chosen
}

func selects(pattern, name string) bool {
	prefix, open := strings.CutSuffix(pattern, ".*")
	return pattern == "All" || pattern == name || open && strings.HasPrefix(name, prefix)
}
