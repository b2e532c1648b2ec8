package resolvers

import (
	"context"
	"slices"
	"strings"

	"github.com/partita/partita/graph/model"
	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/write"
)

// nextStates are the states that an order can go to from each.
var nextStates = map[model.OrderStatus][]model.OrderStatus{
	model.OrderStatusPending: {model.OrderStatusPaid, model.OrderStatusCancelled},
	model.OrderStatusPaid:    {model.OrderStatusShipped, model.OrderStatusCancelled},
	model.OrderStatusShipped: {model.OrderStatusDelivered},
}

func (r *Resolver) updateOrderStatus(ctx context.Context, input model.UpdateOrderStatusInput) (*model.UpdateOrderStatusPayload, error) {
	var p problems
	order, err := p.moveOrder(ctx, move{id: input.OrderID, version: input.Version, to: input.Status, field: "status"})
	if err != nil {
		return nil, err
	}
	return &model.UpdateOrderStatusPayload{Order: order, UserErrors: p.userErrors()}, nil
}

func (r *Resolver) cancelOrder(ctx context.Context, input model.CancelOrderInput) (*model.CancelOrderPayload, error) {
	var p problems
	customer, _ := p.viewer(ctx)
	order, err := p.moveOrder(ctx, move{id: input.OrderID, version: input.Version, to: model.OrderStatusCancelled, customer: customer, field: "orderId"})
	if err != nil {
		return nil, err
	}
	return &model.CancelOrderPayload{Order: order, UserErrors: p.userErrors()}, nil
}

// move is an order's change of state. With a customer, only that one's orders
// exist.
type move struct {
	id       keys.ID
	version  int
	to       model.OrderStatus
	customer keys.ID
	// field of the input is at fault when the move is illegal.
	field string
}

// moveOrder gives the order as it is afterwards, moved or not; nil when it does
// not exist. It does nothing when there are problems already.
func (p *problems) moveOrder(ctx context.Context, m move) (*model.Order, error) {
	key := p.id("orderId", m.id, "Order", typed.OrderKey)
	if p.found() {
		return nil, nil
	}
	order, err := read(ctx, key, model.NewOrder)
	switch {
	case err != nil:
		return nil, err
	case order == nil, m.customer != "" && order.UserID != m.customer:
		p.missing("orderId", "Order")
		return nil, nil
	case order.Version != m.version:
		p.stale(m.version, order.Version)
		return order, nil
	case !slices.Contains(nextStates[order.Status], m.to):
		p.illegal(m.field, order.Status, m.to)
		return order, nil
	}
	moved := *order
	moved.Status = m.to
	moved.Version++
	actions, err := updateOf(order, &moved, typed.StoredOrder)
	if err != nil {
		return nil, err
	}
	actions[0].If = append(actions[0].If, write.IfEquals("version", item.NumberValue(m.version)))
	failed, err := commit(ctx, actions, "")
	switch {
	case err != nil:
		return nil, err
	case failed == nil:
		return &moved, nil
	case failed.Find(0) == nil:
		return nil, failed
	case failed.Find(0).Item == nil:
		p.missing("orderId", "Order")
		return nil, nil
	}
	if order, err = model.NewOrder(failed.Find(0).Item); err != nil {
		return nil, err
	}
	p.stale(m.version, order.Version)
	return order, nil
}

// illegal notes that an order cannot go from one state to another.
func (p *problems) illegal(field string, from, to model.OrderStatus) {
	next := nextStates[from]
	if len(next) == 0 {
		p.add(model.UserErrorCodeIllegalTransition, field, "an order that is %s stays so; it cannot become %s", from, to)
		return
	}
	names := make([]string, len(next))
	for i, s := range next {
		names[i] = string(s)
	}
	p.add(model.UserErrorCodeIllegalTransition, field, "an order that is %s can become %s, but not %s", from, strings.Join(names, " or "), to)
}
