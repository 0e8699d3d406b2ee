package rig

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/rousehq/rouse/internal/workload"
)

// Result is what the table says of a finished job.
type Result struct {
	workload.Result
	// Completions is how often it was finished.
	Completions int
}

// Results reads the results of all finished jobs, by message id.
func (r *Rig) Results(ctx context.Context) (map[string]Result, error) {
	results := make(map[string]Result)
	pages := dynamodb.NewQueryPaginator(r.Dynamo, &dynamodb.QueryInput{
		TableName: &r.Outputs.Table, ConsistentRead: aws.Bool(true),
		KeyConditionExpression:    aws.String("#pk = :pk"),
		ExpressionAttributeNames:  map[string]string{"#pk": workload.AttributePartition},
		ExpressionAttributeValues: map[string]types.AttributeValue{":pk": text(workload.ResultPartitionKey(r.Name))},
	})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, fmt.Errorf("read results: %w", err)
		}
		for _, item := range page.Items {
			result, err := parseResult(item)
			if err != nil {
				return nil, fmt.Errorf("read results: %w", err)
			}
			results[result.Job] = result
		}
	}
	return results, nil
}

func parseResult(item map[string]types.AttributeValue) (Result, error) {
	document, _ := item[workload.AttributeDocument].(*types.AttributeValueMemberS)
	completions, _ := item["completions"].(*types.AttributeValueMemberN)
	if document == nil || completions == nil {
		return Result{}, fmt.Errorf("a record without %s or completions", workload.AttributeDocument)
	}
	var result Result
	if err := json.Unmarshal([]byte(document.Value), &result.Result); err != nil {
		return Result{}, err
	}
	var err error
	result.Completions, err = strconv.Atoi(completions.Value)
	return result, err
}

// Override gives the operator's order, as the operator's command does.
func (r *Rig) Override(ctx context.Context, o workload.Override) error {
	document, err := json.Marshal(o)
	if err != nil {
		return fmt.Errorf("write override: %w", err)
	}
	return r.PutRecord(ctx, map[string]string{
		workload.AttributePartition: workload.PartitionKey(r.Name),
		workload.AttributeSort:      workload.SortOverride,
		workload.AttributeDocument:  string(document),
	})
}

// EndOverride takes the order back.
func (r *Rig) EndOverride(ctx context.Context) error {
	return r.DeleteRecord(ctx, workload.PartitionKey(r.Name), workload.SortOverride)
}

// PutRecord writes a record of string attributes into the table.
func (r *Rig) PutRecord(ctx context.Context, attributes map[string]string) error {
	item := make(map[string]types.AttributeValue, len(attributes))
	for name, value := range attributes {
		item[name] = text(value)
	}
	if _, err := r.Dynamo.PutItem(ctx, &dynamodb.PutItemInput{TableName: &r.Outputs.Table, Item: item}); err != nil {
		return fmt.Errorf("put record: %w", err)
	}
	return nil
}

// DeleteRecord deletes a record of the table.
func (r *Rig) DeleteRecord(ctx context.Context, partition, sort string) error {
	_, err := r.Dynamo.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: &r.Outputs.Table, Key: map[string]types.AttributeValue{
		workload.AttributePartition: text(partition), workload.AttributeSort: text(sort),
	}})
	if err != nil {
		return fmt.Errorf("delete record %s %s: %w", partition, sort, err)
	}
	return nil
}

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }
