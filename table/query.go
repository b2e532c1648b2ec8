package table

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/loaders/request"
	"github.com/partita/partita/table/attribute"
	"github.com/partita/partita/table/wire"
)

// indexConditions is what the Queries on one index have in common. DynamoDB returns
// an error for a name that the condition does not use, hence two maps.
type indexConditions struct {
	pk, sk    string
	partition map[string]string
	both      map[string]string
}

// newConditions returns the conditions by index, with "" for the table itself.
func newConditions(schema Schema) map[string]indexConditions {
	all := make(map[string]indexConditions, 1+len(schema.Indexes))
	for _, index := range append([]string{""}, schema.Indexes...) {
		pk, sk := keys.IndexPK(index), keys.IndexSK(index)
		all[index] = indexConditions{
			pk: pk, sk: sk,
			partition: map[string]string{"#p": pk},
			both:      map[string]string{"#p": pk, "#s": sk},
		}
	}
	return all
}

// Query reads one page of a range, at most 1 MB.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Query.html
func (t *Table) Query(ctx context.Context, r request.Query) (request.Result, error) {
	if _, ok := t.conditions[r.Index]; !ok {
		return request.Result{}, fmt.Errorf("table: a bug: Query on index %q, which the schema does not have", r.Index)
	}
	return read(ctx, t, r, (*wire.Client).Query, (*Table).query)
}

// query sends a Query by the SDK.
func (t *Table) query(ctx context.Context, r request.Query) (request.Result, error) {
	index := t.conditions[r.Index]
	in := &dynamodb.QueryInput{
		TableName:                t.nameParam(),
		KeyConditionExpression:   aws.String(wire.PartitionCondition),
		ExpressionAttributeNames: index.partition,
		ExclusiveStartKey:        index.startKey(r),
		ReturnConsumedCapacity:   types.ReturnConsumedCapacityTotal,
	}
	values := map[string]types.AttributeValue{":p": &types.AttributeValueMemberS{Value: string(r.PK)}}
	if from, to := r.Bounds(); from != "" || to != "" {
		in.KeyConditionExpression = aws.String(wire.RangeCondition)
		in.ExpressionAttributeNames = index.both
		values[":from"] = &types.AttributeValueMemberS{Value: string(from)}
		values[":to"] = &types.AttributeValueMemberS{Value: string(to)}
	}
	in.ExpressionAttributeValues = values
	if r.Index == "" {
		in.ConsistentRead = consistent(r.Consistent)
	} else {
		in.IndexName = aws.String(r.Index)
	}
	if r.Descending {
		in.ScanIndexForward = aws.Bool(false)
	}
	if r.Limit > 0 {
		in.Limit = aws.Int32(int32(r.Limit))
	}
	out, result, err := Call(ctx, t, t.client.Query, in)
	if err != nil {
		return result, err
	}
	result.Items = attribute.ToItems(out.Items)
	result.Last = index.position(r, out.LastEvaluatedKey)
	result.ReadUnits = units(out.ConsumedCapacity)
	return result, nil
}

func (c indexConditions) startKey(r request.Query) map[string]types.AttributeValue {
	if r.Start.IsZero() {
		return nil
	}
	if r.Index == "" {
		return attribute.FromKey(keys.Key{PK: r.PK, SK: r.Start.SK})
	}
	start := attribute.FromKey(r.Start.Base)
	start[c.pk] = &types.AttributeValueMemberS{Value: string(r.PK)}
	start[c.sk] = &types.AttributeValueMemberS{Value: string(r.Start.SK)}
	return start
}

func (c indexConditions) position(r request.Query, last map[string]types.AttributeValue) keys.Position {
	if len(last) == 0 {
		return keys.Position{}
	}
	p := keys.Position{SK: keys.SK(attribute.Text(last, c.sk))}
	if r.Index != "" {
		p.Base = attribute.ToKey(last)
	}
	return p
}
