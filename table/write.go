package table

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/loaders/request"
	"github.com/partita/partita/table/attribute"
)

// MaxBatchWrites is how many items one BatchWriteItem takes.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html
const MaxBatchWrites = 25

// BatchWrite puts 1 to MaxBatchWrites items, replacing those that exist. Of
// several with one key the last wins. It is not a transaction: after an error
// some may be stored. Items that DynamoDB left unprocessed are sent again,
// until the context ends.
func (t *Table) BatchWrite(ctx context.Context, items []item.Item) error {
	puts := make([]map[string]types.AttributeValue, len(items))
	for i, it := range items {
		puts[i] = attribute.FromItem(it)
	}
	_, err := t.batchWrite(ctx, puts)
	return err
}

// batchWrite returns how many items were stored.
func (t *Table) batchWrite(ctx context.Context, items []map[string]types.AttributeValue) (int, error) {
	left := putRequests(items)
	total := len(left)
	for attempt := 1; ; attempt++ {
		out, _, err := call(ctx, t, t.client.BatchWriteItem, &dynamodb.BatchWriteItemInput{
			RequestItems: map[string][]types.WriteRequest{t.name: left},
		})
		if err != nil {
			return total - len(left), err
		}
		left = out.UnprocessedItems[t.name]
		if len(left) == 0 {
			return total, nil
		}
		if err := request.Pause(ctx, attempt); err != nil {
			return total - len(left), fmt.Errorf("%w: %w", request.ErrThrottled, err)
		}
	}
}

// putRequests keeps the last of the items with one key: BatchWriteItem refuses
// two.
func putRequests(items []map[string]types.AttributeValue) []types.WriteRequest {
	place := make(map[keys.Key]int, len(items))
	requests := make([]types.WriteRequest, 0, len(items))
	for _, it := range items {
		request := types.WriteRequest{PutRequest: &types.PutRequest{Item: it}}
		key := attribute.ToKey(it)
		if i, ok := place[key]; ok {
			requests[i] = request
			continue
		}
		place[key] = len(requests)
		requests = append(requests, request)
	}
	return requests
}
