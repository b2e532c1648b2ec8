package admin

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/attribute"
)

// maxBatchWrites is how many items one BatchWriteItem may have.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html
const maxBatchWrites = 25

// maxUnanswered is how often a request is sent again in succession that has no answer. Each attempt has the time of
// DYNAMODB_TIMEOUT.
const maxUnanswered = 10

// batchWrite puts 1 to maxBatchWrites items, replacing those that exist. Of several
// with one key it puts the last. It is not a transaction: it returns how many items
// were stored, also on an error. Items that DynamoDB returns as unprocessed are sent
// again until the context ends, and those of a request without an answer some times:
// to put an item twice is harmless.
func batchWrite(ctx context.Context, t *table.Table, items []map[string]types.AttributeValue) (int, error) {
	left := putRequests(t.Schema().Layout(), items)
	total := len(left)
	for attempt, unanswered := 1, 0; ; attempt++ {
		out, _, err := table.Call(ctx, t, t.Client().BatchWriteItem, &dynamodb.BatchWriteItemInput{
			RequestItems: map[string][]types.WriteRequest{t.Name(): left},
		})
		if isUnanswered(err) && unanswered < maxUnanswered && ctx.Err() == nil {
			unanswered++
			if request.Pause(ctx, attempt) == nil {
				continue
			}
		}
		if err != nil {
			return total - len(left), err
		}
		unanswered, left = 0, out.UnprocessedItems[t.Name()]
		if len(left) == 0 {
			return total, nil
		}
		if err := request.Pause(ctx, attempt); err != nil {
			return total - len(left), fmt.Errorf("%w: %w", request.ErrThrottled, err)
		}
	}
}

// isUnanswered reports whether an endpoint that answers other requests may answer the same one later.
func isUnanswered(err error) bool {
	return errors.Is(err, request.ErrTimeout) || errors.Is(err, request.ErrUnavailable)
}

// putRequests keeps the last of several items with one key: BatchWriteItem does not
// allow a key twice.
func putRequests(l *stored.Layout, items []map[string]types.AttributeValue) []types.WriteRequest {
	place := make(map[keys.Key]int, len(items))
	requests := make([]types.WriteRequest, 0, len(items))
	for _, it := range items {
		request := types.WriteRequest{PutRequest: &types.PutRequest{Item: it}}
		key := attribute.ToKey(l, it)
		if i, ok := place[key]; ok {
			requests[i] = request
			continue
		}
		place[key] = len(requests)
		requests = append(requests, request)
	}
	return requests
}
