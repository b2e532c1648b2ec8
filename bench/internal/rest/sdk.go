package rest

import (
	"context"
	"errors"
	"maps"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/bench/internal/service"
)

// sdkTable is the table through the AWS SDK.
type sdkTable struct {
	client *dynamodb.Client
	name   string
}

func (t sdkTable) getItem(ctx context.Context, k key) (attributes, error) {
	out, err := t.client.GetItem(ctx, &dynamodb.GetItemInput{TableName: &t.name, Key: sdkKey(k)})
	if err != nil || out.Item == nil {
		return nil, err
	}
	return service.Item(out.Item), nil
}

func (t sdkTable) batchGetItem(ctx context.Context, keys []key) ([]attributes, []key, error) {
	all := make([]map[string]types.AttributeValue, len(keys))
	for i, k := range keys {
		all[i] = sdkKey(k)
	}
	out, err := t.client.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{
		RequestItems: map[string]types.KeysAndAttributes{t.name: {Keys: all}},
	})
	if err != nil {
		return nil, nil, err
	}
	var unprocessed []key
	for _, k := range out.UnprocessedKeys[t.name].Keys {
		unprocessed = append(unprocessed, keyOf(service.Item(k)))
	}
	return sdkItems(out.Responses[t.name]), unprocessed, nil
}

func (t sdkTable) query(ctx context.Context, q query) ([]attributes, error) {
	in := &dynamodb.QueryInput{
		TableName:                 &t.name,
		KeyConditionExpression:    aws.String(q.condition()),
		ExpressionAttributeValues: map[string]types.AttributeValue{":pk": &types.AttributeValueMemberS{Value: q.pk}},
		Limit:                     aws.Int32(int32(q.limit)),
		ScanIndexForward:          aws.Bool(!q.descending),
	}
	if q.sk != "" {
		in.ExpressionAttributeValues[":sk"] = &types.AttributeValueMemberS{Value: q.sk}
	}
	if q.index != "" {
		in.IndexName = &q.index
	}
	out, err := t.client.Query(ctx, in)
	if err != nil {
		return nil, err
	}
	return sdkItems(out.Items), nil
}

func (t sdkTable) update(ctx context.Context, w write) (attributes, error) {
	out, err := t.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &t.name, Key: sdkKey(w.key), UpdateExpression: &w.update, ConditionExpression: &w.condition,
		ExpressionAttributeNames: names(w.update, w.condition), ExpressionAttributeValues: sdkValues(w.values),
		ReturnValues: types.ReturnValueAllNew,
	})
	if failed := new(types.ConditionalCheckFailedException); errors.As(err, &failed) {
		return nil, errCondition
	} else if err != nil {
		return nil, err
	}
	return service.Item(out.Attributes), nil
}

func (t sdkTable) transact(ctx context.Context, writes []write) error {
	all := make([]types.TransactWriteItem, len(writes))
	for i, w := range writes {
		if w.item == nil {
			all[i].Update = &types.Update{
				TableName: &t.name, Key: sdkKey(w.key), UpdateExpression: &w.update, ConditionExpression: &w.condition,
				ExpressionAttributeNames: names(w.update, w.condition), ExpressionAttributeValues: sdkValues(w.values),
			}
			continue
		}
		it := sdkValues(w.item)
		maps.Copy(it, sdkKey(w.key))
		all[i].Put = &types.Put{TableName: &t.name, Item: it, ConditionExpression: &w.condition}
	}
	_, err := t.client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: all})
	if failed := new(types.TransactionCanceledException); errors.As(err, &failed) {
		return errCondition
	}
	return err
}

func sdkValues(v values) map[string]types.AttributeValue {
	all := make(map[string]types.AttributeValue, len(v)+2) // and a key
	for name, v := range v {
		all[name] = sdkValue(v)
	}
	return all
}

func sdkValue(v any) types.AttributeValue {
	switch v := v.(type) {
	case int:
		return &types.AttributeValueMemberN{Value: strconv.Itoa(v)}
	case money:
		return &types.AttributeValueMemberM{Value: map[string]types.AttributeValue{
			"amount": sdkValue(v.Amount), "currency": sdkValue(v.Currency),
		}}
	default:
		return &types.AttributeValueMemberS{Value: v.(string)}
	}
}

func sdkKey(k key) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{
		"PK": &types.AttributeValueMemberS{Value: k.pk},
		"SK": &types.AttributeValueMemberS{Value: k.sk},
	}
}

func sdkItems(items []map[string]types.AttributeValue) []attributes {
	all := make([]attributes, len(items))
	for i, it := range items {
		all[i] = service.Item(it)
	}
	return all
}
