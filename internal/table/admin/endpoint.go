package admin

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/attribute"
)

// CheckMutations returns an *exit.Error if the endpoint lacks what mutations rely on, as some do that are compatible
// with DynamoDB: transactions, conditions, the reasons for which a transaction was cancelled, and the item whose
// condition failed. It sends a transaction with a condition that no item fulfils, so that nothing is written. The item
// is the record of the table's design: if there is one, a single write with such a condition follows. An endpoint that
// is out of reach, or denies access, is not the concern of this check.
func CheckMutations(ctx context.Context, t *table.Table) error {
	ctx, cancel := context.WithTimeout(ctx, t.Settings().StartTimeout)
	defer cancel()
	layout := t.Schema().Layout()
	p := probe{
		table: t, key: attribute.FromKey(layout, layout.RecordKey()),
		names: map[string]string{"#k": layout.Index("").PK[0].Name},
	}
	reason, err := p.transaction(ctx)
	switch {
	case err != nil || aws.ToString(reason.Code) != "ConditionalCheckFailed":
		return err
	case len(reason.Item) > 0:
		return p.single(ctx)
	case p.isStored(ctx):
		return p.lacks("does not return the item whose condition failed in a transaction", nil)
	}
	return nil
}

// never is a condition that no item fulfils.
const never = "attribute_exists(#k) AND attribute_not_exists(#k)"

// probe sends the requests of a check.
type probe struct {
	table *table.Table
	key   map[string]types.AttributeValue
	names map[string]string
}

// transaction returns the reason for which a transaction whose condition fails was cancelled; the zero reason if it
// could not be carried out.
func (p probe) transaction(ctx context.Context) (reason types.CancellationReason, err error) {
	_, _, err = table.Call(ctx, p.table, p.table.Client().TransactWriteItems, &dynamodb.TransactWriteItemsInput{
		TransactItems: []types.TransactWriteItem{{ConditionCheck: &types.ConditionCheck{
			TableName: aws.String(p.table.Name()), Key: p.key,
			ConditionExpression: aws.String(never), ExpressionAttributeNames: p.names,
			ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
		}}},
	})
	canceled, is := errors.AsType[*types.TransactionCanceledException](err)
	switch {
	case err == nil:
		return reason, p.lacks("carries out transactions whose condition fails", nil)
	case !is:
		return reason, p.answered("has no transactions", err)
	case len(canceled.CancellationReasons) != 1:
		return reason, p.lacks("does not say which condition of a transaction failed", nil)
	}
	return canceled.CancellationReasons[0], nil
}

// isStored reports whether the table is known to have the item.
func (p probe) isStored(ctx context.Context) bool {
	out, _, err := table.Call(ctx, p.table, p.table.Client().GetItem, &dynamodb.GetItemInput{
		TableName: aws.String(p.table.Name()), Key: p.key, ConsistentRead: aws.Bool(true),
	})
	return err == nil && len(out.Item) > 0
}

// single checks a write that is no transaction, of an item that there is. It would change nothing.
func (p probe) single(ctx context.Context) error {
	_, _, err := table.Call(ctx, p.table, p.table.Client().UpdateItem, &dynamodb.UpdateItemInput{
		TableName: aws.String(p.table.Name()), Key: p.key,
		ConditionExpression: aws.String(never), ExpressionAttributeNames: p.names,
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	})
	failed, is := errors.AsType[*types.ConditionalCheckFailedException](err)
	switch {
	case err == nil:
		return p.lacks("carries out writes whose condition fails", nil)
	case !is:
		return p.answered("has no conditions", err)
	case len(failed.Item) == 0:
		return p.lacks("does not return the item whose condition failed", nil)
	}
	return nil
}

// answered returns the error for a request that the endpoint does not know; nil for one that it could not carry out.
func (p probe) answered(lack string, err error) error {
	api, is := errors.AsType[smithy.APIError](err)
	_, isInternal := errors.AsType[*types.InternalServerError](err)
	if !is || isInternal || errors.Is(err, request.ErrAccessDenied) || errors.Is(err, request.ErrThrottled) ||
		errors.Is(err, request.ErrUnavailable) {
		return nil
	}
	return p.lacks(fmt.Sprintf("%s (%s: %s)", lack, api.ErrorCode(), api.ErrorMessage()), err)
}

func (p probe) lacks(lack string, err error) error {
	return &exit.Error{
		Problem: fmt.Sprintf("%s %s, and mutations need that", p.table.Location(), lack),
		Fix:     "use Amazon DynamoDB, DynamoDB Local or the local engine; a schema without mutations does not need it",
		Code:    exit.Config, Err: err,
	}
}
