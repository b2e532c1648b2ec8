package resolvers

import (
	"context"
	"errors"
	"strconv"

	"github.com/google/uuid"

	"github.com/partita/partita/graph/model"
	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/resolvers/claim"
	"github.com/partita/partita/write"
)

// placement is an order about to be placed, checked.
type placement struct {
	order    *model.Order
	lines    []*model.Item
	customer keys.Key
	// claim is the key of the idempotency key's claim.
	claim keys.Key
	// digest tells whether another input under the same key is the same.
	digest string
}

func (r *Resolver) placeOrder(ctx context.Context, input model.PlaceOrderInput) (*model.PlaceOrderPayload, error) {
	var p problems
	placed := r.checkOrder(ctx, &p, input)
	if p.found() {
		return &model.PlaceOrderPayload{UserErrors: p.userErrors()}, nil
	}
	actions, err := placed.actions(&p)
	switch {
	case err != nil:
		return nil, err
	case p.found():
		return &model.PlaceOrderPayload{UserErrors: p.userErrors()}, nil
	}
	failed, err := commit(ctx, actions, placed.token())
	if errors.Is(err, write.ErrTokenReused) {
		// Another attempt with the key has sent a transaction of its own lately. Its
		// claim says what became of it; without one it has come to nothing.
		claimed, err := write.ReadItem(ctx, placed.claim)
		if err != nil {
			return nil, err
		}
		if claimed != nil {
			return placed.before(ctx, claimed)
		}
		failed, err = commit(ctx, actions, "")
		if err != nil {
			return nil, err
		}
	} else if err != nil {
		return nil, err
	}
	switch {
	case failed == nil:
		return &model.PlaceOrderPayload{Order: placed.order, UserErrors: p.userErrors()}, nil
	case failed.Find(1) != nil:
		p.noViewer()
		return &model.PlaceOrderPayload{UserErrors: p.userErrors()}, nil
	case failed.Find(0) != nil:
		return placed.before(ctx, failed.Find(0).Item)
	default:
		return nil, failed
	}
}

// actions are the claim of the idempotency key, the customer's counter, and all
// stored forms of the order and its lines.
func (o *placement) actions(p *problems) ([]write.Action, error) {
	actions := []write.Action{
		write.PutItem(claim.Order(o.claim, o.order.ID, o.digest, o.order.CreatedAt), write.IfMissing()),
		count(o.customer, "orderCount", 1),
	}
	forms, err := typed.StoredOrder(o.order)
	if err != nil {
		return nil, err
	}
	actions = append(actions, write.Create(forms)...)
	for i, line := range o.lines {
		forms, err := typed.StoredItem(line)
		if err != nil {
			if p.addInput("lines."+strconv.Itoa(i), err) {
				continue
			}
			return nil, err
		}
		actions = append(actions, write.Create(forms)...)
	}
	return actions, nil
}

// token is the same for all attempts with one idempotency key.
func (o *placement) token() string {
	return uuid.NewSHA1(uuid.NameSpaceOID, []byte(o.claim.PK)).String()
}

// before answers with the order that an earlier attempt with the same key has
// placed, if its input was the same.
func (o *placement) before(ctx context.Context, claimed item.Item) (*model.PlaceOrderPayload, error) {
	var p problems
	id, digest := claim.OrderOf(claimed)
	if digest != o.digest {
		p.add(model.UserErrorCodeKeyReused, "idempotencyKey", "idempotencyKey was used for another order; make a new key for each order")
		return &model.PlaceOrderPayload{UserErrors: p.userErrors()}, nil
	}
	key, err := typed.OrderKey(id)
	if err != nil {
		return nil, err
	}
	order, err := read(ctx, key, model.NewOrder)
	if err != nil {
		return nil, err
	}
	if order == nil {
		p.noViewer() // orders go with their customer, while the claims of their keys expire
	}
	return &model.PlaceOrderPayload{Order: order, UserErrors: p.userErrors()}, nil
}
