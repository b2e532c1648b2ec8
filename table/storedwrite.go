package table

import (
	"context"
	"errors"
	"reflect"

	"github.com/partita/partita/item"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table/attribute"
	"github.com/partita/partita/write"
)

// ErrChanged is the error of WriteStored for an item that is not as it was read. Nothing was written.
var ErrChanged = errors.New("table: the item is not as it was read")

// WriteStored changes one item without the help of the schema: before and after are the item as QueryStored returns it,
// nil for none, with the same key. It is one transaction on the condition that the item has each attribute of before,
// or that there is none. An item that remains keeps the attributes that it has got since. Nothing follows the change:
// neither copies nor claims nor counters, and no Follower. Errors are ErrChanged, *keys.InputError for a reserved key,
// or those of TransactWriteItems.
func (t *Table) WriteStored(ctx context.Context, before, after item.Item) (request.Result, error) {
	b, err := t.border(ctx)
	if err != nil {
		return request.Result{}, err
	}
	raw := b.replacement(before, after)
	w, err := b.stored(write.Transaction{Actions: []write.Action{{Kind: raw.Kind, Key: raw.Key}}})
	if err != nil {
		return request.Result{}, err
	}
	raw.Key = w.Actions[0].Key
	followed := []Followed{{Raw: &raw, After: b.schema.ToTenant(b.tenant, after)}}
	result := request.Result{}
	err = t.carryOut(ctx, b, w, followed, &result)
	if _, failed := errors.AsType[*write.ConditionError](err); failed || errors.Is(err, errOutdated) {
		err = ErrChanged
	}
	return result, err
}

// replacement returns the action that makes one stored item of another, with the key of the engine.
func (b border) replacement(before, after item.Item) write.Action {
	layout := b.schema.Layout()
	if before == nil {
		return write.Action{
			Kind: write.ActionPut, Key: layout.KeyOf(after), Item: b.schema.ToTenant(b.tenant, after),
			If: []write.Precondition{write.IfMissing()},
		}
	}
	a := write.Action{Kind: write.ActionDelete, Key: layout.KeyOf(before), If: []write.Precondition{write.IfStored()}}
	for _, was := range before {
		if !layout.IsKey(was.Name) && was.Value.Kind != item.Null { // No condition is on the value NULL.
			a.If = append(a.If, write.IfEquals(was.Name, b.compared(was.Name, was.Value)))
		}
	}
	if after == nil {
		return a
	}
	a.Kind = write.ActionUpdate
	for _, is := range after {
		if was, has := before.Find(is.Name); !has || !isSame(was, is.Value) {
			a.Set = append(a.Set, item.Attribute{Name: is.Name, Value: b.written(is.Name, is.Value)})
		}
	}
	for _, was := range before {
		if _, has := after.Find(was.Name); !has {
			a.Remove = append(a.Remove, was.Name)
		}
	}
	return a
}

// isSame reports whether two values are the same for the table. Unlike Value.Equal, it distinguishes a set from a List.
func isSame(v, w item.Value) bool {
	return reflect.DeepEqual(attribute.FromValue(v), attribute.FromValue(w))
}
