package resolvers

import (
	"context"
	"strconv"

	"github.com/partita/partita/graph/model"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/resolvers/claim"
	"github.com/partita/partita/write"
)

// draftOrder returns the order of an input, and adds a user error for each value that is not valid.
func (r *Resolver) draftOrder(ctx context.Context, p *problems, input model.PlaceOrderInput) (*draft, error) {
	user, customer := p.viewer(ctx)
	key := p.text(inputField{name: "idempotencyKey"}, input.IdempotencyKey, idempotencyKey)
	p.currency("currency", input.Currency)
	if n := len(input.Lines); n < 1 || n > maxLines {
		p.Add(write.CodeInvalid, "lines", "an order must have 1 to %d lines, "+
			"since it is written in one transaction; place several orders for more", maxLines)
		return nil, nil // the lines of an order that is far too large are not checked
	}
	order := &model.Order{
		ID:        write.NewID("Order"),
		UserID:    user,
		Status:    model.OrderStatusPending,
		CreatedAt: r.now(),
		Total:     &model.Money{Currency: input.Currency},
		ItemCount: len(input.Lines),
		Version:   1,
	}
	d := &draft{order: order, customer: customer}
	for i, line := range input.Lines {
		d.lines = append(d.lines, p.line(order, i, line))
	}
	if p.Any() {
		return nil, nil
	}
	p.total(d)
	claimed, err := claim.OrderKey(user, key)
	if err != nil && !p.AddInput("idempotencyKey", err) {
		return nil, err
	}
	digest, err := d.digest()
	d.attempt = write.Attempt{Key: claimed, Created: order.ID, Digest: digest}
	return d, err
}

func (p *problems) line(order *model.Order, i int, input *model.OrderLineInput) *model.Item {
	line := &model.Item{
		ID:        keys.NewID("Item", order.ID.Value(), strconv.Itoa(i+1)),
		OrderID:   order.ID,
		UserID:    order.UserID,
		Line:      i + 1,
		Sku:       p.text(inputField{"sku", i + 1}, input.Sku, sku),
		Name:      p.text(inputField{"name", i + 1}, input.Name, productName),
		Quantity:  input.Quantity,
		Price:     &model.Money{Amount: input.Price, Currency: order.Total.Currency},
		CreatedAt: order.CreatedAt,
	}
	p.number(inputField{"quantity", i + 1}, input.Quantity, quantity)
	p.number(inputField{"price", i + 1}, input.Price, price)
	return line
}

// total returns the sum of the lines. The rules of the lines keep it far below the largest int64.
func (p *problems) total(d *draft) {
	sum := int64(0)
	for _, line := range d.lines {
		sum += int64(line.Quantity) * int64(line.Price.Amount)
	}
	if sum > maxAmount {
		p.Add(write.CodeInvalid, "lines", "the order costs more than %d minor units; place several orders", maxAmount)
		return
	}
	d.order.Total.Amount = int(sum)
}

// digest returns the digest of an input as it is stored: spaces around a name make no difference.
func (d *draft) digest() (string, error) {
	type line struct {
		Sku, Name       string
		Quantity, Price int
	}
	stored := struct {
		Currency string
		Lines    []line
	}{Currency: d.order.Total.Currency}
	for _, l := range d.lines {
		stored.Lines = append(stored.Lines, line{l.Sku, l.Name, l.Quantity, l.Price.Amount})
	}
	return write.Digest(stored)
}
