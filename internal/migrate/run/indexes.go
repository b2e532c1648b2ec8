package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/table"
)

// pollIndexes is how often an index that DynamoDB fills is looked at.
const pollIndexes = 2 * time.Second

// CreateIndexes creates the global indexes of a schema that the table does not have, one after the other, as DynamoDB
// wants it, and waits until each is filled. The right to carry out the migration is renewed meanwhile, which may take
// hours.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.OnlineOps.html
func (m *Migrator) CreateIndexes(ctx context.Context, s table.Schema) error {
	defer m.progress.start(ctx)()
	if err := m.createIndexes(ctx, m.table.WithSchema(s)); err != nil {
		return err
	}
	return m.progress.err()
}

func (m *Migrator) createIndexes(ctx context.Context, t *table.Table) error {
	wanted := admin.TableInput(t.Name(), t.Schema())
	for _, ix := range wanted.GlobalSecondaryIndexes {
		status, err := indexStatus(ctx, t, aws.ToString(ix.IndexName))
		if err != nil {
			return err
		}
		if status == "" {
			if err := createIndex(ctx, t, wanted, ix); err != nil {
				return err
			}
		}
		for status != types.IndexStatusActive {
			m.Log.InfoContext(ctx, "DynamoDB fills the index", "index", aws.ToString(ix.IndexName))
			if status, err = indexStatus(ctx, t, aws.ToString(ix.IndexName)); err != nil {
				return err
			}
			if status == types.IndexStatusActive {
				break
			}
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(pollIndexes):
			}
		}
	}
	return nil
}

// createIndex creates an index. DynamoDB creates one at a time, so that it may have to wait for another one.
func createIndex(
	ctx context.Context, t *table.Table, wanted *dynamodb.CreateTableInput, ix types.GlobalSecondaryIndex,
) error {
	in := &dynamodb.UpdateTableInput{
		TableName: aws.String(t.Name()), AttributeDefinitions: wanted.AttributeDefinitions,
		GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{{Create: &types.CreateGlobalSecondaryIndexAction{
			IndexName: ix.IndexName, KeySchema: ix.KeySchema, Projection: ix.Projection,
		}}},
	}
	for {
		_, _, err := table.Call(ctx, t, t.Client().UpdateTable, in)
		isBusy := errors.As(err, new(*types.LimitExceededException)) || errors.As(err, new(*types.ResourceInUseException))
		if !isBusy {
			return indexError(ctx, t, err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pollIndexes):
		}
	}
}

// indexError explains why an index was not created. Only DynamoDB knows the quota of the table.
func indexError(ctx context.Context, t *table.Table, err error) error {
	out, _, failed := table.Call(ctx, t, t.Client().DescribeTable, &dynamodb.DescribeTableInput{
		TableName: aws.String(t.Name()),
	})
	api, is := errors.AsType[smithy.APIError](err)
	if !is || failed != nil || len(out.Table.GlobalSecondaryIndexes) < stored.MaxGlobalIndexes {
		return t.ExitError(err)
	}
	return &exit.Error{
		Problem: fmt.Sprintf("table %q has %d global indexes, and DynamoDB adds no more (%s: %s)", t.Name(),
			len(out.Table.GlobalSecondaryIndexes), api.ErrorCode(), api.ErrorMessage()),
		Fix:  "delete an index that no program reads, or ask AWS for a higher quota, and run the same command again",
		Code: exit.Config, Err: err,
	}
}

// indexStatus returns the status of an index, "" if the table does not have it.
func indexStatus(ctx context.Context, t *table.Table, name string) (types.IndexStatus, error) {
	in := &dynamodb.DescribeTableInput{TableName: aws.String(t.Name())}
	out, _, err := table.Call(ctx, t, t.Client().DescribeTable, in)
	if err != nil {
		return "", t.ExitError(err)
	}
	i := slices.IndexFunc(out.Table.GlobalSecondaryIndexes, func(g types.GlobalSecondaryIndexDescription) bool {
		return aws.ToString(g.IndexName) == name
	})
	if i < 0 {
		return "", nil
	}
	g := out.Table.GlobalSecondaryIndexes[i]
	if g.IndexStatus == "" || aws.ToBool(g.Backfilling) {
		return types.IndexStatusCreating, nil
	}
	return g.IndexStatus, nil
}

// itemCount returns how many items a table has, by its statistics.
func itemCount(ctx context.Context, t *table.Table) (int, error) {
	in := &dynamodb.DescribeTableInput{TableName: aws.String(t.Name())}
	out, _, err := table.Call(ctx, t, t.Client().DescribeTable, in)
	if err != nil {
		return 0, t.ExitError(err)
	}
	return int(aws.ToInt64(out.Table.ItemCount)), nil
}
