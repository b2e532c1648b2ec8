package resolvers

import (
	"context"
	"slices"
	"strings"

	"github.com/partita/partita/graph/model"
	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/write"
)

// nextStates has the states that can follow each state of an order.
var nextStates = map[model.OrderStatus][]model.OrderStatus{
	model.OrderStatusPending: {model.OrderStatusPaid, model.OrderStatusCancelled},
	model.OrderStatusPaid:    {model.OrderStatusShipped, model.OrderStatusCancelled},
	model.OrderStatusShipped: {model.OrderStatusDelivered},
}

// transition is an order's change of state. With a customer, only orders of that user are found.
type transition struct {
	id       keys.ID
	version  int
	to       model.OrderStatus
	customer keys.ID
	// field is the field of the input that is wrong when the transition is illegal.
	field string
}

// moveOrder returns the order as it is afterwards, whether or not it was moved; nil
// when it does not exist. It does nothing when there are user errors already.
func (r *Resolver) moveOrder(ctx context.Context, p *problems, t transition) (*model.Order, error) {
	key := p.Key("orderId", t.id, "Order", typed.OrderKey)
	if p.Any() {
		return nil, nil
	}
	order, err := write.Read(ctx, key, model.NewOrder)
	switch {
	case err != nil:
		return nil, err
	case order == nil, t.customer != "" && order.UserID != t.customer:
		p.Missing("orderId", "Order")
		return nil, nil
	case order.Version != t.version:
		p.Outdated(t.version, order.Version)
		return order, nil
	case !slices.Contains(nextStates[order.Status], t.to):
		p.illegal(t.field, order.Status, t.to)
		return order, nil
	}
	moved := *order
	moved.Status = t.to
	moved.Version++
	actions, err := write.UpdateOf(typed.Design, order, &moved, typed.StoredOrder, write.IfVersion(t.version))
	if err != nil {
		return nil, err
	}
	var tx write.Transaction
	tx.Add("order", actions...)
	failed, err := tx.Commit(ctx, "order")
	switch {
	case err != nil:
		return nil, err
	case !failed.Part("order"):
		return &moved, nil
	}
	now, err := write.Outdated(&p.UserErrors, failed, "order", t.version, model.NewOrder)
	if now == nil && err == nil {
		p.Missing("orderId", "Order")
	}
	return now, err
}

// illegal adds the user error for a transition that is not allowed.
func (p *problems) illegal(field string, from, to model.OrderStatus) {
	next := nextStates[from]
	if len(next) == 0 {
		p.Add(codeIllegalTransition, field, "an order that is %s stays so; it cannot become %s", from, to)
		return
	}
	names := make([]string, len(next))
	for i, s := range next {
		names[i] = string(s)
	}
	p.Add(codeIllegalTransition, field, "an order that is %s can become %s, but not %s",
		from, strings.Join(names, " or "), to)
}
