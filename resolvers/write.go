package resolvers

import (
	"context"
	"errors"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/write"
)

// commit carries out the actions, all or none. Conditions that do not hold are no
// error: which of them a person can do something about is known to the caller.
func commit(ctx context.Context, actions []write.Action, token string) (*write.ConditionError, error) {
	s, err := write.FromContext(ctx)
	if err != nil {
		return nil, err
	}
	err = s.Write(ctx, write.Transaction{Actions: actions, Token: token})
	if failed, is := errors.AsType[*write.ConditionError](err); is {
		return failed, nil
	}
	return nil, err
}

// read fills the model of the object with that key as it is now; nil when there
// is none.
func read[T any](ctx context.Context, key keys.Key, fill func(item.Item) (*T, error)) (*T, error) {
	it, err := write.ReadItem(ctx, key)
	if it == nil || err != nil {
		return nil, err
	}
	return fill(it)
}

// count changes a counter of an object that must exist.
func count(key keys.Key, counter string, by int) write.Action {
	return write.Action{
		Kind: write.ActionUpdate, Key: key,
		Add: []write.Increment{{Name: counter, By: by}},
		If:  []write.Precondition{write.IfExists()},
	}
}
