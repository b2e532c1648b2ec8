package stream

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	ddb "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
	"github.com/aws/smithy-go"

	"github.com/partita/partita/internal/table/wire"
	"github.com/partita/partita/table"
)

// maxRecords is how many records a page has at most.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_GetRecords.html
const maxRecords = 1000

// logInterval is the shortest time between two lines of the log about the same failure.
const logInterval = time.Minute

// errOtherStream is the cause if the table has another stream than before.
var errOtherStream = errors.New("stream: the table has another stream")

// source is the stream of the table: its requests.
type source struct {
	table *table.Table
	arn   string
	// requests counts what is paid; nil for nothing.
	requests *atomic.Int64
	// isOff is set if the stream had been turned off when its shards were listed: it gets no more records, and those that
	// it has can be read for 24 hours.
	isOff bool
}

// find returns the stream of the table. The error is a *Unsuitable if the table has none with both images.
func find(ctx context.Context, t *table.Table) (*source, error) {
	in := &dynamodb.DescribeTableInput{TableName: aws.String(t.Name())}
	out, _, err := table.Call(ctx, t, t.Client().DescribeTable, in)
	if err != nil {
		return nil, err
	}
	spec := out.Table.StreamSpecification
	switch {
	case spec == nil || !aws.ToBool(spec.StreamEnabled):
		return nil, &Unsuitable{Table: t.Name()}
	case spec.StreamViewType != ddb.StreamViewTypeNewAndOldImages:
		return nil, &Unsuitable{Table: t.Name(), ViewType: string(spec.StreamViewType)}
	}
	return &source{table: t, arn: aws.ToString(out.Table.LatestStreamArn)}, nil
}

// shards returns the shards that the stream has, also those that are closed.
func (s *source) shards(ctx context.Context) ([]shard, error) {
	var all []shard
	in := &dynamodbstreams.DescribeStreamInput{StreamArn: &s.arn}
	for {
		out, _, err := table.Call(ctx, s.table, s.table.Streams().DescribeStream, in)
		if err != nil {
			return nil, err
		}
		for _, d := range out.StreamDescription.Shards {
			one := shard{id: aws.ToString(d.ShardId), parent: aws.ToString(d.ParentShardId)}
			if d.SequenceNumberRange != nil {
				one.first = aws.ToString(d.SequenceNumberRange.StartingSequenceNumber)
			}
			all = append(all, one)
		}
		s.isOff = out.StreamDescription.StreamStatus == types.StreamStatusDisabled
		if in.ExclusiveStartShardId = out.StreamDescription.LastEvaluatedShardId; in.ExclusiveStartShardId == nil {
			return all, nil
		}
	}
}

// iterator returns a position in a shard for records: after the sequence number, with "" at the oldest record that the
// shard still has, and with present at the first one that is given, or else behind the newest.
func (s *source) iterator(ctx context.Context, shard, after, first string) (*string, error) {
	in := &dynamodbstreams.GetShardIteratorInput{StreamArn: &s.arn, ShardId: &shard}
	switch {
	case after == "":
		in.ShardIteratorType = types.ShardIteratorTypeTrimHorizon
	case after == present && first != "":
		in.ShardIteratorType, in.SequenceNumber = types.ShardIteratorTypeAtSequenceNumber, &first
	case after == present:
		in.ShardIteratorType = types.ShardIteratorTypeLatest
	default:
		in.ShardIteratorType, in.SequenceNumber = types.ShardIteratorTypeAfterSequenceNumber, &after
	}
	out, _, err := table.Call(ctx, s.table, s.table.Streams().GetShardIterator, in)
	if err != nil {
		return nil, err
	}
	return out.ShardIterator, nil
}

// page is what one GetRecords has read.
type page struct {
	records []*record
	// next is nil at the end of a shard that is closed.
	next *string
	// isFull reports whether the page was ended by its size, so that the shard probably has more.
	isFull bool
}

// read returns the next records of a shard.
func (s *source) read(ctx context.Context, shard string, iterator *string) (page, error) {
	most := maxRecords
	p, err := s.records(ctx, *iterator, most)
	for errors.Is(err, wire.ErrTooLarge) && most > 1 {
		most /= 10
		p, err = s.records(ctx, *iterator, most)
	}
	if err != nil {
		return page{}, err
	}
	out := page{records: make([]*record, len(p.Records))}
	if p.Next != "" {
		out.next = &p.Next
	}
	all, bytes := make([]record, len(p.Records)), int64(0)
	for i, r := range p.Records {
		if r.Old == nil && r.New == nil {
			return page{}, fmt.Errorf("stream: a record of %s has no item", shard)
		}
		all[i] = record{shard: shard, sequence: r.Sequence, at: r.At, old: r.Old, new: r.New}
		out.records[i] = &all[i]
		bytes += r.Size
	}
	out.isFull = len(out.records) == most || bytes > maxPage
	return out, nil
}

func (s *source) records(ctx context.Context, iterator string, most int) (wire.Records, error) {
	if s.requests != nil {
		s.requests.Add(1)
	}
	return s.table.GetRecords(ctx, iterator, most)
}

// maxPage is a size in bytes that a page exceeds only if its next record would have exceeded 1 MB: a record has two
// items of at most 400 KB.
const maxPage = 1<<20 - 2*400<<10

// Errors of the stream on which a reader depends.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_GetRecords.html
func isExpired(err error) bool { return hasCode(err, "ExpiredIteratorException") }
func isTrimmed(err error) bool { return hasCode(err, "TrimmedDataAccessException") }
func isGone(err error) bool    { return hasCode(err, "ResourceNotFoundException") }

// isInvalid reports whether a request has something that nobody could have sent.
func isInvalid(err error) bool { return hasCode(err, "ValidationException") }

// isUnknown reports whether the endpoint does not have the operation, as some that are compatible with DynamoDB.
func isUnknown(err error) bool { return hasCode(err, "UnknownOperationException") }

func hasCode(err error, code string) bool {
	var api smithy.APIError
	return errors.As(err, &api) && api.ErrorCode() == code
}

// Unsuitable is the error of a table without a stream that can be read.
type Unsuitable struct {
	Table string
	// ViewType is what records have; "" for a table without a stream.
	ViewType string
}

// Reason returns what the table has.
func (e *Unsuitable) Reason() string {
	has := "has no stream"
	if e.ViewType != "" {
		has = "has a stream with " + e.ViewType
	}
	return fmt.Sprintf("table %q %s", e.Table, has)
}

func (e *Unsuitable) Error() string {
	return e.Reason() + ": live fields need one with NEW_AND_OLD_IMAGES"
}

// Fix is the command that gives the table its stream.
func (e *Unsuitable) Fix() string {
	enable := fmt.Sprintf("aws dynamodb update-table --table-name %s --stream-specification "+
		"StreamEnabled=true,StreamViewType=NEW_AND_OLD_IMAGES", e.Table)
	if e.ViewType == "" {
		return enable
	}
	return fmt.Sprintf("aws dynamodb update-table --table-name %s --stream-specification StreamEnabled=false && %s",
		e.Table, enable)
}
