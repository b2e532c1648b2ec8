package table

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
	"github.com/partita/partita/keys"
	"github.com/partita/partita/loaders/request"
)

// createTimeout bounds the wait for ACTIVE. Amazon DynamoDB takes some seconds,
// a minute when the account creates many tables.
const createTimeout = 3 * time.Minute

// CreateTable creates the table with the Schema's keys and indexes, on demand
// capacity, all attributes projected, and waits until it is active. It then
// turns time to live (of keys.AttributeExpiry) and point-in-time recovery on; an
// endpoint that lacks a feature is logged. Its errors are *exit.Error, or wrap context.Canceled.
func (t *Table) CreateTable(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, createTimeout)
	defer cancel()
	_, result, err := call(ctx, t, t.client.CreateTable, createInput(t.name, t.schema))
	var inUse *types.ResourceInUseException
	switch {
	case errors.As(err, &inUse) && result.Retries > 0:
		// The answer to an earlier attempt was lost; Verify below decides.
	case errors.As(err, &inUse):
		return &exit.Error{
			Problem: fmt.Sprintf("table %q exists already at %s", t.name, t.where),
			Fix:     "use it as it is, delete it first, or set another TABLE_NAME",
			Code:    exit.Config, Err: err,
		}
	case err != nil:
		return t.exitError(err)
	}
	waiter := dynamodb.NewTableExistsWaiter(t.client, func(o *dynamodb.TableExistsWaiterOptions) {
		o.MinDelay, o.MaxDelay = 20*time.Millisecond, 2*time.Second
	})
	if err := waiter.Wait(ctx, &dynamodb.DescribeTableInput{TableName: t.nameParam()}, createTimeout); err != nil {
		return t.exitError(explain(ctx, err, nil))
	}
	if err := t.Verify(ctx); err != nil {
		return err
	}
	if err := t.enableExpiry(ctx); err != nil {
		return err
	}
	return t.enableRecovery(ctx)
}

// enableExpiry lets DynamoDB delete items whose time to live is over.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TTL.html
func (t *Table) enableExpiry(ctx context.Context) error {
	_, _, err := call(ctx, t, t.client.UpdateTimeToLive, &dynamodb.UpdateTimeToLiveInput{
		TableName: t.nameParam(),
		TimeToLiveSpecification: &types.TimeToLiveSpecification{
			AttributeName: aws.String(keys.AttributeExpiry),
			Enabled:       aws.Bool(true),
		},
	})
	var api smithy.APIError
	if errors.As(err, &api) && api.ErrorCode() == "UnknownOperationException" {
		t.log.InfoContext(ctx, "the endpoint has no time to live: expired items stay", "endpoint", t.where)
		return nil
	}
	if err != nil {
		return &exit.Error{
			Problem: fmt.Sprintf("table %q was created, but its time to live could not be turned on", t.name),
			Fix:     "turn it on in the AWS console for the attribute " + keys.AttributeExpiry + ", or allow dynamodb:UpdateTimeToLive",
			Code:    exit.NoPermission, Err: err,
		}
	}
	return nil
}

// ensureExpiry turns time to live on where it is off: the engine's import makes a
// table without it, and may have been all that an earlier start came to. A
// missing table is for Verify to tell.
func (t *Table) ensureExpiry(ctx context.Context) error {
	out, _, err := call(ctx, t, t.client.DescribeTimeToLive, &dynamodb.DescribeTimeToLiveInput{TableName: t.nameParam()})
	switch {
	case errors.Is(err, request.ErrNoTable):
		return nil
	case err != nil:
		return t.exitError(err)
	case out.TimeToLiveDescription != nil && out.TimeToLiveDescription.TimeToLiveStatus == types.TimeToLiveStatusEnabled:
		return nil
	}
	return t.enableExpiry(ctx)
}

// enableRecovery waits until Amazon DynamoDB has the backups of a new table
// ready, which is some time after the table is active.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateContinuousBackups.html
func (t *Table) enableRecovery(ctx context.Context) error {
	in := &dynamodb.UpdateContinuousBackupsInput{
		TableName: t.nameParam(),
		PointInTimeRecoverySpecification: &types.PointInTimeRecoverySpecification{
			PointInTimeRecoveryEnabled: aws.Bool(true),
		},
	}
	_, _, err := call(ctx, t, t.client.UpdateContinuousBackups, in)
	var notReady *types.ContinuousBackupsUnavailableException
	for attempt := 1; errors.As(err, &notReady) && request.Pause(ctx, attempt) == nil; attempt++ {
		_, _, err = call(ctx, t, t.client.UpdateContinuousBackups, in)
	}
	var api smithy.APIError
	if errors.As(err, &api) && api.ErrorCode() == "UnknownOperationException" {
		t.log.InfoContext(ctx, "the endpoint has no point-in-time recovery", "endpoint", t.where)
		return nil
	}
	if err != nil {
		return &exit.Error{
			Problem: fmt.Sprintf("table %q was created, but point-in-time recovery could not be turned on", t.name),
			Fix:     "turn it on in the AWS console, or allow dynamodb:UpdateContinuousBackups",
			Code:    exit.NoPermission, Err: err,
		}
	}
	return nil
}

func createInput(name string, schema Schema) *dynamodb.CreateTableInput {
	in := &dynamodb.CreateTableInput{
		TableName:            aws.String(name),
		BillingMode:          types.BillingModePayPerRequest,
		KeySchema:            keySchema(""),
		AttributeDefinitions: keyAttributes(""),
	}
	for _, index := range schema.Indexes {
		in.AttributeDefinitions = append(in.AttributeDefinitions, keyAttributes(index)...)
		in.GlobalSecondaryIndexes = append(in.GlobalSecondaryIndexes, types.GlobalSecondaryIndex{
			IndexName:  aws.String(index),
			KeySchema:  keySchema(index),
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll},
		})
	}
	return in
}

// keySchema is that of an index, or of the table for "".
func keySchema(index string) []types.KeySchemaElement {
	return []types.KeySchemaElement{
		{AttributeName: aws.String(keys.IndexPK(index)), KeyType: types.KeyTypeHash},
		{AttributeName: aws.String(keys.IndexSK(index)), KeyType: types.KeyTypeRange},
	}
}

func keyAttributes(index string) []types.AttributeDefinition {
	return []types.AttributeDefinition{
		{AttributeName: aws.String(keys.IndexPK(index)), AttributeType: types.ScalarAttributeTypeS},
		{AttributeName: aws.String(keys.IndexSK(index)), AttributeType: types.ScalarAttributeTypeS},
	}
}
