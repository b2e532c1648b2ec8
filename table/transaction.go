package table

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/uuid"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// DynamoDB's limits of one transaction: actions, bytes of all items together, and
// characters of a token.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
const (
	MaxActions          = 100
	MaxTransactionBytes = 4 << 20
	MaxTokenLength      = 36
)

// TransactWriteItems writes up to MaxActions items, no item twice, all or none.
type TransactWriteItems struct {
	Actions []keys.Action
	// Token makes the transaction happen once however often it is sent within
	// ten minutes: DynamoDB's ClientRequestToken, at most MaxTokenLength
	// characters. "" is a new one, which covers the retries of this call.
	Token string
}

// ConditionError means that nothing was written because conditions did not
// hold.
type ConditionError struct {
	// Failed are the actions whose conditions did not hold, in their order.
	Failed []FailedCondition
}

// FailedCondition is an action whose conditions did not hold.
type FailedCondition struct {
	// Action is its place in the transaction.
	Action int
	// Item is what the conditions met; nil when there was no item.
	Item item.Item
}

func (e *ConditionError) Error() string {
	places := make([]int, len(e.Failed))
	for i, f := range e.Failed {
		places[i] = f.Action
	}
	return fmt.Sprintf("table: the conditions of the actions %v of the transaction do not hold", places)
}

// Find is the failed condition of the action at that place, or nil.
func (e *ConditionError) Find(action int) *FailedCondition {
	for i := range e.Failed {
		if e.Failed[i].Action == action {
			return &e.Failed[i]
		}
	}
	return nil
}

// TransactWriteItems carries out the transaction. What meets another
// transaction on the same items, or throttling, is sent again with Backoff until
// the context ends; on an item that others of this process contend for, once its
// turn has come. Errors are a *ConditionError, or wrap ErrConflict,
// ErrTokenReused or one of the Err values of reads. After any but the first
// three the transaction may have been carried out nevertheless. On an error
// Result still tells the retries.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
func (t *Table) TransactWriteItems(ctx context.Context, w TransactWriteItems) (Result, error) {
	if err := w.check(); err != nil {
		return Result{}, err
	}
	in := t.transactInput(w)
	result := Result{}
	contended := t.turns.hotAmong(w.Actions)
	for attempt := 1; ; attempt++ {
		out, attempts, err := t.transact(ctx, in, contended)
		result.Retries += attempts.Retries
		result.Throttles += attempts.Throttles
		if err == nil {
			for i := range out.ConsumedCapacity {
				result.WriteUnits += units(&out.ConsumedCapacity[i])
			}
			return result, nil
		}
		contended = withConflicts(contended, w.Actions, err)
		again, err := refusal(err)
		if !again {
			return result, err
		}
		if ended := Pause(ctx, attempt); ended != nil {
			return result, fmt.Errorf("%w: %w", err, ended)
		}
		result.Retries++
		if errors.Is(err, ErrThrottled) {
			result.Throttles++
		}
	}
}

// transact sends the transaction once its turn has come on each contended item.
func (t *Table) transact(ctx context.Context, in *dynamodb.TransactWriteItemsInput, contended []keys.Key) (*dynamodb.TransactWriteItemsOutput, Result, error) {
	release, err := t.turns.take(ctx, contended)
	if err != nil {
		return nil, Result{}, fmt.Errorf("%w: %w", ErrConflict, err)
	}
	defer release()
	return call(ctx, t, t.client.TransactWriteItems, in)
}

// withConflicts adds the items on which the transaction met another one.
func withConflicts(contended []keys.Key, actions []keys.Action, err error) []keys.Key {
	var canceled *types.TransactionCanceledException
	if !errors.As(err, &canceled) {
		return contended
	}
	for i, r := range canceled.CancellationReasons {
		if aws.ToString(r.Code) == "TransactionConflict" && i < len(actions) && !slices.Contains(contended, actions[i].Key) {
			contended = append(contended, actions[i].Key)
		}
	}
	return contended
}

// refusal explains why a transaction was not carried out, and whether it may be
// when it is sent again.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CancellationReason.html
func refusal(err error) (again bool, explained error) {
	var mismatch *types.IdempotentParameterMismatchException
	if errors.As(err, &mismatch) {
		return false, fmt.Errorf("%w: %w", ErrTokenReused, err)
	}
	var canceled *types.TransactionCanceledException
	if !errors.As(err, &canceled) {
		return false, err
	}
	failed := &ConditionError{}
	var reason error
	for i, r := range canceled.CancellationReasons {
		switch aws.ToString(r.Code) {
		case "ConditionalCheckFailed":
			f := FailedCondition{Action: i}
			if len(r.Item) > 0 {
				f.Item = toItems([]map[string]types.AttributeValue{r.Item})[0]
			}
			failed.Failed = append(failed.Failed, f)
		case "TransactionConflict":
			reason = ErrConflict
		case "ProvisionedThroughputExceeded", "ThrottlingError":
			reason = ErrThrottled
		case "None", "":
		default: // an item that DynamoDB refuses
			return false, err
		}
	}
	switch {
	case len(failed.Failed) > 0:
		return false, failed
	case reason == nil:
		return false, err
	}
	return true, fmt.Errorf("%w: %w", reason, err)
}

// check finds what DynamoDB would refuse. Callers keep within the limits, so
// each is a bug of theirs.
func (w TransactWriteItems) check() error {
	if n := len(w.Actions); n == 0 || n > MaxActions {
		return fmt.Errorf("table: bug: a transaction of %d actions; 1 to %d are possible", n, MaxActions)
	}
	if len(w.Token) > MaxTokenLength {
		return fmt.Errorf("table: bug: a token of %d characters; at most %d are possible", len(w.Token), MaxTokenLength)
	}
	place := make(map[keys.Key]int, len(w.Actions))
	total := 0
	for i, a := range w.Actions {
		if before, twice := place[a.Key]; twice {
			return fmt.Errorf("table: bug: actions %d and %d of a transaction are on one item; merge them", before, i)
		}
		place[a.Key] = i
		if err := checkAction(a); err != nil {
			return fmt.Errorf("table: bug: action %d of a transaction: %w", i, err)
		}
		size := a.Item.Size() + a.Set.Size()
		if size > item.MaxBytes {
			return fmt.Errorf("table: bug: action %d of a transaction writes %d bytes; an item has at most %d",
				i, size, item.MaxBytes)
		}
		total += size
	}
	if total > MaxTransactionBytes {
		return fmt.Errorf("table: bug: a transaction of %d bytes; at most %d are possible", total, MaxTransactionBytes)
	}
	return nil
}

// checkAction finds what DynamoDB would refuse whatever is stored.
func checkAction(a keys.Action) error {
	if n := len(a.Key.PK); n == 0 || n > keys.MaxPKBytes {
		return fmt.Errorf("a partition key of %d bytes; 1 to %d are possible", n, keys.MaxPKBytes)
	}
	if n := len(a.Key.SK); n == 0 || n > keys.MaxSKBytes {
		return fmt.Errorf("a sort key of %d bytes; 1 to %d are possible", n, keys.MaxSKBytes)
	}
	return errors.Join(a.Item.Check(), a.Set.Check())
}

func (t *Table) transactInput(w TransactWriteItems) *dynamodb.TransactWriteItemsInput {
	token := w.Token
	if token == "" {
		token = uuid.NewString()
	}
	in := &dynamodb.TransactWriteItemsInput{
		ClientRequestToken:     aws.String(token),
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
		TransactItems:          make([]types.TransactWriteItem, len(w.Actions)),
	}
	for i, a := range w.Actions {
		in.TransactItems[i] = t.transactItem(a)
	}
	return in
}

func (t *Table) transactItem(a keys.Action) types.TransactWriteItem {
	var e expressions
	condition := e.conditions(a.If)
	// What a condition met is asked for, since it says what to tell the caller.
	const old = types.ReturnValuesOnConditionCheckFailureAllOld
	switch a.Kind {
	case keys.ActionPut:
		return types.TransactWriteItem{Put: &types.Put{
			TableName: t.nameParam(), Item: fromItem(a.Item), ConditionExpression: condition,
			ExpressionAttributeNames: e.names, ExpressionAttributeValues: e.values,
			ReturnValuesOnConditionCheckFailure: old,
		}}
	case keys.ActionUpdate:
		update := e.update(a)
		return types.TransactWriteItem{Update: &types.Update{
			TableName: t.nameParam(), Key: fromKey(a.Key), ConditionExpression: condition, UpdateExpression: update,
			ExpressionAttributeNames: e.names, ExpressionAttributeValues: e.values,
			ReturnValuesOnConditionCheckFailure: old,
		}}
	case keys.ActionDelete:
		return types.TransactWriteItem{Delete: &types.Delete{
			TableName: t.nameParam(), Key: fromKey(a.Key), ConditionExpression: condition,
			ExpressionAttributeNames: e.names, ExpressionAttributeValues: e.values,
			ReturnValuesOnConditionCheckFailure: old,
		}}
	default:
		return types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{
			TableName: t.nameParam(), Key: fromKey(a.Key), ConditionExpression: condition,
			ExpressionAttributeNames: e.names, ExpressionAttributeValues: e.values,
			ReturnValuesOnConditionCheckFailure: old,
		}}
	}
}
