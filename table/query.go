package table

import (
	"context"
	"fmt"
	"maps"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/internal/table/wire"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table/attribute"
)

// Query reads one page of a range, at most 1 MB.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Query.html
func (t *Table) Query(ctx context.Context, r request.Query) (request.Result, error) {
	if err := t.checkIndex(r); err != nil {
		return request.Result{}, err
	}
	return read(ctx, t, r, (*wire.Client).Query, (*Table).query)
}

// QueryStored is Query for the items as they are stored, but for the tenant in their keys.
func (t *Table) QueryStored(ctx context.Context, r request.Query) (request.Result, error) {
	if err := t.checkIndex(r); err != nil {
		return request.Result{}, err
	}
	return readStored(ctx, t, r, (*wire.Client).Query, (*Table).query)
}

func (t *Table) checkIndex(r request.Query) error {
	if _, ok := t.indexes[r.Index]; !ok {
		return fmt.Errorf("table: a bug: Query on index %q, which the schema does not have", r.Index)
	}
	return nil
}

// query sends a Query by the SDK.
func (t *Table) query(ctx context.Context, r request.Query) (request.Result, error) {
	ix := t.indexes[r.Index]
	all := wire.AppendComparisons(nil, &ix, &r)
	in := &dynamodb.QueryInput{
		TableName:                 t.nameParam(),
		KeyConditionExpression:    aws.String(string(wire.AppendExpression(nil, all))),
		ExpressionAttributeNames:  make(map[string]string, len(all)),
		ExpressionAttributeValues: make(map[string]types.AttributeValue, len(all)+1),
		ExclusiveStartKey:         t.startKey(&ix, r),
		ReturnConsumedCapacity:    types.ReturnConsumedCapacityTotal,
	}
	for _, c := range all {
		in.ExpressionAttributeNames["#"+c.Placeholder] = c.Name
		if c.From == "" && c.To == "" {
			in.ExpressionAttributeValues[":"+c.Placeholder] = keyValue(c.Text, c.Number)
		}
		if c.From != "" {
			in.ExpressionAttributeValues[":from"] = keyValue(c.From, c.Number)
		}
		if c.To != "" {
			in.ExpressionAttributeValues[":to"] = keyValue(c.To, c.Number)
		}
	}
	if r.Index == "" || ix.Local {
		in.ConsistentRead = consistent(r.Consistent)
	}
	if r.Index != "" {
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
	result.Last = t.position(&ix, r, out.LastEvaluatedKey)
	result.ReadUnits = units(out.ConsumedCapacity)
	return result, nil
}

func (t *Table) startKey(ix *stored.IndexLayout, r request.Query) map[string]types.AttributeValue {
	if r.Start.IsZero() {
		return nil
	}
	if r.Index == "" {
		return attribute.FromKey(t.layout, keys.Key{PK: r.PK, SK: r.Start.SK})
	}
	start := map[string]types.AttributeValue{}
	for _, part := range [...]struct {
		keys.KeyAttributes
		text string
	}{{ix.PK, string(r.PK)}, {ix.SK, string(r.Start.SK)}} {
		for _, a := range part.KeyAttributes {
			var first string
			first, part.text = part.Cut(part.text)
			start[a.Name] = keyValue(first, a.Number)
		}
	}
	maps.Copy(start, attribute.FromKey(t.layout, r.Start.Base))
	return start
}

func (t *Table) position(ix *stored.IndexLayout, r request.Query, last map[string]types.AttributeValue) keys.Position {
	if len(last) == 0 {
		return keys.Position{}
	}
	it := attribute.ToItems([]map[string]types.AttributeValue{last})[0]
	p := keys.Position{SK: ix.SortKey(it)}
	if r.Index != "" {
		p.Base = attribute.ToKey(t.layout, last)
	}
	return p
}

// keyValue returns the value of a key attribute: a String, or a Number for its text in a Design.
func keyValue(text string, number bool) types.AttributeValue {
	if number {
		return &types.AttributeValueMemberN{Value: keys.KeyNumber(text)}
	}
	return &types.AttributeValueMemberS{Value: text}
}
