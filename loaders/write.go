package loaders

import (
	"context"
	"errors"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/loaders/request"
	"github.com/partita/partita/table"
)

// ReadItem reads one item for a mutation that looks before it writes: strongly
// consistent, and not what the operation has read earlier. It is nil when there
// is none, or one that is marked as deleted. Errors are ReadErrors.
func ReadItem(ctx context.Context, key keys.Key) (item.Item, error) {
	op, _ := current(ctx)
	res, err := op.exec.do(ctx, Sent{Action: ActionGetItem, Keys: 1, Consistent: true}, func(ctx context.Context) (request.Result, error) {
		return op.exec.source.GetItem(ctx, request.GetItem{Key: key, Consistent: true})
	})
	if err != nil {
		return nil, readError(err)
	}
	if len(res.Items) == 0 || keys.IsDeleted(res.Items[0]) {
		return nil, nil
	}
	return res.Items[0], nil
}

// Write carries out a mutation's transaction. Whatever its outcome, the fields
// that are resolved from then on see none of what the operation has read before.
// The errors are a *table.ConditionError, in which an item that is marked as
// deleted is none, one that wraps table.ErrTokenReused, and WriteErrors.
func Write(ctx context.Context, w table.TransactWriteItems) error {
	op, _ := current(ctx)
	_, err := op.exec.do(ctx, Sent{Action: ActionTransactWriteItems, Keys: len(w.Actions)}, func(ctx context.Context) (request.Result, error) {
		return op.exec.source.TransactWriteItems(ctx, w)
	})
	sessionOf(ctx).current.Store(op.renewed())
	var failed *table.ConditionError
	switch {
	case errors.As(err, &failed):
		hideDeleted(failed)
		return err
	case err == nil, errors.Is(err, table.ErrTokenReused):
		return err
	default:
		return writeError(err)
	}
}

// hideDeleted takes away the items that read as if they did not exist.
func hideDeleted(failed *table.ConditionError) {
	for i := range failed.Failed {
		if keys.IsDeleted(failed.Failed[i].Item) {
			failed.Failed[i].Item = nil
		}
	}
}
