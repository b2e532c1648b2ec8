package admin

import (
	"context"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/attribute"
)

// Scan reads one page of the whole table, at most 1 MB.
type Scan struct {
	// Start is exclusive; the zero Key is the beginning of the table.
	Start keys.Key
	// Limit is how many items to read at most; 0 leaves it to DynamoDB's 1 MB.
	Limit int
	// Segment is the part of the table that is read, of as many as Segments; 0 of 0 is the whole table.
	Segment, Segments int
}

// Scanner is a Table that can also Scan.
type Scanner struct {
	*table.Table
}

// Scan reads a page in the table's own order, in which the items of a partition
// are consecutive. Result.Last has the Base after which the next page starts, and
// is zero at the end; a page may have no items before. In a table with tenants, Result.Tenants has those of the items,
// and Scan.Start and Result.Last have stored keys. It is eventually consistent and costs half a read unit for
// each 4 KB. Its errors are *exit.Error, or wrap context.Canceled.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Scan.html
func (t Scanner) Scan(ctx context.Context, s Scan) (request.Result, error) {
	in := &dynamodb.ScanInput{
		TableName:              aws.String(t.Name()),
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	}
	if s.Start != (keys.Key{}) {
		in.ExclusiveStartKey = attribute.FromKey(t.Schema().Layout(), s.Start)
	}
	if s.Limit > 0 {
		in.Limit = aws.Int32(int32(s.Limit))
	}
	if s.Segments > 0 {
		in.Segment, in.TotalSegments = aws.Int32(int32(s.Segment)), aws.Int32(int32(s.Segments))
	}
	out, result, err := table.Call(ctx, t.Table, t.Client().Scan, in)
	if err != nil {
		return result, t.ExitError(err)
	}
	result.Items = withoutLeases(t.Schema(), attribute.ToItems(out.Items))
	if t.Schema().Tenants {
		result.Tenants = cutTenants(t.Schema(), result.Items)
	}
	t.Schema().FromStored(result.Items)
	if out.ConsumedCapacity != nil {
		result.ReadUnits = aws.ToFloat64(out.ConsumedCapacity.CapacityUnits)
	}
	if len(out.LastEvaluatedKey) > 0 {
		base := attribute.ToKey(t.Schema().Layout(), out.LastEvaluatedKey)
		result.Last = keys.Position{SK: base.SK, Base: base}
	}
	return result, nil
}

// withoutLeases removes the items of those that read the stream, which are no part of the data.
func withoutLeases(s table.Schema, stored []item.Item) []item.Item {
	return slices.DeleteFunc(stored, s.Layout().IsReserved)
}

// cutTenants removes the tenants from the keys of stored items, in place, and returns their names.
func cutTenants(s table.Schema, items []item.Item) []string {
	tenants := make([]string, len(items))
	for i, it := range items {
		tenant, found := s.TenantOf(it)
		if !found {
			continue
		}
		tenants[i] = s.Layout().TenantName(tenant)
		s.FromTenant(tenant, items[i:i+1])
	}
	return tenants
}
