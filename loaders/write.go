package loaders

import (
	"context"
	"errors"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/plan/price"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/request"
	"github.com/partita/partita/write"
)

// store implements write.Store for an operation.
type store struct{ session *session }

// ReadItem implements write.Store. It always sends a request. Errors are ReadErrors, also for a damaged item: a change
// of an object whose key and attributes disagree would be written to another one.
func (s store) ReadItem(ctx context.Context, key keys.Key) (item.Item, error) {
	op := s.session.current.Load()
	x := op.exec
	sent := Sent{Action: ActionGetItem, Keys: 1, Consistent: true}
	defer x.awaiting(ctx)()
	res, err := x.do(ctx, sent, s.served(ctx), func(ctx context.Context) (request.Result, error) {
		return x.source.GetItem(ctx, request.GetItem{Key: key, Consistent: true})
	})
	if err != nil {
		return nil, x.readError(err)
	}
	return s.found(op, res.Items)
}

// found returns the item that has been read; nil for none.
func (s store) found(op *Operation, items []item.Item) (item.Item, error) {
	if len(items) == 0 || s.expiry().IsMissing(items[0]) {
		return nil, nil
	}
	if err := op.bound.Schema.CheckStored(items[0]); err != nil {
		op.reportDamage(items[0], err)
		return nil, ErrDamaged
	}
	return items[0], nil
}

// ReadItems implements write.BatchStore. It sends one BatchGetItem, and others for what that leaves unprocessed. Errors
// are those of ReadItem.
func (s store) ReadItems(ctx context.Context, all []keys.Key) ([]item.Item, error) {
	op := s.session.current.Load()
	by := s.served(ctx)
	gets := make([]*state, len(all))
	for i, key := range all {
		gets[i] = &state{key: key, consistent: true}
		gets[i].countAt(by.id)
	}
	defer op.exec.awaiting(ctx)()
	op.exec.batchGetItem(ctx, &plannedRequest{gets: gets})
	items := make([]item.Item, len(all))
	for i, get := range gets {
		if get.err != nil {
			return nil, get.err
		}
		it, err := s.found(op, get.items)
		if err != nil {
			return nil, err
		}
		items[i] = it
	}
	return items, nil
}

// ReadRange implements write.Store. It always sends a request. Errors are ReadErrors.
func (s store) ReadRange(ctx context.Context, r write.Range) ([]item.Item, keys.Position, error) {
	x := s.session.current.Load().exec
	sent := Sent{Action: ActionQuery, Consistent: true}
	defer x.awaiting(ctx)()
	res, err := x.do(ctx, sent, s.served(ctx), func(ctx context.Context) (request.Result, error) {
		return x.source.Query(ctx, request.Query{
			PK: r.PK, Prefix: r.Prefix, From: r.From, To: r.To, Start: r.Start, Limit: r.Limit, Consistent: true,
		})
	})
	if err != nil {
		return nil, keys.Position{}, x.readError(err)
	}
	return res.Items, res.Last, nil
}

// Write implements write.Store. Even if it fails, fields that are resolved later read again what the
// operation has read before. Errors that callers of the API get are WriteErrors.
func (s store) Write(ctx context.Context, t write.Transaction) (item.Item, error) {
	op := s.session.current.Load()
	sent := Sent{Action: actionOf(t), Keys: len(t.Actions)}
	defer op.exec.awaiting(ctx)()
	res, err := op.exec.do(ctx, sent, s.served(ctx), func(ctx context.Context) (request.Result, error) {
		res, err := op.exec.source.TransactWriteItems(ctx, t)
		return op.charged(res, t), err
	})
	s.session.current.Store(op.renewed())
	if err == nil {
		op.wrote(s.served(ctx), t)
	}
	var failed *write.ConditionError
	switch {
	case err == nil && len(res.Items) > 0:
		return res.Items[0], nil
	case err == nil:
		return nil, nil
	case errors.As(err, &failed):
		hideMissing(failed, s.expiry())
		if failed.InDoubt {
			return nil, writeError(err, res.Unanswered)
		}
		return nil, err
	case errors.Is(err, write.ErrTokenReused), errors.As(err, new(*keys.InputError)):
		return nil, err
	default:
		return nil, writeError(err, res.Unanswered)
	}
}

// served returns the field of a mutation that a request is sent for, if the operation is measured.
func (s store) served(ctx context.Context) served {
	op := s.session.current.Load()
	if op.exec.measured == nil {
		return served{}
	}
	at, is := ctx.Value(traceKey{}).(*price.Trace)
	if !is {
		at = op.traceAt(graphql.GetFieldContext(ctx))
	}
	return served{id: at.ReadID(0)}
}

// wrote records what a transaction has written, if the operation is measured.
func (op *Operation) wrote(by served, t write.Transaction) {
	x := op.exec
	if x.measured == nil {
		return
	}
	written := price.Written(op.engine.design, &t)
	x.mu.Lock()
	defer x.mu.Unlock()
	by.action = actionOf(t)
	x.measured.wrote(by, written)
}

// traceKey is the key of the Trace of the mutation that is carried out in a context.
type traceKey struct{}

// traced returns the context in which a mutation is carried out.
func (op *Operation) traced(ctx context.Context, f *plan.Field) context.Context {
	if op.exec.measured == nil {
		return ctx
	}
	return context.WithValue(ctx, traceKey{}, op.trace().Field(f))
}

// actionOf returns the request that carries out a transaction.
func actionOf(t write.Transaction) Action {
	if !t.IsSingle() {
		return ActionTransactWriteItems
	}
	switch t.Actions[0].Kind {
	case write.ActionPut:
		return ActionPutItem
	case write.ActionUpdate:
		return ActionUpdateItem
	default:
		return ActionDeleteItem
	}
}

// charged adds the estimate of what DynamoDB consumed and did not report: for each attempt that it cancelled, and once
// for attempts that were not answered, since at most one of them was carried out. What it reports for an attempt after
// that one are read units.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
func (op *Operation) charged(res request.Result, t write.Transaction) request.Result {
	if res.Cancelled == 0 && res.Unanswered == 0 {
		return res
	}
	units := float64(t.Units(op.engine.design)) + res.CompanionUnits
	// A single write that succeeds reports what it consumed itself: no attempt before it was carried out.
	if res.Unanswered > 0 && (!t.IsSingle() || res.CompanionUnits > 0 || res.WriteUnits == 0) {
		res.WriteUnits = units
	}
	res.WriteUnits += float64(res.Cancelled) * units
	return res
}

// IsRepeated implements write.RepeatStore.
func (s store) IsRepeated(claim keys.Key) bool {
	isRepeated, _ := s.session.current.Load().engine.claims.ContainsOrAdd(claim, struct{}{})
	return isRepeated
}

// maxClaims is how many claims of idempotency keys are remembered: a client repeats what was not answered within
// seconds. Each takes about 300 bytes.
const maxClaims = 4096

// Now implements write.Store.
func (s store) Now() time.Time { return s.session.current.Load().exec.source.Now() }

// expiry is that of now: a transaction may have failed because an item has expired since the operation began.
func (s store) expiry() design.Expiry {
	return s.session.current.Load().engine.expiry()
}

// hideMissing removes tombstones and expired items: they do not exist for the caller.
func hideMissing(failed *write.ConditionError, e design.Expiry) {
	for i := range failed.Failed {
		if e.IsMissing(failed.Failed[i].Item) {
			failed.Failed[i].Item = nil
		}
	}
}
