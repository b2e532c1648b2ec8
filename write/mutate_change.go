package write

import (
	"context"
	"errors"
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

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
	if !x.d.ReadsBeforeUpdate(x.m, x.in.changed(x.t, x.m)) {
		return x.updateDirectly(ctx, identity, given)
	}
	now, err := ReadItem(ctx, keys.KeyOf(identity))
	for attempt := 1; ; attempt++ {
		if err == nil {
			err = x.admitTo(ctx, now, identity)
		}
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
		if x.isLastVersion() {
			return nil
		}
		c, after, err := x.updated(ctx, now, given)
		if c == nil || err != nil {
			return err
		}
		if len(c.tx.Actions) == 1 && !c.tx.Actions[0].writes() {
			return nil
		}
		if err := x.settleAll(ctx, c); err != nil || x.out.Any() {
			return err
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
		}
		isChanged, err := x.expelled(c, failed)
		switch {
		case err != nil:
			return err
		case isChanged:
			x.busy()
			return nil
		case failed.Part(objectPart):
			now, x.moved = failed.Item(objectPart), nil
			continue
		}
		if x.missingParents(c, failed); !x.out.Any() {
			x.taken(c, failed)
		}
		if x.out.Any() {
			return nil
		}
	}
}

// isPresent reports whether an object exists, belongs to the owner, and has the version on which the mutation is based.
// Otherwise it adds the user error.
func (x *mutation) isPresent(it item.Item) bool {
	// Where a key has a value in another case, or beside another one, it can be that of another object.
	if it == nil || it.Type() != x.t.Name || idOf(x.t, it) != x.out.ID || !x.owns(it) {
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
func (x *mutation) updated(ctx context.Context, it, given item.Item) (*change, item.Item, error) {
	before, err := ItemsOf(x.d, x.t, it)
	if err != nil {
		return nil, nil, x.damaged(err)
	}
	x.parents[keys.KeyOf(it)] = before[0]
	attributes, err := x.edited(before[0], given)
	if err != nil {
		return nil, nil, x.inputError(err)
	}
	after, entries, err := itemsOf(x.t, attributes)
	if err != nil {
		return nil, nil, x.inputError(err)
	}
	if entries != nil {
		if !x.keepsEntries(before[0], after[0]) {
			return nil, nil, x.inputError(entries)
		}
		after[0] = withEntries(x.t, 0, after[0], before[0])
	}
	if err := x.keepMoved(ctx, before, after); err != nil {
		return nil, nil, err
	}
	before[0] = changedEntries(x.t, before[0], after[0], it)
	if err := checkSizes(x.t, after, before); err != nil {
		return nil, nil, x.inputError(err)
	}
	if !x.isStep && !x.owns(after[0]) {
		x.otherOwner()
		return nil, nil, nil
	}
	if err := x.admit(ctx, after[0]); err != nil {
		return nil, nil, err
	}
	actions, err := Update(x.d, before, after, x.unchanged(it)...)
	switch {
	case x.illegal(err):
		return nil, nil, nil
	case err != nil:
		return nil, nil, err
	}
	var c change
	c.add(objectPart, actions...)
	c.tx.Actions[0].bounded = x.withOtherBounds(before[0], after[0])
	x.addMembers(&c)
	if err := c.claim(x.t, before[0], after[0]); err != nil {
		return nil, nil, x.inputError(err)
	}
	if err := c.count(x.d, x.t, before[0], after[0]); err != nil {
		return nil, nil, x.inputError(err)
	}
	if err := c.requireParents(x.d, x.t, before[0], after[0]); err != nil {
		return nil, nil, x.inputError(err)
	}
	if x.refersToItself(&c, after[0]) {
		return nil, nil, nil
	}
	return &c, c.tx.Actions[0].counts(after[0]), nil
}

// edited returns the attributes of a base item after an update. The error is a keys.InputError.
func (x *mutation) edited(base, given item.Item) (item.Item, error) {
	attributes := slices.DeleteFunc(slices.Clone(base), func(a item.Attribute) bool {
		isRemoved := a.Value.Kind != item.Null && slices.Contains(x.in.Remove, a.Name)
		return isRemoved || x.d.IsKeyAttribute(a.Name)
	})
	for _, a := range given {
		stored, _ := base.Find(a.Name)
		v, err := edited(x.t, a.Name, stored, a.Value)
		if err != nil {
			return nil, err
		}
		if v.Kind == item.Null {
			attributes = slices.DeleteFunc(attributes, func(old item.Attribute) bool { return old.Name == a.Name })
			continue
		}
		attributes = with(attributes, a.Name, v)
	}
	attributes = x.stamp(attributes)
	if x.t.Version != "" {
		attributes = with(attributes, x.t.Version, item.NumberValue(x.in.Version+1))
	}
	return attributes, nil
}

// keepsEntries reports whether an update changes no attribute of the index entries that do not follow from the
// attributes, so that they remain as they are stored.
func (x *mutation) keepsEntries(before, after item.Item) bool {
	for n := range x.t.Shapes() {
		for _, ix := range underived(x.t, n, after) {
			if !isSame(before, after, append(ix.PK.Variables(), ix.SK.Variables()...)...) {
				return false
			}
		}
	}
	return true
}

// unchanged returns the conditions that an object is as it was read: that it has the same version, or without one that
// its attributes are the same. What follows from several attributes, such as the key of an index entry, would otherwise
// be that of none of two changes at the same time. Counters change without the object.
func (x *mutation) unchanged(it item.Item) []Precondition {
	return unchangedObject(x.d, x.t, it, item.NumberValue(x.in.Version))
}

func unchangedObject(d *design.Design, t *design.Type, it item.Item, version item.Value) []Precondition {
	if t.Version != "" {
		return []Precondition{IfEquals(t.Version, version)}
	}
	var conditions []Precondition
	for _, a := range t.Attributes {
		isCounter := func(c *design.Counter) bool { return c.Attribute == a.Name }
		if a.InKeys && !slices.Contains(t.Identity, a.Name) {
			conditions = append(conditions, unchangedEntries(t, it, a.Name)...)
			continue
		}
		if slices.ContainsFunc(d.CountersIn(t), isCounter) || slices.Contains(t.Identity, a.Name) {
			continue
		}
		if v, ok := it.Get(a.Name); ok {
			conditions = append(conditions, ifRead(t, a.Name, v))
		} else {
			conditions = append(conditions, IfUnset(a.Name))
		}
	}
	return conditions
}

// unchangedEntries returns the conditions that the keys of the index entries that have a value are as they were read:
// there is no attribute with it.
func unchangedEntries(t *design.Type, it item.Item, name string) []Precondition {
	var conditions []Precondition
	for _, ix := range t.Indexes {
		if !ix.PK.Has(name) && !ix.SK.Has(name) {
			continue
		}
		for _, key := range [...]string{keys.IndexPK(ix.Name), keys.IndexSK(ix.Name)} {
			if v, ok := it.Get(key); ok {
				conditions = append(conditions, IfEquals(key, v))
			} else {
				conditions = append(conditions, IfUnset(key))
			}
		}
	}
	return conditions
}

// delete deletes the object, and with it its claims and what counts it. What is below it is deleted by the same
// transaction, or by a Sweep. An object in whose other counted collections is something is not deleted.
func (x *mutation) delete(ctx context.Context) error {
	identity := x.identify()
	if identity == nil {
		return nil
	}
	if slices.Contains(x.t.Identity, x.m.Owner) && !x.owns(identity) {
		x.missing()
		return nil
	}
	reads := readsBeforeDelete(x.d, x.m)
	now := identity
	var err error
	if reads {
		if now, err = ReadItem(ctx, keys.KeyOf(identity)); err != nil {
			return err
		}
	}
	if err = x.admitTo(ctx, now, identity); err != nil || reads && !x.isPresent(now) {
		return err
	}
	isSwept := x.d.IsSwept(x.t)
	for attempt := 1; attempt <= maxChanges; attempt++ {
		c, err := x.deletion(ctx, now, reads, isSwept)
		if err == nil && c != nil {
			err = x.settleAll(ctx, c)
		}
		if err != nil || x.out.Any() {
			return err
		}
		var failed *Failure
		if c != nil {
			_, failed, err = c.tx.commit(ctx, "", c.handled())
		}
		switch {
		case c == nil || !isSwept && len(c.below) > 0 && errors.Is(err, ErrTooManyActions):
			if now, err = ReadItem(ctx, keys.KeyOf(identity)); err != nil || !x.isPresent(now) {
				return err
			}
			reads, isSwept = true, true
			continue
		case err != nil:
			return err
		case failed == nil:
			x.out.Object, x.out.IsSwept = now, isSwept
			return nil
		}
		isChanged, err := x.expelled(c, failed)
		switch {
		case err != nil:
			return err
		case isChanged:
			x.busy()
			return nil
		case !failed.Part(objectPart) && c.hasOtherBelow(failed):
			continue
		case !failed.Part(objectPart):
			if x.missingParents(c, failed); x.out.Any() {
				return nil
			}
			continue
		}
		stored := failed.Item(objectPart)
		if stored == nil {
			x.out.ID, x.out.Object = "", nil
			x.missingParents(c, failed)
		}
		if x.out.Any() || !x.isPresent(stored) || x.isCounting(stored) {
			return nil
		}
		// It has its owner in a key only, or has changed meanwhile.
		now, reads = stored, true
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
			items = append(items, withPrimary(it, key))
		}
	}
	var c change
	actions := Delete(x.d, items)
	actions[0].If = append(actions[0].If, conditions...)
	c.add(objectPart, actions...)
	x.addMembers(&c)
	if err := c.claim(x.t, it, nil); err != nil {
		return nil, err
	}
	return &c, c.count(x.d, x.t, it, nil)
}

// withPrimary returns an item with another primary key.
func withPrimary(it item.Item, key keys.Key) item.Item {
	it = slices.Clone(it)
	for _, a := range key.Item() {
		it = with(it, a.Name, a.Value)
	}
	return it
}

// ifOwned returns the conditions that an object that was not read has the version of the input and belongs to its
// owner.
func (x *mutation) ifOwned() []Precondition {
	var conditions []Precondition
	if x.t.Version != "" && !x.isStep {
		conditions = append(conditions, IfEquals(x.t.Version, item.NumberValue(x.in.Version)))
	}
	if x.in.Owner != "" {
		conditions = append(conditions, ifOwnedBy(x.t, x.m.Owner, item.StringValue(x.in.Owner)))
	}
	return conditions
}

// ifOwnedBy returns the condition that an object has that owner in an attribute.
func ifOwnedBy(t *design.Type, attribute string, owner item.Value) Precondition {
	if slices.Contains(t.Identity, attribute) {
		return IfEquals(attribute, owner)
	}
	// An item without the attribute may have another owner in the key of an index.
	return IfHolds(item.Item{{Name: attribute, Value: owner}})
}
