package workload

import "strings"

// Names of the table's attributes and of its index.
const (
	AttributePartition  = "pk"
	AttributeSort       = "sk"
	AttributeDocument   = "document"
	AttributeKind       = "kind"
	AttributeWorkload   = "workload"
	AttributeExpires    = "expires_at"  // Unix seconds, the table's TTL
	AttributeVersion    = "version"     // of the state record
	AttributeLeaseOwner = "lease_owner" // of the state record
	AttributeLeaseUntil = "lease_until" // of the state record, Unix milliseconds
	SpecIndex           = "specs"
	KindSpec            = "spec"
)

// Sort keys of a workload's records.
const (
	SortSpec         = "spec"
	SortState        = "state"
	SortOverride     = "override"
	SortWorkerPrefix = "worker#"
)

// ServiceTag is the tag that an ECS service must carry, with the workload's
// name as its value, before the scaler touches it.
const ServiceTag = "rouse:workload"

// PartitionKey returns the partition key of the records of workload name.
func PartitionKey(name string) string { return "workload#" + name }

// WorkerSortKey returns the sort key of a task's heartbeat.
func WorkerSortKey(task string) string { return SortWorkerPrefix + task }

// ResultPartitionKey returns the partition key of the results of workload
// name; the sort key is the job's id.
func ResultPartitionKey(name string) string { return "result#" + name }

// TaskID returns the short id at the end of a task's ARN.
func TaskID(arn string) string { return arn[strings.LastIndexByte(arn, '/')+1:] }
