package table

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/middleware"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"github.com/partita/partita/internal/table/wire"
)

// GetRecords reads the records of a shard of the table's stream that follow an iterator, at most so many. Their items
// are as they are stored.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_GetRecords.html
func (t *Table) GetRecords(ctx context.Context, iterator string, most int) (wire.Records, error) {
	if t.wire == nil {
		return t.getRecords(ctx, iterator, most)
	}
	if err := t.ended(); err != nil {
		return wire.Records{}, err
	}
	page, err := t.wire.GetRecords(ctx, iterator, most)
	if errors.Is(err, wire.ErrUnsupported) {
		return t.getRecords(ctx, iterator, most)
	}
	return page, err
}

// getRecords sends a GetRecords by the SDK.
func (t *Table) getRecords(ctx context.Context, iterator string, most int) (wire.Records, error) {
	var r recordsReader
	get := func(
		ctx context.Context, in *dynamodbstreams.GetRecordsInput, _ ...func(*dynamodbstreams.Options),
	) (*dynamodbstreams.GetRecordsOutput, error) {
		return t.streams.GetRecords(ctx, in, r.instead)
	}
	in := &dynamodbstreams.GetRecordsInput{ShardIterator: &iterator, Limit: aws.Int32(int32(most))}
	_, _, err := Call(ctx, t, get, in)
	return r.page, err
}

// recordsReader reads the body of a response to GetRecords, because the SDK needs several times the CPU.
type recordsReader struct{ page wire.Records }

// instead lets the SDK read an empty body.
func (r *recordsReader) instead(o *dynamodbstreams.Options) {
	read := func(ctx context.Context, in middleware.DeserializeInput, next middleware.DeserializeHandler) (
		out middleware.DeserializeOutput, metadata middleware.Metadata, err error,
	) {
		out, metadata, err = next.HandleDeserialize(ctx, in)
		response, is := out.RawResponse.(*smithyhttp.Response)
		if err != nil || !is || response.StatusCode != http.StatusOK {
			return out, metadata, err
		}
		body, err := io.ReadAll(response.Body)
		err = errors.Join(err, response.Body.Close())
		response.Body = io.NopCloser(strings.NewReader("{}"))
		if err != nil {
			return out, metadata, &smithyhttp.ResponseError{Response: response, Err: err}
		}
		if r.page, err = wire.ParseRecords(string(body)); err != nil {
			return out, metadata, &smithy.DeserializationError{Err: err}
		}
		return out, metadata, nil
	}
	o.APIOptions = append(o.APIOptions, func(stack *middleware.Stack) error {
		return stack.Deserialize.Insert(
			middleware.DeserializeMiddlewareFunc("PartitaRecords", read), "OperationDeserializer", middleware.After)
	})
}
