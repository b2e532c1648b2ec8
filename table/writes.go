package table

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"github.com/partita/partita/internal/table/attempt"
	"github.com/partita/partita/internal/table/wire"
	"github.com/partita/partita/request"
	"github.com/partita/partita/write"
)

// writeOf returns a stored action as it is sent. raw is its form in the names of the table, nil if it has none. Within
// a transaction, an Update that changes nothing in the table is a check.
func (t *Table) writeOf(b border, a write.Action, raw *write.Action) wire.Write {
	if a.Kind == write.ActionPut && len(a.If) == 0 && raw == nil {
		return wire.Write{Kind: wire.Put, Item: b.put(a.Item)}
	}
	e, a, condition := b.expressionsOf(a, raw, t.Now())
	b = e.border
	w := wire.Write{Kind: kinds[a.Kind], Condition: condition}
	if a.Kind == write.ActionPut {
		w.Item = b.put(a.Item)
	} else {
		w.Item = b.schema.Layout().StoredKey(a.Key)
	}
	if a.Kind == write.ActionUpdate {
		w.Update = e.update(a)
	}
	w.Names, w.Values = e.names, e.values
	return w
}

var kinds = map[write.ActionKind]wire.WriteKind{
	write.ActionPut: wire.Put, write.ActionUpdate: wire.Update, write.ActionDelete: wire.Delete,
	write.ActionCheck: wire.Check,
}

// singleWrite returns the function that sends an action by itself, for half of the units that it has in a transaction.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
func (t *Table) singleWrite(own border, a write.Action, raw *write.Action) writeFunc {
	all := []wire.Write{t.writeOf(own, a, raw)}
	w, pass := &all[0], t.newGate(all, false)
	return func(ctx context.Context) (request.Result, error) {
		ctx = attempt.WithGate(ctx, pass)
		result, err := t.byWire(func() (request.Result, error) { return t.wire.Write(ctx, w) },
			func() (request.Result, error) { return t.writeBySDK(ctx, w) })
		pass.answered(err)
		pass.count(&result)
		for i, it := range result.Items {
			result.Items[i] = own.item(it)
		}
		return result, err
	}
}

// transaction returns the function that sends all actions as one transaction.
func (t *Table) transaction(b border, w write.Transaction, followed []Followed) writeFunc {
	token := tokenOf(w)
	all := make([]wire.Write, len(w.Actions))
	for i, a := range w.Actions {
		all[i] = t.writeOf(b, a, rawOf(followed, i))
		if all[i].Kind == wire.Update && all[i].Update == "" {
			all[i].Kind = wire.Check
		}
	}
	pass := t.newGate(all, true)
	return func(ctx context.Context) (request.Result, error) {
		ctx = attempt.WithGate(ctx, pass)
		result, err := t.byWire(func() (request.Result, error) { return t.wire.TransactWriteItems(ctx, token, all) },
			func() (request.Result, error) { return t.transactBySDK(ctx, token, all) })
		pass.answered(err)
		pass.count(&result)
		return result, err
	}
}

// byWire sends a request, or lets the SDK do so if only that can.
func (t *Table) byWire(send, bySDK func() (request.Result, error)) (request.Result, error) {
	result, err := request.Result{}, wire.ErrUnsupported
	if t.wire != nil {
		if err := t.ended(); err != nil {
			return request.Result{}, err
		}
		result, err = send()
	}
	if errors.Is(err, wire.ErrUnsupported) {
		return bySDK()
	}
	return result, err
}

// tokenOf returns the token of a transaction, or a new one that covers the attempts at it.
func tokenOf(w write.Transaction) string {
	if w.Token != "" {
		return w.Token
	}
	return uuid.NewString()
}
