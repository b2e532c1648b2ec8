package admin

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/attribute"
)

// KeyScan reads one page of the keys in a table or an index, at most 1 MB of items.
type KeyScan struct {
	// Index is the index's name, or "" for the table itself.
	Index string
	// Start are the stored keys of the item before the page: the Next of the page before. With nil, the page is the first.
	Start item.Item
	// Limit is how many items to read at most.
	Limit int
}

// KeyPage is what a KeyScan has read.
type KeyPage struct {
	// Items have their keys and the type attribute as they are stored, but for the tenant in the keys. In a table with
	// tenants they are those of the context's tenant.
	Items []item.Item
	// Scanned is how many items were read, of all tenants.
	Scanned int
	// Next are the stored keys of the last item; nil at the end. In a table with tenants they may be those of another one.
	Next item.Item
	// Result has the consumed units and the retries.
	Result request.Result
}

// ScanKeys reads a page in the table's own order, in which the items of a partition are consecutive. It is eventually
// consistent, and costs half a read unit for each 4 KB of the items, not of their keys alone. Its errors wrap those of
// package request or table.ErrNoTenant.
func (t Scanner) ScanKeys(ctx context.Context, s KeyScan) (KeyPage, error) {
	schema := t.Schema()
	tenant, err := schema.TenantIn(ctx)
	if err != nil {
		return KeyPage{}, err
	}
	names := scannedNames(schema.Layout(), s.Index)
	in := &dynamodb.ScanInput{
		TableName:                aws.String(t.Name()),
		Limit:                    aws.Int32(int32(s.Limit)),
		ExpressionAttributeNames: make(map[string]string, len(names)),
		ReturnConsumedCapacity:   types.ReturnConsumedCapacityTotal,
	}
	placeholders := make([]string, len(names))
	for i, name := range names {
		placeholders[i] = fmt.Sprintf("#n%d", i)
		in.ExpressionAttributeNames[placeholders[i]] = name
	}
	in.ProjectionExpression = aws.String(strings.Join(placeholders, ","))
	if s.Index != "" {
		in.IndexName = aws.String(s.Index)
	}
	if s.Start != nil {
		in.ExclusiveStartKey = attribute.FromItem(s.Start)
	}
	out, result, err := table.Call(ctx, t.Table, t.Client().Scan, in)
	if err != nil {
		return KeyPage{Result: result}, err
	}
	page := KeyPage{Items: withoutLeases(schema, attribute.ToItems(out.Items)), Scanned: len(out.Items), Result: result}
	if len(out.LastEvaluatedKey) > 0 {
		page.Next = attribute.ToItems([]map[string]types.AttributeValue{out.LastEvaluatedKey})[0]
	}
	if out.ConsumedCapacity != nil {
		page.Result.ReadUnits = aws.ToFloat64(out.ConsumedCapacity.CapacityUnits)
	}
	if tenant != "" {
		page.Items = ofTenant(schema, tenant, s.Index, page.Items)
	}
	return page, nil
}

// ofTenant returns the items of a tenant, without it in their keys. An entry of an index that is under the key of
// another tenant is damage; it is left out.
func ofTenant(s table.Schema, tenant keys.Tenant, index string, stored []item.Item) []item.Item {
	stored = slices.DeleteFunc(stored, func(it item.Item) bool {
		own, found := s.TenantOf(it)
		return !found || own != tenant
	})
	s.FromTenant(tenant, stored)
	ix := s.Layout().Index(index)
	return slices.DeleteFunc(stored, func(it item.Item) bool { return keys.IsOfOtherTenant(ix.PartitionKey(it)) })
}

// scannedNames returns the stored names of the keys, and of the type attribute if the index has it.
func scannedNames(l *stored.Layout, index string) []string {
	ix, names := l.Index(index), slices.Concat(l.PK.Names(), l.SK.Names())
	isProjected := ix.Projection == stored.All || slices.Contains(ix.Include, l.Type)
	if l.Type != "" && isProjected {
		names = append(names, l.Type)
	}
	for _, name := range slices.Concat(ix.PK.Names(), ix.SK.Names()) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
