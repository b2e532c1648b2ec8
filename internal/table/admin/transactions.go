package admin

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table"
)

// CheckTransactions returns an *exit.Error if the endpoint has no transactions, which some that are compatible with
// DynamoDB lack. It sends one that reads an item that nobody has. An endpoint that is out of reach, or denies access,
// is not the concern of this check.
func CheckTransactions(ctx context.Context, t *table.Table) error {
	key := t.Schema().Layout().Index("")
	values := map[string]types.AttributeValue{}
	for _, k := range slices.Concat(key.PK, key.SK) {
		values[k.Name] = &types.AttributeValueMemberS{Value: "PARTITA#CHECK"}
		if k.Number {
			values[k.Name] = &types.AttributeValueMemberN{Value: "0"}
		}
	}
	limited, cancel := context.WithTimeout(ctx, t.Settings().StartTimeout)
	defer cancel()
	_, _, err := table.Call(limited, t, t.Client().TransactGetItems, &dynamodb.TransactGetItemsInput{
		TransactItems: []types.TransactGetItem{{Get: &types.Get{TableName: aws.String(t.Name()), Key: values}}},
	})
	api, is := errors.AsType[smithy.APIError](err)
	_, isInternal := errors.AsType[*types.InternalServerError](err)
	if !is || isInternal || errors.Is(err, request.ErrAccessDenied) || errors.Is(err, request.ErrThrottled) ||
		errors.Is(err, request.ErrUnavailable) {
		return nil
	}
	return &exit.Error{
		Problem: fmt.Sprintf("%s has no transactions (%s: %s), and mutations need them", t.Location(), api.ErrorCode(),
			api.ErrorMessage()),
		Fix:  "use Amazon DynamoDB, DynamoDB Local or the local engine; a schema without mutations needs no transactions",
		Code: exit.Config, Err: err,
	}
}
