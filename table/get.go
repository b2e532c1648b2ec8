package table

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/internal/table/wire"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table/attribute"
)

// GetItem reads one item; Result.Items is empty if there is none. With an error,
// Result still has the retries.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_GetItem.html
func (t *Table) GetItem(ctx context.Context, r request.GetItem) (request.Result, error) {
	return read(ctx, t, r, (*wire.Client).GetItem, (*Table).getItem)
}

// getItem sends a GetItem by the SDK.
func (t *Table) getItem(ctx context.Context, r request.GetItem) (request.Result, error) {
	out, result, err := Call(ctx, t, t.client.GetItem, &dynamodb.GetItemInput{
		TableName:              t.nameParam(),
		Key:                    attribute.FromKey(t.layout, r.Key),
		ConsistentRead:         consistent(r.Consistent),
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	})
	if err != nil {
		return result, err
	}
	if len(out.Item) > 0 {
		result.Items = attribute.ToItems([]map[string]types.AttributeValue{out.Item})
	}
	result.ReadUnits = units(out.ConsumedCapacity)
	return result, nil
}

// BatchGetItem reads many items by key. Keys that DynamoDB left unprocessed are
// in Result.Unprocessed; the caller requests them again after request.Pause.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html
func (t *Table) BatchGetItem(ctx context.Context, r request.BatchGetItem) (request.Result, error) {
	return read(ctx, t, r, (*wire.Client).BatchGetItem, (*Table).batchGetItem)
}

// batchGetItem sends a BatchGetItem by the SDK.
func (t *Table) batchGetItem(ctx context.Context, r request.BatchGetItem) (request.Result, error) {
	wanted := make([]map[string]types.AttributeValue, len(r.Keys))
	for i, k := range r.Keys {
		wanted[i] = attribute.FromKey(t.layout, k)
	}
	out, result, err := Call(ctx, t, t.client.BatchGetItem, &dynamodb.BatchGetItemInput{
		RequestItems: map[string]types.KeysAndAttributes{
			t.Name(): {Keys: wanted, ConsistentRead: consistent(r.Consistent)},
		},
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	})
	if err != nil {
		return result, err
	}
	result.Items = attribute.ToItems(out.Responses[t.Name()])
	if left := out.UnprocessedKeys[t.Name()].Keys; len(left) > 0 {
		result.Unprocessed = make([]keys.Key, len(left))
		for i, m := range left {
			result.Unprocessed[i] = attribute.ToKey(t.layout, m)
		}
	}
	for i := range out.ConsumedCapacity {
		result.ReadUnits += units(&out.ConsumedCapacity[i])
	}
	return result, nil
}

// ofTenant is a request that can be made one of a tenant.
type ofTenant[R any] interface {
	Of(keys.Tenant) (stored R, isPossible bool)
}

// read sends a request, and returns the items as the engine has them.
func read[R ofTenant[R]](
	ctx context.Context, t *Table, r R,
	byWire func(*wire.Client, context.Context, R) (request.Result, error),
	bySDK func(*Table, context.Context, R) (request.Result, error),
) (request.Result, error) {
	result, err := readStored(ctx, t, r, byWire, bySDK)
	t.schema.FromStored(result.Items)
	return result, err
}

// readStored sends a request by the wire, or by the SDK if only the SDK can. In a table with
// tenants it is a request of the context's tenant.
func readStored[R ofTenant[R]](
	ctx context.Context, t *Table, r R,
	byWire func(*wire.Client, context.Context, R) (request.Result, error),
	bySDK func(*Table, context.Context, R) (request.Result, error),
) (request.Result, error) {
	tenant, err := t.schema.TenantIn(ctx)
	if err != nil {
		return request.Result{}, err
	}
	if tenant != "" {
		var isPossible bool
		if r, isPossible = r.Of(tenant); !isPossible {
			return request.Result{}, nil
		}
	}
	ctx, pass := t.paceRead(ctx, r)
	result, err := t.byWire(func() (request.Result, error) { return byWire(t.wire, ctx, r) },
		func() (request.Result, error) { return bySDK(t, ctx, r) })
	t.throttledRead(r, &result)
	t.pacedRead(pass, r, &result, err)
	t.countRead(r, &result)
	t.schema.fromTenant(tenant, &result)
	return result, err
}

// consistent returns the parameter, or nil if it is the default.
func consistent(strong bool) *bool {
	if !strong {
		return nil
	}
	return aws.Bool(true)
}

func units(c *types.ConsumedCapacity) float64 {
	if c == nil {
		return 0
	}
	return aws.ToFloat64(c.CapacityUnits)
}
