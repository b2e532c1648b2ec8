package table

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/loaders/request"
	"github.com/partita/partita/table/attribute"
)

// Scan reads one page of the whole table, at most 1 MB, for operators' commands.
// No read of the gateway's leads here.
type Scan struct {
	// Start is exclusive; nil starts at the table's first item.
	Start *keys.Key
	// Limit is how many items to read at most; 0 leaves it to DynamoDB's 1 MB.
	Limit int
}

// Scan reads a page in the table's own order, in which the items of a partition
// come one after the other. Result.Last has the Base to start the next page
// after, and is zero at the end. It is eventually consistent and costs half a read
// unit for each 4 KB. Its errors are those of Export.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Scan.html
func (t *Table) Scan(ctx context.Context, s Scan) (request.Result, error) {
	in := &dynamodb.ScanInput{TableName: t.nameParam(), ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal}
	if s.Start != nil {
		in.ExclusiveStartKey = attribute.FromKey(*s.Start)
	}
	if s.Limit > 0 {
		in.Limit = aws.Int32(int32(s.Limit))
	}
	out, result, err := call(ctx, t, t.client.Scan, in)
	if err != nil {
		return result, t.exitError(err)
	}
	result.Items, result.ReadUnits = attribute.ToItems(out.Items), units(out.ConsumedCapacity)
	if len(out.LastEvaluatedKey) > 0 {
		base := attribute.ToKey(out.LastEvaluatedKey)
		result.Last = request.Position{SK: base.SK, Base: base}
	}
	return result, nil
}
