package write

import (
	"context"
	"errors"

	"github.com/partita/partita/item"
)

// deletion returns the change that deletes an object with what is below it; nil if it must be left to a Sweep.
func (x *mutation) deletion(ctx context.Context, it item.Item, wasRead, isSwept bool) (*change, error) {
	switch {
	case isSwept:
		return x.softDeleted(it)
	case len(x.d.Below(x.t)) > 0:
		return x.deletedWhole(ctx, it, wasRead)
	default:
		return x.deleted(it, wasRead)
	}
}

// deletedWhole returns the change that deletes an object with all that is below it; nil if that is more than one
// transaction can delete, or is not as it should be, which the sweep reports.
func (x *mutation) deletedWhole(ctx context.Context, it item.Item, wasRead bool) (*change, error) {
	c, err := x.deleted(it, wasRead)
	if err != nil {
		return nil, err
	}
	s, err := FromContext(ctx)
	if err != nil {
		return nil, err
	}
	err = c.removeBelow(ctx, s, x.d, x.t, it, c.tx.Actions[0].Key)
	if _, isInvalid := errors.AsType[*InvalidItemError](err); isInvalid || len(c.tx.Actions) > MaxActions {
		return nil, nil
	}
	return c, err
}

// softDeleted returns the change that leaves what is below an object that was read to a Sweep.
func (x *mutation) softDeleted(it item.Item) (*change, error) {
	var c change
	conditions := append(uncounted(x.d, x.t), x.unchanged(it)...)
	if err := c.softDelete(x.d, x.t, it, x.now, conditions...); err != nil {
		return nil, x.damaged(err)
	}
	x.addMembers(&c)
	return &c, nil
}
