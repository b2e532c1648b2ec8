package deletion

import (
	"context"
	"errors"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/request"
	"github.com/partita/partita/write"
)

func (r *run) getItem(ctx context.Context, key keys.Key) (item.Item, error) {
	res, err := r.Source.GetItem(ctx, request.GetItem{Key: key, Consistent: true})
	r.totals.ReadUnits += res.ReadUnits
	if err != nil || len(res.Items) == 0 {
		return nil, err
	}
	return res.Items[0], nil
}

func (r *run) query(ctx context.Context, q request.Query) (request.Result, error) {
	res, err := r.Source.Query(ctx, q)
	r.totals.ReadUnits += res.ReadUnits
	return res, err
}

// first returns the first items of a collection, at most limit of them.
func (r *run) first(ctx context.Context, collection design.BoundField, limit int) ([]item.Item, error) {
	c, err := collection.Condition()
	if err != nil {
		return nil, err
	}
	var items []item.Item
	for _, p := range c.Partitions {
		q := request.Query{PK: p.PK, Prefix: c.Prefix, Consistent: true}
		for more := true; more && len(items) < limit; more = !q.Start.IsZero() {
			q.Limit = limit - len(items)
			res, err := r.query(ctx, q)
			if err != nil {
				return nil, err
			}
			items = append(items, res.Items...)
			q.Start = res.Last
		}
	}
	return items, nil
}

// transact sends the actions as one transaction. A failed condition is not an error.
func (r *run) transact(ctx context.Context, actions []write.Action) (*write.ConditionError, error) {
	res, err := r.Source.TransactWriteItems(ctx, write.Transaction{Actions: actions})
	r.totals.WriteUnits += res.WriteUnits
	if failed, is := errors.AsType[*write.ConditionError](err); is {
		return failed, nil
	}
	return nil, err
}
