package table

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/request"
	"github.com/partita/partita/write"
)

// singleWrite returns the function that sends an action by itself, for half of the units that it has in a transaction.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
func (t *Table) singleWrite(own border, a write.Action, raw *write.Action) writeFunc {
	e, a, condition := own.expressionsOf(a, raw, t.Now())
	b := e.border
	const (
		old   = types.ReturnValuesOnConditionCheckFailureAllOld
		total = types.ReturnConsumedCapacityTotal
	)
	switch a.Kind {
	case write.ActionPut:
		in := &dynamodb.PutItemInput{
			TableName: t.nameParam(), Item: b.put(a.Item), ConditionExpression: condition,
			ExpressionAttributeNames: e.names, ExpressionAttributeValues: e.values,
			ReturnValuesOnConditionCheckFailure: old, ReturnConsumedCapacity: total,
		}
		return func(ctx context.Context) (request.Result, error) {
			out, result, err := Call(ctx, t, t.client.PutItem, in)
			if err == nil {
				result.WriteUnits = units(out.ConsumedCapacity)
			}
			return result, err
		}
	case write.ActionUpdate:
		in := &dynamodb.UpdateItemInput{
			TableName: t.nameParam(), Key: b.attributes(a.Key),
			ConditionExpression: condition, ReturnValues: types.ReturnValueAllNew,
			ReturnValuesOnConditionCheckFailure: old, ReturnConsumedCapacity: total,
		}
		if update := e.update(a); update != "" {
			in.UpdateExpression = aws.String(update)
		}
		in.ExpressionAttributeNames, in.ExpressionAttributeValues = e.names, e.values
		return func(ctx context.Context) (request.Result, error) {
			out, result, err := Call(ctx, t, t.client.UpdateItem, in)
			if err == nil {
				result.WriteUnits = units(out.ConsumedCapacity)
				result.Items = append(result.Items, own.item(out.Attributes))
			}
			return result, err
		}
	default:
		in := &dynamodb.DeleteItemInput{
			TableName: t.nameParam(), Key: b.attributes(a.Key), ConditionExpression: condition,
			ExpressionAttributeNames: e.names, ExpressionAttributeValues: e.values,
			ReturnValuesOnConditionCheckFailure: old, ReturnConsumedCapacity: total,
		}
		return func(ctx context.Context) (request.Result, error) {
			out, result, err := Call(ctx, t, t.client.DeleteItem, in)
			if err == nil {
				result.WriteUnits = units(out.ConsumedCapacity)
			}
			return result, err
		}
	}
}
