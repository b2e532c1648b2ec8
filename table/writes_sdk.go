package table

import (
	"context"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/internal/table/wire"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table/attribute"
)

// sdkWrite is a write for the SDK.
type sdkWrite struct {
	table, condition, update *string
	item                     map[string]types.AttributeValue
	names                    map[string]string
	values                   map[string]types.AttributeValue
}

// ifFailed has the item returned whose condition failed: the caller needs it.
const ifFailed = types.ReturnValuesOnConditionCheckFailureAllOld

func (t *Table) sdkWrite(w *wire.Write) sdkWrite {
	s := sdkWrite{table: t.nameParam(), condition: optional(w.Condition), update: optional(w.Update)}
	s.item = attribute.FromItem(w.Item)
	for i, name := range w.Names {
		if s.names == nil {
			s.names = map[string]string{}
		}
		s.names["#n"+strconv.Itoa(i)] = name
	}
	for i, v := range w.Values {
		if s.values == nil {
			s.values = map[string]types.AttributeValue{}
		}
		s.values[":v"+strconv.Itoa(i)] = attribute.FromValue(v)
	}
	return s
}

func optional(expression string) *string {
	if expression == "" {
		return nil
	}
	return aws.String(expression)
}

// writeBySDK sends one write.
func (t *Table) writeBySDK(ctx context.Context, w *wire.Write) (request.Result, error) {
	const total = types.ReturnConsumedCapacityTotal
	var (
		s        = t.sdkWrite(w)
		result   request.Result
		err      error
		consumed *types.ConsumedCapacity
	)
	switch w.Kind {
	case wire.Put:
		var out *dynamodb.PutItemOutput
		if out, result, err = Call(ctx, t, t.client.PutItem, &dynamodb.PutItemInput{
			TableName: s.table, Item: s.item, ConditionExpression: s.condition, ExpressionAttributeNames: s.names,
			ExpressionAttributeValues: s.values, ReturnValuesOnConditionCheckFailure: ifFailed, ReturnConsumedCapacity: total,
		}); err == nil {
			consumed = out.ConsumedCapacity
		}
	case wire.Update:
		var out *dynamodb.UpdateItemOutput
		if out, result, err = Call(ctx, t, t.client.UpdateItem, &dynamodb.UpdateItemInput{
			TableName: s.table, Key: s.item, ConditionExpression: s.condition, UpdateExpression: s.update,
			ExpressionAttributeNames: s.names, ExpressionAttributeValues: s.values,
			ReturnValues:                        types.ReturnValueAllNew,
			ReturnValuesOnConditionCheckFailure: ifFailed, ReturnConsumedCapacity: total,
		}); err == nil {
			consumed = out.ConsumedCapacity
			result.Items = attribute.ToItems([]map[string]types.AttributeValue{out.Attributes})
		}
	default:
		var out *dynamodb.DeleteItemOutput
		if out, result, err = Call(ctx, t, t.client.DeleteItem, &dynamodb.DeleteItemInput{
			TableName: s.table, Key: s.item, ConditionExpression: s.condition, ExpressionAttributeNames: s.names,
			ExpressionAttributeValues: s.values, ReturnValuesOnConditionCheckFailure: ifFailed, ReturnConsumedCapacity: total,
		}); err == nil {
			consumed = out.ConsumedCapacity
		}
	}
	result.WriteUnits = units(consumed)
	return result, canceledBySDK(err)
}

// transactBySDK sends a transaction.
func (t *Table) transactBySDK(ctx context.Context, token string, all []wire.Write) (request.Result, error) {
	in := &dynamodb.TransactWriteItemsInput{
		ClientRequestToken: aws.String(token), ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
		TransactItems: make([]types.TransactWriteItem, len(all)),
	}
	for i := range all {
		in.TransactItems[i] = t.sdkWrite(&all[i]).transactItem(all[i].Kind)
	}
	out, result, err := Call(ctx, t, t.client.TransactWriteItems, in)
	if err != nil {
		return result, canceledBySDK(err)
	}
	for i := range out.ConsumedCapacity {
		result.WriteUnits += units(&out.ConsumedCapacity[i])
	}
	return result, nil
}

func (s sdkWrite) transactItem(kind wire.WriteKind) types.TransactWriteItem {
	switch kind {
	case wire.Put:
		return types.TransactWriteItem{Put: &types.Put{
			TableName: s.table, Item: s.item, ConditionExpression: s.condition, ExpressionAttributeNames: s.names,
			ExpressionAttributeValues: s.values, ReturnValuesOnConditionCheckFailure: ifFailed,
		}}
	case wire.Update:
		return types.TransactWriteItem{Update: &types.Update{
			TableName: s.table, Key: s.item, ConditionExpression: s.condition, UpdateExpression: s.update,
			ExpressionAttributeNames: s.names, ExpressionAttributeValues: s.values,
			ReturnValuesOnConditionCheckFailure: ifFailed,
		}}
	case wire.Delete:
		return types.TransactWriteItem{Delete: &types.Delete{
			TableName: s.table, Key: s.item, ConditionExpression: s.condition, ExpressionAttributeNames: s.names,
			ExpressionAttributeValues: s.values, ReturnValuesOnConditionCheckFailure: ifFailed,
		}}
	default:
		return types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{
			TableName: s.table, Key: s.item, ConditionExpression: s.condition, ExpressionAttributeNames: s.names,
			ExpressionAttributeValues: s.values, ReturnValuesOnConditionCheckFailure: ifFailed,
		}}
	}
}
