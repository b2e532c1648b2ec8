package admin

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table"
)

// createTimeout bounds the wait for ACTIVE. Amazon DynamoDB needs some seconds,
// a minute if the account creates many tables.
const createTimeout = 3 * time.Minute

// Create creates the table with the Schema's keys, indexes, projections and stream, and
// on-demand capacity, and waits until it is active. It then turns on
// time to live (of Schema.ExpiryAttribute) and point-in-time recovery; if the
// endpoint does not have one of them, that is logged. Its errors are *exit.Error,
// or wrap context.Canceled.
func Create(ctx context.Context, t *table.Table) error {
	ctx, cancel := context.WithTimeout(ctx, createTimeout)
	defer cancel()
	_, result, err := table.Call(ctx, t, t.Client().CreateTable, TableInput(t.Name(), t.Schema()))
	var inUse *types.ResourceInUseException
	switch {
	case errors.As(err, &inUse) && result.Retries > 0:
		// The answer to an earlier attempt was lost; Verify below decides.
	case errors.As(err, &inUse):
		return &exit.Error{
			Problem: fmt.Sprintf("table %q exists already at %s", t.Name(), t.Location()),
			Fix:     "use it as it is, delete it first, or set another TABLE_NAME",
			Code:    exit.Config, Err: err,
		}
	case err != nil:
		return t.ExitError(err)
	}
	if err := awaitActive(ctx, t); err != nil {
		return t.ExitError(err)
	}
	if err := Verify(ctx, t); err != nil {
		return err
	}
	if err := enableExpiry(ctx, t); err != nil {
		return err
	}
	return enableRecovery(ctx, t)
}

// awaitActive waits until the new table can be used. DescribeTable may not find it
// at first.
func awaitActive(ctx context.Context, t *table.Table) error {
	for attempt := 1; ; attempt++ {
		in := &dynamodb.DescribeTableInput{TableName: aws.String(t.Name())}
		out, _, err := table.Call(ctx, t, t.Client().DescribeTable, in)
		switch {
		case err == nil && out.Table.TableStatus == types.TableStatusActive:
			return nil
		case err != nil && !errors.Is(err, request.ErrNoTable):
			return err
		}
		if err := request.Pause(ctx, attempt); err != nil {
			return fmt.Errorf("%w: %w", request.ErrTimeout, err)
		}
	}
}

// enableExpiry makes DynamoDB delete expired items.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TTL.html
func enableExpiry(ctx context.Context, t *table.Table) error {
	_, _, err := table.Call(ctx, t, t.Client().UpdateTimeToLive, &dynamodb.UpdateTimeToLiveInput{
		TableName: aws.String(t.Name()),
		TimeToLiveSpecification: &types.TimeToLiveSpecification{
			AttributeName: aws.String(t.Schema().ExpiryAttribute()),
			Enabled:       aws.Bool(true),
		},
	})
	return notEnabled(ctx, t, err, "its time to live", "time to live: expired items stay",
		"turn it on in the AWS console for the attribute "+t.Schema().ExpiryAttribute()+
			", or allow dynamodb:UpdateTimeToLive")
}

// notEnabled returns the error of a request that should turn on what it names for a new table. It is nil if there is
// none, or if the endpoint does not have that, which is logged.
func notEnabled(ctx context.Context, t *table.Table, err error, what, absent, fix string) error {
	var api smithy.APIError
	switch {
	case err == nil || errors.Is(err, context.Canceled):
		return err
	case errors.As(err, &api) && api.ErrorCode() == "UnknownOperationException":
		t.Logger().InfoContext(ctx, "the endpoint has no "+absent, "endpoint", t.Location())
		return nil
	}
	return &exit.Error{
		Problem: fmt.Sprintf("table %q was created, but %s could not be turned on", t.Name(), what),
		Fix:     fix, Code: exit.NoPermission, Err: err,
	}
}

// EnsureExpiry turns on time to live if it is off: the local engine's import
// creates a table without it, and an earlier start may have ended right after the
// import. It returns nil if there is no table. Its errors are those of Create.
func EnsureExpiry(ctx context.Context, t *table.Table) error {
	in := &dynamodb.DescribeTimeToLiveInput{TableName: aws.String(t.Name())}
	out, _, err := table.Call(ctx, t, t.Client().DescribeTimeToLive, in)
	switch {
	case errors.Is(err, request.ErrNoTable):
		return nil
	case err != nil:
		return t.ExitError(err)
	case isEnabled(out.TimeToLiveDescription):
		return nil
	}
	return enableExpiry(ctx, t)
}

func isEnabled(d *types.TimeToLiveDescription) bool {
	return d != nil && d.TimeToLiveStatus == types.TimeToLiveStatusEnabled
}

// enableRecovery waits until Amazon DynamoDB has the backups of a new table
// ready, which is some time after the table is active.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateContinuousBackups.html
func enableRecovery(ctx context.Context, t *table.Table) error {
	in := &dynamodb.UpdateContinuousBackupsInput{
		TableName: aws.String(t.Name()),
		PointInTimeRecoverySpecification: &types.PointInTimeRecoverySpecification{
			PointInTimeRecoveryEnabled: aws.Bool(true),
		},
	}
	_, _, err := table.Call(ctx, t, t.Client().UpdateContinuousBackups, in)
	var notReady *types.ContinuousBackupsUnavailableException
	for attempt := 1; errors.As(err, &notReady) && request.Pause(ctx, attempt) == nil; attempt++ {
		_, _, err = table.Call(ctx, t, t.Client().UpdateContinuousBackups, in)
	}
	return notEnabled(ctx, t, err, "point-in-time recovery", "point-in-time recovery",
		"turn it on in the AWS console, or allow dynamodb:UpdateContinuousBackups")
}

// TableInput returns the CreateTable request for a table of that name and Schema.
func TableInput(name string, schema table.Schema) *dynamodb.CreateTableInput {
	in := &dynamodb.CreateTableInput{
		TableName:            aws.String(name),
		BillingMode:          types.BillingModePayPerRequest,
		KeySchema:            keySchema(schema.Layout().Index("")),
		AttributeDefinitions: schema.KeyAttributes(),
	}
	for _, name := range schema.Indexes {
		ix := schema.Layout().Index(name)
		if ix.Local {
			in.LocalSecondaryIndexes = append(in.LocalSecondaryIndexes, types.LocalSecondaryIndex{
				IndexName: aws.String(name), KeySchema: keySchema(ix), Projection: projection(ix),
			})
			continue
		}
		in.GlobalSecondaryIndexes = append(in.GlobalSecondaryIndexes, types.GlobalSecondaryIndex{
			IndexName:  aws.String(name),
			KeySchema:  keySchema(ix),
			Projection: projection(ix),
		})
	}
	if schema.Stream {
		in.StreamSpecification = streamSpecification()
	}
	return in
}

// streamSpecification is that of a stream with both images, which live fields need.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_StreamSpecification.html
func streamSpecification() *types.StreamSpecification {
	return &types.StreamSpecification{
		StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewTypeNewAndOldImages,
	}
}

// EnsureStream turns on the stream of a table of the local engine if it is off: the engine's import creates a table
// without one, and so did earlier versions. It returns nil if there is no table. Its errors are those of Create.
func EnsureStream(ctx context.Context, t *table.Table) error {
	out, _, err := table.Call(ctx, t, t.Client().DescribeTable, &dynamodb.DescribeTableInput{
		TableName: aws.String(t.Name()),
	})
	switch {
	case errors.Is(err, request.ErrNoTable):
		return nil
	case err != nil:
		return t.ExitError(err)
	case out.Table.StreamSpecification != nil && aws.ToBool(out.Table.StreamSpecification.StreamEnabled):
		return nil
	}
	_, _, err = table.Call(ctx, t, t.Client().UpdateTable, &dynamodb.UpdateTableInput{
		TableName: aws.String(t.Name()), StreamSpecification: streamSpecification(),
	})
	if err != nil {
		return t.ExitError(err)
	}
	return nil
}

func projection(ix stored.IndexLayout) *types.Projection {
	return &types.Projection{ProjectionType: types.ProjectionType(ix.Projection.String()), NonKeyAttributes: ix.Include}
}

// keySchema returns the keys of an index, or of the table.
func keySchema(ix stored.IndexLayout) []types.KeySchemaElement {
	var elements []types.KeySchemaElement
	for _, a := range ix.PK {
		elements = append(elements, types.KeySchemaElement{AttributeName: aws.String(a.Name), KeyType: types.KeyTypeHash})
	}
	for _, a := range ix.SK {
		elements = append(elements, types.KeySchemaElement{AttributeName: aws.String(a.Name), KeyType: types.KeyTypeRange})
	}
	return elements
}
