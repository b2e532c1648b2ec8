package write

import (
	"context"
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// createParents puts the objects with counters that are created on demand, and are not there yet, in place of the
// actions that would change them.
func (x *mutation) createParents(ctx context.Context, tx *Transaction) error {
	for i := range tx.Actions {
		a := tx.Actions[i]
		isMore := func(add Increment) bool { return add.By > 0 }
		isCount := a.Kind == ActionUpdate && len(a.Set)+len(a.Remove) == 0 && a.object != nil
		if !isCount || !slices.ContainsFunc(a.bounded, isOnDemand) || !slices.ContainsFunc(a.Add, isMore) {
			continue
		}
		it, err := x.readParent(ctx, a.Key)
		if err != nil {
			return err
		}
		if it != nil {
			continue
		}
		items, err := OnDemand(x.d, x.d.Type(a.Type), a.object)
		if err != nil {
			return err
		}
		actions := Create(x.d, items)
		actions[0].Item, actions[0].bounded = a.counts(actions[0].Item), a.bounded
		actions[0].object = a.object
		tx.Actions[i] = actions[0]
		for _, copied := range actions[1:] {
			tx.alsoCount(i, copied)
		}
	}
	return nil
}

func isOnDemand(c *design.Counter) bool { return c.OnDemand }

// OnDemand returns the items of an object of a type that is created with its first counted object: that with an
// identity. All else has its default, and counters are 0. The error is a keys.InputError.
func OnDemand(d *design.Design, t *design.Type, identity item.Item) ([]item.Item, error) {
	attributes := slices.Clone(identity)
	for i, a := range attributes {
		if declared := t.Attribute(a.Name); declared != nil && declared.Kind == keys.IDKind {
			attributes[i].Value = keys.IDAttribute(keys.NewID(declared.Ref, a.Value.Text))
		}
	}
	if t.Version != "" {
		attributes = with(attributes, t.Version, item.NumberValue(1))
	}
	for _, c := range d.CountersIn(t) {
		attributes = with(attributes, c.Attribute, item.NumberValue(0))
	}
	return Items(t, attributes)
}
