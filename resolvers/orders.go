package resolvers

import (
	"context"
	"errors"
	"strconv"

	"github.com/partita/partita/graph/model"
	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/resolvers/claim"
	"github.com/partita/partita/write"
)

// draft is an order that is about to be placed. Its input is valid.
type draft struct {
	order    *model.Order
	lines    []*model.Item
	customer keys.Key
	attempt  write.Attempt
}

// transaction creates the order with its lines, and counts it.
func (d *draft) transaction(p *problems) (tx write.Transaction, err error) {
	tx.Actions = make([]write.Action, 0, 4+len(d.lines)) // with the order's copy, and the claim of the idempotency key
	tx.Add("customer", write.Count(d.customer, "orderCount", 1))
	items, err := typed.StoredOrder(d.order)
	if err != nil {
		return tx, err
	}
	tx.Add("order", write.Create(typed.Design, items)...)
	for i, line := range d.lines {
		field := "lines." + strconv.Itoa(i)
		items, err := typed.StoredItem(line)
		switch {
		case err == nil:
			tx.Add(field, write.Create(typed.Design, items)...)
		case !p.AddInput(field, err):
			return tx, err
		}
	}
	return tx, nil
}

// place writes an order, unless an earlier attempt with the same idempotency key has
// placed one: it then returns that.
func (r *Resolver) place(ctx context.Context, p *problems, d *draft) (*model.Order, error) {
	tx, err := d.transaction(p)
	if err != nil || p.Any() {
		return nil, err
	}
	earlier, failed, err := claim.Orders.Commit(ctx, d.attempt, tx, "customer")
	switch {
	case errors.Is(err, write.ErrKeyReused):
		p.Add(write.CodeKeyReused, "idempotencyKey",
			"idempotencyKey was used for another order; make a new key for each order")
		return nil, nil
	case err != nil:
		return nil, err
	case failed.Part("customer"):
		p.noViewer()
		return nil, nil
	case earlier == "", earlier == d.order.ID:
		return d.order, nil
	}
	key, err := typed.OrderKey(earlier)
	if err != nil {
		return nil, err
	}
	order, err := write.Read(ctx, key, model.NewOrder)
	if order == nil && err == nil {
		p.noViewer() // orders are deleted with their customer, while the claims of their keys expire
	}
	return order, err
}
