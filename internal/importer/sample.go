package importer

import (
	"context"
	"fmt"
	"iter"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/item"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/attribute"
)

const (
	// segments is over how many parts of the table a sample is spread.
	segments = 16
	// maxItemUnits is what reading the largest item of 400 KB costs, eventually consistent.
	maxItemUnits = 50
	// maxPage is how many items are read at once.
	maxPage = 100
	// maxPageUnits is what reading the largest page costs: 1 MB, and the rest of the item that passes it.
	maxPageUnits = 128 + maxItemUnits
)

// Sample is a Scan of parts of a table.
type Sample struct {
	table *table.Table
	// left is the rest of the budget in read units.
	left float64
	// starts are the keys after which each segment goes on. A segment that ended has none.
	starts map[int32]map[string]types.AttributeValue
}

// NewSample returns a sample that consumes at most so many read units, 50 or more. The items are read while Items is
// iterated. Its errors are *exit.Error, or wrap context.Canceled.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Scan.html#Scan.ParallelScan
func NewSample(ctx context.Context, t *table.Table, readUnits float64) (*Sample, Options, error) {
	in := &dynamodb.DescribeTableInput{TableName: aws.String(t.Name())}
	out, _, err := table.Call(ctx, t, t.Client().DescribeTable, in)
	if err != nil {
		return nil, Options{}, t.ExitError(err)
	}
	o, err := describe(out.Table)
	if err == nil {
		o.describeExpiry(ctx, t)
	}
	s := &Sample{table: t, left: readUnits, starts: map[int32]map[string]types.AttributeValue{}}
	for i := range int32(segments) {
		s.starts[i] = nil
	}
	o.Partial = s.Partial
	return s, o, err
}

// Partial reports whether the table has items that were not read.
func (s *Sample) Partial() bool { return len(s.starts) > 0 }

// Left returns the read units of the budget that were not consumed.
func (s *Sample) Left() float64 { return s.left }

// Items returns the items, a page of each segment in turn.
func (s *Sample) Items(ctx context.Context) iter.Seq2[item.Item, error] {
	return func(yield func(item.Item, error) bool) {
		for len(s.starts) > 0 && s.left >= maxItemUnits {
			for segment := range int32(segments) {
				if _, more := s.starts[segment]; !more || s.left < maxItemUnits {
					continue
				}
				items, err := s.page(ctx, segment)
				if err != nil {
					yield(nil, err)
					return
				}
				for _, it := range items {
					if !yield(it, nil) {
						return
					}
				}
			}
		}
	}
}

// page reads as many items of a segment as the budget allows, however large they are.
func (s *Sample) page(ctx context.Context, segment int32) ([]item.Item, error) {
	limit := int32(maxPage)
	if s.left < maxPageUnits {
		limit = int32(s.left / maxItemUnits)
	}
	in := &dynamodb.ScanInput{
		TableName:              aws.String(s.table.Name()),
		Segment:                aws.Int32(segment),
		TotalSegments:          aws.Int32(segments),
		Limit:                  aws.Int32(limit),
		ExclusiveStartKey:      s.starts[segment],
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	}
	out, _, err := table.Call(ctx, s.table, s.table.Client().Scan, in)
	if err != nil {
		return nil, s.table.ExitError(err)
	}
	if out.ConsumedCapacity == nil {
		return nil, fmt.Errorf("importer: the endpoint does not return the capacity that a Scan has consumed")
	}
	s.left -= aws.ToFloat64(out.ConsumedCapacity.CapacityUnits)
	if s.starts[segment] = out.LastEvaluatedKey; len(out.LastEvaluatedKey) == 0 {
		delete(s.starts, segment)
	}
	return attribute.ToItems(out.Items), nil
}

// describeExpiry sets the attribute of the time to live. Not all endpoints have one, and not every caller may see it:
// then the report says so.
func (o *Options) describeExpiry(ctx context.Context, t *table.Table) {
	in := &dynamodb.DescribeTimeToLiveInput{TableName: aws.String(t.Name())}
	out, _, err := table.Call(ctx, t, t.Client().DescribeTimeToLive, in)
	switch {
	case err != nil:
		o.omitted = append(o.omitted, "@item(expires:), if the table has a time to live: DescribeTimeToLive is not possible")
	case out.TimeToLiveDescription == nil:
	case out.TimeToLiveDescription.TimeToLiveStatus == types.TimeToLiveStatusEnabled,
		out.TimeToLiveDescription.TimeToLiveStatus == types.TimeToLiveStatusEnabling:
		o.Expires = aws.ToString(out.TimeToLiveDescription.AttributeName)
	}
}
