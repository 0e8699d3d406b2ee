// Package workload defines what the parts of Rouse share: the workload document
// and the other records of the DynamoDB table.
//
// The document is the one description of a workload. Terraform (or the
// provider) writes it, and the scaler, the provider and the operator's command
// read it with Parse; there is no second form of it anywhere.
//
// All records of a workload stand under one partition key, so that one
// consistent Query reads everything that a tick of the scaler needs:
//
//	pk                sk           written by           body
//	workload#NAME     spec         Terraform, provider  Document
//	workload#NAME     state        scaler               the scaler's own, versioned, with its lease
//	workload#NAME     override     operator             Override
//	workload#NAME     worker#TASK  worker               Heartbeat, expires
//	result#NAME       JOB          worker               Result, expires
//
// The body of each record is JSON text in the attribute "document". Only spec
// records carry the attributes "kind" and "workload", which the sparse index
// "specs" lists, so that finding the workloads never reads results.
package workload

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/rousehq/rouse/internal/policy"
)

// DocumentVersion is the version of the document's form that this code reads.
const DocumentVersion = 1

// MaxSlotsPerTask is the most messages one task may work on at the same time.
const MaxSlotsPerTask = 1000

// Document describes one workload: a queue, the ECS service that works on it
// and the policy that scales the service.
type Document struct {
	// Version is DocumentVersion.
	Version int `json:"version"`
	// Name identifies the workload in the table, in tags, metrics and logs.
	Name string `json:"name"`
	// QueueURL is the source queue, DLQURL its dead-letter queue (may be empty).
	QueueURL string `json:"queue_url"`
	DLQURL   string `json:"dlq_url,omitempty"`
	// Cluster and Service name the ECS service, by name or ARN.
	Cluster string `json:"cluster"`
	Service string `json:"service"`
	// SlotsPerTask is how many messages one task works on at once; 0 is unknown.
	SlotsPerTask int `json:"slots_per_task,omitempty"`
	// Policy holds the settings of the control law.
	Policy policy.Config `json:"policy"`
}

var validName = regexp.MustCompile(`^[a-z][a-z0-9-]{0,38}[a-z0-9]$`)

// Parse reads a document strictly: unknown fields, wrong types and values out
// of range are errors, all reported at once, each with the field's name, its
// value and what is allowed.
func Parse(data []byte) (Document, error) {
	var syntax any
	if err := json.Unmarshal(data, &syntax); err != nil {
		return Document{}, fmt.Errorf("workload document: %w", err)
	}
	d := Document{Policy: policy.Default()}
	if err := errors.Join(d.decode(data), d.Validate()); err != nil {
		return Document{}, err
	}
	return d, nil
}

// decode reads the document's own fields and the policy one after the other,
// so that a mistake in one does not hide those in the other.
func (d *Document) decode(data []byte) error {
	type fields Document
	form := struct {
		*fields
		Policy json.RawMessage `json:"policy"`
	}{fields: (*fields)(d)}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	problems := []error{describe(decoder.Decode(&form))}
	if len(form.Policy) > 0 {
		problems = append(problems, json.Unmarshal(form.Policy, &d.Policy))
	}
	return errors.Join(problems...)
}

// describe rewords an error of the JSON decoder so that it names the field.
func describe(err error) error {
	var typeError *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &typeError):
		return fmt.Errorf("workload document: %s: is a %s, must be a %s", typeError.Field, typeError.Value, typeError.Type)
	}
	return fmt.Errorf("workload document: %w", err)
}

// Validate reports everything that is wrong with the document at once.
func (d Document) Validate() error {
	return errors.Join(
		demand(d.Version == DocumentVersion, "version", d.Version, strconv.Itoa(DocumentVersion)),
		CheckName(d.Name),
		d.validateQueues(),
		demand(d.Cluster != "", "cluster", d.Cluster, "the name or ARN of an ECS cluster"),
		demand(d.Service != "", "service", d.Service, "the name or ARN of an ECS service"),
		demand(d.SlotsPerTask >= 0 && d.SlotsPerTask <= MaxSlotsPerTask, "slots_per_task", d.SlotsPerTask,
			fmt.Sprintf("a whole number from 0 (unknown) to %d", MaxSlotsPerTask)),
		d.Policy.Validate(),
	)
}

func (d Document) validateQueues() error {
	return errors.Join(
		demand(isQueueURL(d.QueueURL), "queue_url", d.QueueURL, "the http(s) URL of a queue"),
		demand(d.DLQURL == "" || isQueueURL(d.DLQURL), "dlq_url", d.DLQURL, "the http(s) URL of a queue, or empty"),
		demand(d.DLQURL == "" || d.DLQURL != d.QueueURL, "dlq_url", d.DLQURL, "another queue than queue_url"),
	)
}

// demand returns an error that names the field, its value and what is allowed, unless ok.
func demand(ok bool, field string, value any, allowed string) error {
	if ok {
		return nil
	}
	return fmt.Errorf("%s: is %q, must be %s", field, fmt.Sprint(value), allowed)
}

// CheckName returns an error if name cannot name a workload.
func CheckName(name string) error {
	if validName.MatchString(name) {
		return nil
	}
	return fmt.Errorf("name: is %q, must be 2 to 40 characters of a-z, 0-9 and -, starting with a letter and not ending with -", name)
}

// QueueName returns the last element of a queue's URL: the queue's name.
func QueueName(queueURL string) string {
	return queueURL[strings.LastIndexByte(queueURL, '/')+1:]
}

func isQueueURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && QueueName(u.Path) != ""
}
