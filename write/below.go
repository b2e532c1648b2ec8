package write

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// InvalidItemError is the error for an item below a deleted object that no mutation writes so.
type InvalidItemError struct {
	Key     keys.Key
	Problem string
}

func (e *InvalidItemError) Error() string {
	return fmt.Sprintf("%s %s: %s", e.Key.PK, e.Key.SK, e.Problem)
}

// removeBelow adds what deletes all that is below an object, whose base item has that key and is deleted. A counter
// must then be what was read, so that nothing has been added meanwhile.
func (c *change) removeBelow(
	ctx context.Context, s Store, d *design.Design, t *design.Type, it item.Item, at keys.Key,
) error {
	for _, f := range d.Below(t) {
		read, err := readBelow(ctx, s, d, f, it)
		if err != nil {
			return err
		}
		counts := map[string]int{}
		for _, name := range f.Types {
			if counter := d.CounterOf(f, name); counter != "" {
				counts[counter] += 0
			}
		}
		for _, one := range read {
			counts[d.CounterOf(f, one.Type())]++
			if err := c.remove(ctx, s, d, one); err != nil {
				return err
			}
		}
		delete(counts, "")
		i := slices.IndexFunc(c.tx.Actions, func(a Action) bool { return a.Key == at })
		for _, counter := range slices.Sorted(maps.Keys(counts)) {
			c.tx.Actions[i].If = append(c.tx.Actions[i].If, ifCounted(counter, counts[counter]))
		}
	}
	return nil
}

// ifCounted returns the condition that a counter is n. One that is 0 may be missing.
func ifCounted(counter string, n int) Precondition {
	if n == 0 {
		return IfAtMost(counter, 0)
	}
	return IfEquals(counter, item.NumberValue(n))
}

// remove adds what deletes an object that is below another one, with all that is below it, as far as that is not part
// of the change already. it is one of its items.
func (c *change) remove(ctx context.Context, s Store, d *design.Design, it item.Item) error {
	t := d.Type(it.Type())
	items, err := ItemsOf(d, t, it)
	if err != nil {
		return &InvalidItemError{keys.KeyOf(it), err.Error()}
	}
	base := keys.KeyOf(items[0])
	if c.deletes(base) {
		return nil
	}
	actions := Delete(d, items)
	actions[0].If = append(actions[0].If, asRead(d, t, it)...)
	c.isBelow, c.removed = true, append(c.removed, t.Name)
	c.addBelow(actions...)
	if err := c.leave(d, t, it); err != nil {
		return err
	}
	return c.removeBelow(ctx, s, d, t, items[0], base)
}

// addBelow adds the actions on an object below another one, as a part of its own.
func (c *change) addBelow(actions ...Action) {
	name := fmt.Sprintf("below %d", len(c.below)+1)
	c.below = append(c.below, name)
	c.add(name, actions...)
}

// leave adds what an object leaves that does not exist any more: its claims, and its counters.
func (c *change) leave(d *design.Design, t *design.Type, it item.Item) error {
	if err := c.claim(t, it, nil); err != nil {
		return err
	}
	return c.count(d, t, it, nil)
}

// deletes reports whether the change deletes the item with that key.
func (c *change) deletes(key keys.Key) bool {
	return slices.ContainsFunc(c.tx.Actions, func(a Action) bool { return a.Key == key && a.Kind == ActionDelete })
}

// hasOtherBelow reports whether something below the object has changed since it was read.
func (c *change) hasOtherBelow(failed *Failure) bool {
	return slices.ContainsFunc(c.below, failed.Part)
}

// asRead returns the conditions that attributes are as they were read from which the keys of other items of the object,
// its claims and its counters follow.
func asRead(d *design.Design, t *design.Type, it item.Item) []Precondition {
	var names []string
	for _, copied := range t.Copies {
		names = append(append(names, copied.PK.Variables()...), copied.SK.Variables()...)
	}
	for _, u := range t.Uniques {
		names = append(names, u.Sources()...)
	}
	for _, c := range d.CountersOf(t) {
		names = append(append(names, c.Identity...), c.Sources()...)
	}
	slices.Sort(names)
	var conditions []Precondition
	for _, name := range slices.Compact(names) {
		a := t.Attribute(name)
		if a == nil || a.InKeys || slices.Contains(t.Identity, name) {
			continue
		}
		if v, has := it.Get(name); has {
			conditions = append(conditions, ifRead(t, name, v))
		} else {
			conditions = append(conditions, IfUnset(name))
		}
	}
	return conditions
}

// readBelow returns all objects in a collection of an object with these attributes, or some of them if there are more
// than one transaction can delete.
func readBelow(
	ctx context.Context, s Store, d *design.Design, f *design.Field, of item.Item,
) ([]item.Item, error) {
	collections, err := collectionsOf(d, f, of)
	var all []item.Item
	for _, c := range collections {
		for more := true; more && err == nil && len(all) <= MaxActions; {
			var found []item.Item
			found, err = c.read(ctx, s, f.AtMost+1)
			all, more = append(all, found...), !c.rest.Start.IsZero()
		}
	}
	return all, err
}

// collection is a partition of what is below an object in a field, and how far it has been read.
type collection struct {
	field     *design.Field
	condition design.Condition
	rest      Range
	expiry    func(s Store) design.Expiry
}

func collectionsOf(d *design.Design, f *design.Field, of item.Item) ([]*collection, error) {
	condition, err := f.Bind(attributesOf(of)).Condition()
	if err != nil {
		return nil, err
	}
	all := make([]*collection, len(condition.Partitions))
	for i, p := range condition.Partitions {
		all[i] = &collection{
			field: f, condition: condition,
			rest:   Range{PK: p.PK, Prefix: condition.Prefix, From: condition.From, To: condition.To},
			expiry: func(s Store) design.Expiry { return d.ExpiryAt(s.Now()) },
		}
	}
	return all, nil
}

// read returns the next objects of a collection, and goes on to the rest, which begins nowhere at the end. Tombstones
// and expired items are left out.
func (c *collection) read(ctx context.Context, s Store, limit int) ([]item.Item, error) {
	c.rest.Limit = limit
	items, next, err := s.ReadRange(ctx, c.rest)
	if err != nil {
		return nil, err
	}
	c.rest.Start = next
	expiry := c.expiry(s)
	items = slices.DeleteFunc(items, func(it item.Item) bool {
		return !c.condition.Contains(keys.KeyOf(it).SK) || c.condition.Excludes(it) || expiry.IsMissing(it)
	})
	for _, it := range items {
		if !slices.Contains(c.field.Types, it.Type()) {
			return nil, &InvalidItemError{keys.KeyOf(it), "the item is none of " + c.field.Coordinate()}
		}
	}
	return items, nil
}
