package write

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// maxChanges limits how often a change is made anew because the object has changed since it was read.
const maxChanges = 8

// update changes the object.
func (x *mutation) update(ctx context.Context) error {
	identity := x.identify()
	if identity == nil {
		return nil
	}
	for _, name := range x.in.Remove {
		if a := x.t.Attribute(name); a != nil && a.NonNull {
			x.out.Add(CodeInvalid, name, "%s must not be null; leave it out to keep its value", name)
		}
	}
	given := slices.DeleteFunc(x.raw(), func(a item.Attribute) bool { return !isChange(x.t, x.m, a.Name) })
	if x.out.Any() {
		return nil
	}
	now, err := ReadItem(ctx, keys.KeyOf(identity))
	for attempt := 1; ; attempt++ {
		if err != nil || !x.isPresent(now) {
			return err
		}
		if attempt > maxChanges {
			x.busy()
			return nil
		}
		if !x.in.Changes(x.d, x.m) {
			return nil
		}
		if x.t.Version != "" && x.in.Version == math.MaxInt32 {
			x.out.Add(CodeInvalid, x.t.Version, "this %s has the highest version there is: it cannot be changed", x.t.Name)
			return nil
		}
		c, after, err := x.updated(now, given)
		if c == nil || err != nil {
			return err
		}
		if len(c.tx.Actions) == 1 && !c.tx.Actions[0].writes() {
			return nil
		}
		stored, failed, err := c.tx.commit(ctx, "", c.handled())
		switch {
		case err != nil:
			return err
		case failed == nil:
			x.out.Object = after
			if stored != nil {
				x.out.Object = stored
			}
			return nil
		case failed.Part(objectPart):
			now = failed.Item(objectPart)
			continue
		}
		if x.missingParents(c, failed); !x.out.Any() {
			x.taken(c, failed)
		}
		return nil
	}
}

// isPresent reports whether an object exists, belongs to the owner, and has the version on which the mutation is based.
// Otherwise it adds the user error.
func (x *mutation) isPresent(it item.Item) bool {
	if it == nil || !x.owns(it) {
		x.missing()
		return false
	}
	x.out.Object = it
	if x.t.Version == "" {
		return true
	}
	v, _ := it.Get(x.t.Version)
	version, err := item.AsInt(v)
	if err != nil || version != x.in.Version {
		x.out.outdated(x.t.Version, x.in.Version, version)
		return false
	}
	return true
}

// updated returns the change of an object that is stored as it, and its base item afterwards; nil after a user error.
func (x *mutation) updated(it item.Item, given item.Item) (*change, item.Item, error) {
	before, err := ItemsOf(x.d, x.t, it)
	if err != nil {
		return nil, nil, x.damaged(err)
	}
	attributes := slices.DeleteFunc(slices.Clone(before[0]), func(a item.Attribute) bool {
		return x.d.IsKeyAttribute(a.Name) || slices.Contains(x.in.Remove, a.Name)
	})
	for _, a := range given {
		attributes = with(attributes, a.Name, a.Value)
	}
	attributes = x.stamp(attributes)
	if x.t.Version != "" {
		attributes = with(attributes, x.t.Version, item.NumberValue(x.in.Version+1))
	}
	after, err := itemsOf(x.t, attributes)
	if err != nil {
		return nil, nil, x.inputError(err)
	}
	if !x.owns(after[0]) {
		x.otherOwner()
		return nil, nil, nil
	}
	actions, err := Update(x.d, before, after, x.unchanged(it)...)
	if err != nil {
		return nil, nil, err
	}
	var c change
	c.add(objectPart, actions...)
	if err := c.claim(x.t, before[0], after[0]); err != nil {
		return nil, nil, x.inputError(err)
	}
	if err := c.count(x.d, x.t, before[0], after[0]); err != nil {
		return nil, nil, x.inputError(err)
	}
	return &c, c.tx.Actions[0].counts(after[0]), nil
}

// damaged returns the error of an object whose stored attributes are not valid. It is no InputError, because no input
// is the cause.
func (x *mutation) damaged(err error) error {
	return fmt.Errorf("write: what is stored of a %s is not valid: %s", x.t.Name, err.Error())
}

// unchanged returns the conditions that an object is as it was read: that it has the same version, or without one that
// its attributes are the same. What follows from several attributes, such as the key of an index entry, would otherwise
// be that of none of two changes at the same time. Counters change without the object.
func (x *mutation) unchanged(it item.Item) []Precondition {
	if x.t.Version != "" {
		return []Precondition{IfEquals(x.t.Version, item.NumberValue(x.in.Version))}
	}
	var conditions []Precondition
	for _, a := range x.t.Attributes {
		isCounter := func(c *keys.Counter) bool { return c.Attribute == a.Name }
		if slices.ContainsFunc(x.d.CountersIn(x.t), isCounter) || slices.Contains(x.t.Identity, a.Name) {
			continue
		}
		if v, ok := it.Get(a.Name); ok {
			conditions = append(conditions, IfEquals(a.Name, v))
		} else {
			conditions = append(conditions, IfUnset(a.Name))
		}
	}
	return conditions
}

// delete deletes the object, and with it its claims and what counts it. An object in whose counted collections is
// something is not deleted.
func (x *mutation) delete(ctx context.Context) error {
	identity := x.identify()
	if identity == nil {
		return nil
	}
	reads := readsBeforeDelete(x.d, x.t)
	now := identity
	var err error
	if reads {
		if now, err = ReadItem(ctx, keys.KeyOf(identity)); err != nil || !x.isPresent(now) {
			return err
		}
	}
	for attempt := 1; attempt <= maxChanges; attempt++ {
		c, err := x.deleted(now, reads)
		if err != nil {
			return err
		}
		_, failed, err := c.tx.commit(ctx, "", c.handled())
		switch {
		case err != nil:
			return err
		case failed == nil:
			x.out.Object = now
			return nil
		case !failed.Part(objectPart):
			x.missingParents(c, failed)
			return nil
		}
		stored := failed.Item(objectPart)
		if stored == nil {
			x.out.ID, x.out.Object = "", nil
			x.missingParents(c, failed)
		}
		if x.out.Any() || !x.isPresent(stored) || x.isCounting(stored) {
			return nil
		}
		if reads {
			now = stored
		}
	}
	x.busy()
	return nil
}

// deleted returns the change that deletes an object: what is stored of it, or its identity if nothing was read.
func (x *mutation) deleted(it item.Item, wasRead bool) (*change, error) {
	items, conditions := []item.Item{it}, uncounted(x.d, x.t)
	if wasRead {
		var err error
		if items, err = ItemsOf(x.d, x.t, it); err != nil {
			return nil, x.damaged(err)
		}
		conditions = append(conditions, x.unchanged(it)...)
	} else {
		conditions = append(conditions, x.ifOwned()...)
		for _, copied := range x.t.Copies {
			key, err := copied.Key(attributesOf(it))
			if err != nil {
				return nil, err
			}
			items = append(items, item.Item{
				{Name: keys.AttributePK, Value: item.TextValue(key.PK)},
				{Name: keys.AttributeSK, Value: item.TextValue(key.SK)},
				{Name: item.EntityType, Value: item.StringValue(x.t.Name)},
			})
		}
	}
	var c change
	actions := Delete(x.d, items)
	actions[0].If = append(actions[0].If, conditions...)
	c.add(objectPart, actions...)
	if err := c.claim(x.t, it, nil); err != nil {
		return nil, err
	}
	return &c, c.count(x.d, x.t, it, nil)
}

// ifOwned returns the conditions that an object that was not read has the version of the input and belongs to its
// owner.
func (x *mutation) ifOwned() []Precondition {
	var conditions []Precondition
	if x.t.Version != "" {
		conditions = append(conditions, IfEquals(x.t.Version, item.NumberValue(x.in.Version)))
	}
	if x.in.Owner != "" {
		conditions = append(conditions, IfEquals(x.m.Owner, item.StringValue(x.in.Owner)))
	}
	return conditions
}

// isCounting reports whether a counter of an object that is to be deleted is not 0, and adds the user error.
func (x *mutation) isCounting(it item.Item) bool {
	for _, c := range x.d.CountersIn(x.t) {
		if v, _ := it.Get(c.Attribute); v.Text != "" && v.Text != "0" {
			x.out.Add(CodeInvalid, x.identityField(), "this %s has %s %s; delete them first", x.t.Name, v.Text, c.Field)
		}
	}
	return x.out.Any()
}
