package write

import (
	"context"
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// copyCounts lets the copies of objects have the counters of their base items, in the same transaction.
func (x *mutation) copyCounts(ctx context.Context, tx *Transaction) error {
	for i := range tx.Actions {
		a := tx.Actions[i]
		t := x.d.Type(a.Type)
		if a.Kind == ActionPut {
			t = x.d.Type(a.Item.Type())
		}
		if t == nil || !x.d.HasCopiedCounters(t) || !t.IsBase(a.Key) {
			continue
		}
		var err error
		switch a.Kind {
		case ActionPut:
			err = copyPut(x.d, t, a, tx)
		case ActionUpdate:
			err = x.copyUpdate(ctx, t, i, tx)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// copyPut sets the counters in the copies of an object that is put.
func copyPut(d *design.Design, t *design.Type, base Action, tx *Transaction) error {
	for _, c := range t.Copies {
		key, err := c.Key(attributesOf(base.Item))
		if err != nil {
			return err
		}
		at := slices.IndexFunc(tx.Actions, func(a Action) bool { return a.Key == key && a.Kind == ActionPut })
		if at < 0 {
			continue
		}
		copied := &tx.Actions[at]
		copied.Item = slices.Clone(copied.Item)
		for _, counter := range d.CountersIn(t) {
			if v, has := base.Item.Get(counter.Attribute); has {
				copied.Item = with(copied.Item, counter.Attribute, v)
			}
		}
	}
	return nil
}

// copyUpdate adds to the counters in the copies of an object what the n-th action adds to those of its base item. The
// object is read if the keys of its copies do not follow from its identity.
func (x *mutation) copyUpdate(ctx context.Context, t *design.Type, n int, tx *Transaction) error {
	base := &tx.Actions[n]
	var add []Increment
	for _, i := range base.Add {
		isCounter := func(c *design.Counter) bool { return c.Attribute == i.Name }
		if i.By != 0 && slices.ContainsFunc(x.d.CountersIn(t), isCounter) {
			add = append(add, i)
		}
	}
	if len(add) == 0 {
		return nil
	}
	it, err := x.sourceOfCopies(ctx, t, base)
	if it == nil || err != nil {
		return err
	}
	for _, c := range t.Copies {
		key, err := c.Key(attributesOf(it))
		if err != nil {
			return x.damaged(err)
		}
		tx.alsoCount(n, Action{
			Kind: ActionUpdate, Key: key, Type: t.Name, Add: slices.Clone(add), If: []Precondition{IfExists()},
		})
	}
	return nil
}

// sourceOfCopies returns the attributes from which the keys of an object's copies follow after an update of its base
// item, and adds the condition that they are as they were read. It is nil if there is no such object.
func (x *mutation) sourceOfCopies(ctx context.Context, t *design.Type, base *Action) (item.Item, error) {
	needed := slices.DeleteFunc(x.d.CopyKeys(t), func(name string) bool { return has(base.Set, name) })
	it := base.object
	if _, isKnown := x.parents[base.Key]; isKnown || it == nil || len(needed) > 0 {
		var err error
		if it, err = x.readParent(ctx, base.Key); it == nil || err != nil {
			return nil, err
		}
	}
	for _, name := range needed {
		if v, has := it.Get(name); has {
			base.If = append(base.If, ifRead(t, name, v))
		} else {
			base.If = append(base.If, IfUnset(name))
		}
	}
	it = slices.Clone(it)
	for _, set := range base.Set {
		it = with(it, set.Name, set.Value)
	}
	return it, nil
}

// readParent returns an object with counters, which is read if it is not known; nil if it does not exist.
func (x *mutation) readParent(ctx context.Context, key keys.Key) (item.Item, error) {
	it, isKnown := x.parents[key]
	if isKnown {
		return it, nil
	}
	it, err := ReadItem(ctx, key)
	if err == nil {
		x.parents[key] = it
	}
	return it, err
}

// alsoCount adds the action on a copy of the item of the n-th action, whose parts it belongs to.
func (t *Transaction) alsoCount(n int, copied Action) {
	at := slices.IndexFunc(t.Actions, func(a Action) bool { return a.Key == copied.Key })
	switch {
	case at < 0:
		at = len(t.Actions)
		t.Actions = append(t.Actions, copied)
	default:
		t.Actions[at] = t.Actions[at].merge(copied)
	}
	for i := range t.parts {
		if p := &t.parts[i]; len(p.actions) > 0 && p.actions[0] == n && !slices.Contains(p.actions, at) {
			p.actions = append(p.actions, at)
		}
	}
}
