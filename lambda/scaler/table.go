package scaler

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/rousehq/rouse/internal/policy"
	"github.com/rousehq/rouse/internal/workload"
)

// tableAPI is what the scaler needs of DynamoDB.
type tableAPI interface {
	Query(context.Context, *dynamodb.QueryInput, ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error)
	UpdateItem(context.Context, *dynamodb.UpdateItemInput, ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error)
}

var _ tableAPI = (*dynamodb.Client)(nil)

type item = map[string]types.AttributeValue

// list returns the names of all workloads. The index may lag behind the
// table, so a name may be of a workload that was deleted a moment ago. A
// record that cannot be a workload's is an error beside the names of the others.
func (v *invocation) list(ctx context.Context) (names []string, err error) {
	items, err := v.query(ctx, &dynamodb.QueryInput{
		TableName:                 &v.config.Table,
		IndexName:                 aws.String(workload.SpecIndex),
		KeyConditionExpression:    aws.String("#kind = :kind"),
		ProjectionExpression:      aws.String("#pk"),
		ExpressionAttributeNames:  map[string]string{"#kind": workload.AttributeKind, "#pk": workload.AttributePartition},
		ExpressionAttributeValues: item{":kind": str(workload.KindSpec)},
	})
	if err != nil {
		return nil, fmt.Errorf("list workloads of table %s: %w", v.config.Table, err)
	}
	var problems []error
	for _, it := range items {
		key, _ := readString(it, workload.AttributePartition)
		name, ok := strings.CutPrefix(key, workload.PartitionKey(""))
		if !ok {
			problems = append(problems, fmt.Errorf("list workloads of table %s: spec record under %q, must be under %s", v.config.Table, key, workload.PartitionKey("NAME")))
			continue
		}
		names = append(names, name)
	}
	return names, errors.Join(problems...)
}

// records are the stored records of one workload, the bodies still as text.
type records struct {
	spec       string
	specFound  bool
	override   string
	state      string
	lease      lease
	heartbeats []string
}

// read reads all records of a workload by one consistent query.
func (v *invocation) read(ctx context.Context, name string) (records, error) {
	items, err := v.query(ctx, &dynamodb.QueryInput{
		TableName:                 &v.config.Table,
		ConsistentRead:            aws.Bool(true),
		KeyConditionExpression:    aws.String("#pk = :pk"),
		ExpressionAttributeNames:  map[string]string{"#pk": workload.AttributePartition},
		ExpressionAttributeValues: item{":pk": str(workload.PartitionKey(name))},
	})
	if err != nil {
		return records{}, fmt.Errorf("read records of workload %s: %w", name, err)
	}
	var r records
	var problems []error
	for _, it := range items {
		problems = append(problems, r.add(it, v.now.Unix()))
	}
	return r, errors.Join(problems...)
}

// add sorts one item into the records. A record of another kind is left
// alone, and so is an expired heartbeat, which the table may keep for days.
func (r *records) add(it item, now int64) (err error) {
	key, _ := readString(it, workload.AttributeSort)
	body, found := readString(it, workload.AttributeDocument)
	switch {
	case key == workload.SortSpec:
		r.spec, r.specFound = body, true
	case key == workload.SortOverride:
		r.override = body
	case key == workload.SortState:
		r.state = body
		r.lease, err = readLease(it)
	case strings.HasPrefix(key, workload.SortWorkerPrefix) && found && !expired(it, now):
		r.heartbeats = append(r.heartbeats, body)
	}
	return err
}

// expired reports whether the record outlived its time, in Unix seconds.
func expired(it item, now int64) bool {
	at, err := readInt(it, workload.AttributeExpires)
	return err == nil && at > 0 && at <= now
}

// query follows a query through all its pages.
func (v *invocation) query(ctx context.Context, in *dynamodb.QueryInput) ([]item, error) {
	ctx, cancel := v.call(ctx)
	defer cancel()
	var items []item
	pages := dynamodb.NewQueryPaginator(v.clients.Table, in)
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, err
		}
		items = append(items, page.Items...)
	}
	return items, nil
}

func readLease(it item) (lease, error) {
	version, errVersion := readInt(it, workload.AttributeVersion)
	until, errUntil := readInt(it, workload.AttributeLeaseUntil)
	owner, _ := readString(it, workload.AttributeLeaseOwner)
	if err := errors.Join(errVersion, errUntil); err != nil {
		return lease{}, fmt.Errorf("read state record, delete it to start anew: %w", err)
	}
	return lease{version: version, owner: owner, until: policy.Instant(until)}, nil
}

func str(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

func num(n int64) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(n, 10)}
}

func readString(it item, name string) (string, bool) {
	s, ok := it[name].(*types.AttributeValueMemberS)
	if !ok {
		return "", false
	}
	return s.Value, true
}

// readInt reads a whole number; a missing one is 0.
func readInt(it item, name string) (int64, error) {
	value, ok := it[name]
	if !ok {
		return 0, nil
	}
	if n, ok := value.(*types.AttributeValueMemberN); ok {
		if i, err := strconv.ParseInt(n.Value, 10, 64); err == nil && i >= 0 {
			return i, nil
		}
	}
	return 0, fmt.Errorf("read attribute %s: is not a whole number of 0 or more", name)
}
