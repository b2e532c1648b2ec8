package resolvers

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"

	"github.com/partita/partita/graph/model"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/resolvers/claim"
)

// checkOrder makes the order of an input that keeps all rules.
func (r *Resolver) checkOrder(ctx context.Context, p *problems, input model.PlaceOrderInput) *placement {
	user, customer := p.viewer(ctx)
	key := p.text("idempotencyKey", input.IdempotencyKey, idempotencyKey)
	p.currency("currency", input.Currency)
	if n := len(input.Lines); n < 1 || n > maxLines {
		p.add(model.UserErrorCodeInvalid, "lines", "an order must have 1 to %d lines, since it is written in one transaction; place several orders for more", maxLines)
		return nil // of the lines of one that is far too large, nothing needs to be said
	}
	order := &model.Order{
		ID:        newID("Order"),
		UserID:    user,
		Status:    model.OrderStatusPending,
		CreatedAt: r.now(),
		Total:     &model.Money{Currency: input.Currency},
		ItemCount: len(input.Lines),
		Version:   1,
	}
	placed := &placement{order: order, customer: customer}
	for i, line := range input.Lines {
		placed.lines = append(placed.lines, p.line(order, i, line))
	}
	if p.found() {
		return nil
	}
	p.total(placed)
	claimed, err := claim.OrderKey(user, key)
	if err != nil {
		p.addInput("idempotencyKey", err)
	}
	placed.claim, placed.digest = claimed, placed.digestOf()
	return placed
}

func (p *problems) line(order *model.Order, i int, input *model.OrderLineInput) *model.Item {
	line := &model.Item{
		ID:        keys.NewID("Item", order.ID.Value(), strconv.Itoa(i+1)),
		OrderID:   order.ID,
		UserID:    order.UserID,
		Line:      i + 1,
		Sku:       p.text(lineField(i, "sku"), input.Sku, sku),
		Name:      p.text(lineField(i, "name"), input.Name, productName),
		Quantity:  input.Quantity,
		Price:     &model.Money{Amount: input.Price, Currency: order.Total.Currency},
		CreatedAt: order.CreatedAt,
	}
	p.number(lineField(i, "quantity"), input.Quantity, quantity)
	p.number(lineField(i, "price"), input.Price, price)
	return line
}

// total sums up what the rules of the lines keep far from the end of int64.
func (p *problems) total(placed *placement) {
	sum := int64(0)
	for _, line := range placed.lines {
		sum += int64(line.Quantity) * int64(line.Price.Amount)
	}
	if sum > maxAmount {
		p.add(model.UserErrorCodeInvalid, "lines", "the order costs more than %d minor units; place several orders", maxAmount)
		return
	}
	placed.order.Total.Amount = int(sum)
}

// digestOf is the SHA-256 of what the caller has asked for, as it is stored: so
// the spaces around a name make no other input.
func (o *placement) digestOf() string {
	type line struct {
		Sku, Name       string
		Quantity, Price int
	}
	asked := struct {
		Currency string
		Lines    []line
	}{Currency: o.order.Total.Currency}
	for _, l := range o.lines {
		asked.Lines = append(asked.Lines, line{l.Sku, l.Name, l.Quantity, l.Price.Amount})
	}
	text, err := json.Marshal(asked)
	if err != nil {
		panic("resolvers: bug: " + err.Error()) // texts and numbers only
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
