package write

import (
	"context"
	"errors"
	"slices"

	"github.com/partita/partita/item"
)

// maxAlternatives limits how often a transaction is sent because conditions of actions with an Otherwise do not hold. A
// second exchange is needed only if an item has changed in between.
const maxAlternatives = 6

// Send sends the transaction. If nothing was written because of conditions of actions that have an alternative, it
// sends the transaction again with those in their place. The error is that of the last one.
func (t Transaction) Send(ctx context.Context, send func(context.Context, Transaction) error) error {
	_, err := t.send(ctx, func(ctx context.Context, t Transaction) (item.Item, error) { return nil, send(ctx, t) })
	return err
}

// send is Send that returns the item of a single update.
func (t Transaction) send(
	ctx context.Context, send func(context.Context, Transaction) (item.Item, error),
) (item.Item, error) {
	var doubt error
	for attempt := 1; ; attempt++ {
		it, err := send(ctx, t)
		failed, is := errors.AsType[*ConditionError](err)
		switch {
		case is && doubt != nil:
			failed.InDoubt, failed.earlier = true, doubt
		case is && failed.InDoubt:
			doubt = err
		}
		if is && t.isShown(failed) {
			return failed.Find(0).Item, nil
		}
		if !is || attempt == maxAlternatives || !failed.hasAlternative(&t) {
			return it, err
		}
		t = t.alternative(failed)
	}
}

// hasAlternative reports whether there is an alternative to each action whose conditions failed.
func (e *ConditionError) hasAlternative(t *Transaction) bool {
	return len(e.Failed) > 0 && !slices.ContainsFunc(e.Failed, func(f FailedCondition) bool {
		return t.Actions[f.Action].alternative(f.Item) == nil
	})
}

// alternative returns the transaction with the other action for each one that failed. It has no token, because a token
// is for equal transactions only.
func (t Transaction) alternative(failed *ConditionError) Transaction {
	t.Actions, t.Token = slices.Clone(t.Actions), ""
	for _, f := range failed.Failed {
		a := t.Actions[f.Action]
		other := *a.alternative(f.Item)
		if a.Otherwise != nil && other.Otherwise == nil {
			a.Otherwise = nil
			other.Otherwise = &a
		}
		t.Actions[f.Action] = other
	}
	return t
}
