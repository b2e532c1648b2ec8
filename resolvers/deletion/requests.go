package deletion

import (
	"context"
	"errors"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/table"
	"github.com/partita/partita/write"
)

func (r *run) getItem(ctx context.Context, key keys.Key) (item.Item, error) {
	res, err := r.Source.GetItem(ctx, table.GetItem{Key: key, Consistent: true})
	r.totals.ReadUnits += res.ReadUnits
	if err != nil || len(res.Items) == 0 {
		return nil, err
	}
	return res.Items[0], nil
}

func (r *run) query(ctx context.Context, q table.Query) (table.Result, error) {
	res, err := r.Source.Query(ctx, q)
	r.totals.ReadUnits += res.ReadUnits
	return res, err
}

// first are the first items of a collection, at most limit of them.
func (r *run) first(ctx context.Context, c keys.Condition, limit int) ([]item.Item, error) {
	if c.Err != nil {
		return nil, c.Err
	}
	var items []item.Item
	for q := (table.Query{PK: c.Partitions[0].PK, Prefix: c.Prefix, Consistent: true}); ; {
		q.Limit = limit - len(items)
		res, err := r.query(ctx, q)
		if err != nil {
			return nil, err
		}
		items = append(items, res.Items...)
		if res.Last == nil || len(items) >= limit {
			return items, nil
		}
		q.Start = res.Last
	}
}

// transact carries out the actions. A failed condition is not an error.
func (r *run) transact(ctx context.Context, actions []write.Action) (*write.ConditionError, error) {
	res, err := r.Source.TransactWriteItems(ctx, write.Transaction{Actions: actions})
	r.totals.WriteUnits += res.WriteUnits
	if failed, is := errors.AsType[*write.ConditionError](err); is {
		return failed, nil
	}
	return nil, err
}
