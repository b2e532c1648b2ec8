package table

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/aws/smithy-go"

	"github.com/partita/partita/internal/table/wire"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
	"github.com/partita/partita/write"
)

// TransactWriteItems carries out the transaction; one that IsSingle is a PutItem, an UpdateItem or a DeleteItem, and
// Result.Items has what an UpdateItem stores. After throttling, or a conflict
// with another transaction on the same items, it is sent again with request.Pause until
// the context ends. Transactions of this process that contend for an item wait in
// that item's queue. Errors are a *write.ConditionError, or wrap write.ErrConflict,
// write.ErrCollectionFull, write.ErrTokenReused or an Err value of package request. If Result.Unanswered is
// not 0, the transaction may have been carried out despite the error. Otherwise
// nothing was written. Except for the units, Result is complete also after an error.
//
// All attempts at a transaction have the same token. If DynamoDB has carried out one of them, it
// answers the next ones with success for ten minutes.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
func (t *Table) TransactWriteItems(ctx context.Context, w write.Transaction) (request.Result, error) {
	if err := w.Check(); err != nil {
		return request.Result{}, err
	}
	b, err := t.border(ctx)
	if err != nil {
		return request.Result{}, err
	}
	own := w
	if w, err = b.stored(w); err != nil {
		return request.Result{}, err
	}
	result := request.Result{}
	if t.follower != nil {
		err = t.follow(ctx, b, own, w, &result)
	} else {
		err = t.carryOut(ctx, b, w, nil, &result)
	}
	return result, err
}

// carryOut sends a transaction with the keys of the table until it is carried out or fails. followed are its actions in
// raw form as far as they have one; nil if none has.
func (t *Table) carryOut(
	ctx context.Context, b border, w write.Transaction, followed []Followed, result *request.Result,
) error {
	send := t.transaction(b, w, followed)
	if w.IsSingle() {
		send = t.singleWrite(b, w.Actions[0], rawOf(followed, 0))
	}
	contended := t.queues.existing(w.Actions)
	for attempt := 1; ; attempt++ {
		if t.checkWrite != nil {
			if err := t.checkWrite(); err != nil {
				return fmt.Errorf("%w: %w", request.ErrUnavailable, err)
			}
		}
		sent, err := t.inTurn(ctx, contended, send)
		result.Retries += sent.Retries
		result.Throttles += sent.Throttles
		result.Waited += sent.Waited
		canceled := canceledBy(err)
		result.Throttled = append(result.Throttled, t.throttledWrite(w, sent.Throttled, canceled)...)
		result.Unanswered += sent.Unanswered
		if err == nil {
			result.Items = sent.Items
			result.WriteUnits += sent.WriteUnits
			return nil
		}
		if canceled != nil {
			result.Cancelled++
		}
		if result.Unanswered > 0 && w.IsSingle() && isAfter(followed, canceled) {
			result.Items = []item.Item{b.item(shown(followed, 0, canceled[0].Item))}
			return nil
		}
		contended = withConflicts(contended, w.Actions, canceled)
		again, err := b.cancellation(err, canceled, followed, result.Unanswered > 0)
		if !again {
			return err
		}
		if ended := request.Pause(ctx, attempt); ended != nil {
			return fmt.Errorf("%w: %w", err, ended)
		}
		result.Retries++
		if errors.Is(err, request.ErrThrottled) {
			result.Throttles++
		}
	}
}

// withConflicts adds the items on which the transaction conflicted with another one.
func withConflicts(contended []keys.Key, actions []write.Action, reasons []wire.Reason) []keys.Key {
	for i, r := range reasons {
		if r.Code != reasonConflict || i >= len(actions) {
			continue
		}
		if !slices.Contains(contended, actions[i].Key) {
			contended = append(contended, actions[i].Key)
		}
	}
	return contended
}

// cancellation explains why a transaction was not carried out, and whether it may
// be when it is sent again. inDoubt is set if there is no answer to an earlier attempt.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CancellationReason.html
func (b border) cancellation(
	err error, reasons []wire.Reason, followed []Followed, inDoubt bool,
) (again bool, explained error) {
	if api, is := errors.AsType[smithy.APIError](err); is {
		switch api.ErrorCode() {
		case "IdempotentParameterMismatchException":
			return false, fmt.Errorf("%w: %w", write.ErrTokenReused, err)
		case reasonCollection + "Exception": // of a single write
			return false, fmt.Errorf("%w: %w", write.ErrCollectionFull, err)
		}
	}
	failed := &write.ConditionError{InDoubt: inDoubt}
	var reason error
	for i, r := range reasons {
		switch r.Code {
		case reasonCondition:
			if isOutdated(followed, i, r.Item) {
				return false, errOutdated
			}
			f := write.FailedCondition{Action: i}
			if len(r.Item) > 0 {
				f.Item = b.item(shown(followed, i, r.Item))
			}
			failed.Failed = append(failed.Failed, f)
		case reasonConflict:
			reason = write.ErrConflict
		case reasonThroughput, reasonThrottling:
			reason = request.ErrThrottled
		case reasonCollection:
			return false, fmt.Errorf("%w: %w", write.ErrCollectionFull, err)
		case "None", "":
		default: // an item that DynamoDB rejects
			return false, err
		}
	}
	switch {
	// The conditions on a busy item are unknown. In doubt, those show whether the earlier attempt was carried out.
	case len(failed.Failed) > 0 && (reason == nil || !inDoubt):
		return false, failed
	case reason == nil:
		return false, err
	}
	return true, fmt.Errorf("%w: %w", reason, err)
}

func (t *Table) border(ctx context.Context) (border, error) {
	tenant, err := t.schema.TenantIn(ctx)
	return border{t.schema, tenant}, err
}
