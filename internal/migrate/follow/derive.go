package follow

import (
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/table"
	"github.com/partita/partita/write"
)

// Differs returns the attributes of an object's base item in the other design that do not follow from the one in the
// design that is read, by their names there. A value is right if it follows in either direction: a format may lose what
// the other one has. Of what neither design declares, a shared item has nothing to compare, and what only the companion
// has stays.
func (f *Follower) Differs(it, companion item.Item, isShared bool) []string {
	object, is := f.Translation.Object(it)
	keepsMissing := f.derivation != nil && f.derivation.KeepsMissing
	t, ot := f.Read.Type(it.Type()), f.Other.Type(f.Translation.TypeOf(it.Type()))
	if !is || t == nil || ot == nil {
		return nil
	}
	back, _ := f.Back.Object(companion)
	var names []string
	for _, a := range t.Attributes {
		name := f.Translation.Attribute(t.Name, a.Name)
		if name == "" || ot.Attribute(name) == nil || ot.Attribute(name).InKeys || a.InKeys {
			continue
		}
		if _, has := it.Get(a.Name); !has && keepsMissing {
			continue
		}
		if !hasSame(object, companion, name) && !hasSame(it, back, a.Name) {
			names = append(names, name)
		}
	}
	if isShared {
		return names
	}
	for _, a := range object {
		isDeclared := a.Name == item.EntityType || t.Attribute(a.Name) != nil || ot.Attribute(a.Name) != nil ||
			t.IsConstant(a.Name) || ot.IsConstant(a.Name)
		if !isDeclared && !hasSame(object, companion, a.Name) {
			names = append(names, a.Name)
		}
	}
	if keys.IsDeleted(companion) && !keys.IsDeleted(it) {
		names = append(names, keys.AttributeDeletedAt)
	}
	return slices.Compact(names)
}

func hasSame(it, other item.Item, name string) bool {
	v, _ := it.Get(name)
	w, _ := other.Get(name)
	return v.Kind == item.Null && w.Kind == item.Null || v.Equal(w)
}

// derive sets what the object was to what its companion says. It reports whether the companion has to follow.
func (o *object) derive() bool {
	stored := o.stored()
	switch {
	case o.place.isGone:
		if stored == nil || !o.isFormOf(stored.base) {
			return false
		}
		o.was = stored.base
		return true
	case stored != nil && stored.place == o.place && o.is != nil:
		o.leave()
	case stored == nil:
		if o.derivation.IsForeign {
			o.was = nil
		}
	}
	if stored == nil || o.is == nil || o.before == nil {
		return true
	}
	count := counters(o.Other, o.ot)
	o.was = slices.Clone(o.is)
	for _, name := range o.Differs(o.before, stored.base, stored.place == o.place) {
		v, has := stored.base.Get(name)
		if a := o.ot.Attribute(name); a != nil && count[a.StoredName()] {
			o.deriveCounter(stored, name, v)
			continue
		}
		if has {
			o.was = table.With(o.was, name, v)
		} else {
			o.was = slices.DeleteFunc(o.was, func(a item.Attribute) bool { return a.Name == name })
		}
	}
	return true
}

// leave removes what followed from a shared base item before it was changed, and does not follow from it now.
func (o *object) leave() {
	if o.changed == nil {
		return
	}
	var kept []keys.Key
	was, is := itemsOf(o.Other, o.ot, o.changed), itemsOf(o.Other, o.ot, o.is)
	for _, it := range is {
		kept = append(kept, keys.KeyOf(it))
	}
	if len(was) == len(is) {
		o.latest(write.LatestActions(o.Other, was, is))
	}
	id := attributesOf(o.changed)
	for n, it := range was {
		p := o.at(o.other.Key(keys.KeyOf(it)))
		has := o.other.FromStored(p.image)
		isOwn := has.Type() == o.ot.Name && !slices.ContainsFunc(o.ot.Identity, func(name string) bool {
			return id(name) != keys.AttributeValue(has, name)
		})
		if n > 0 && isOwn && o.ot.Copies[n-1].Latest == "" && !slices.Contains(kept, keys.KeyOf(it)) {
			p.requireUnchanged(names{}, names{})
			p.wish(o.wantOf(n, it, nil))
		}
	}
	o.claim(o.changed, o.is)
}

// deriveCounter adds what a counter of the companion lacks.
func (o *object) deriveCounter(stored *form, name string, has item.Value) {
	v, _ := o.is.Get(name)
	wanted, err := item.AsInt(v)
	is, failed := item.AsInt(has)
	if err != nil || failed != nil {
		return
	}
	for _, p := range []*place{o.place, stored.place} {
		p.requireUnchanged(names{}, names{})
	}
	stored.place.increment(o.ot.Attribute(name).StoredName(), wanted-is)
}

// isFormOf reports whether a companion would have a form under the key of the object, which another program must then
// have deleted. Otherwise a gateway may have removed that form, because the object does not fit there.
func (o *object) isFormOf(companion item.Item) bool {
	object, is := o.Back.Object(companion)
	if !is {
		return false
	}
	key, err := o.t.BaseKey(attributesOf(object))
	if err != nil || key != keys.KeyOf(o.before) {
		return false
	}
	_, err = write.ItemsOf(o.Read, o.t, object)
	return (err == nil || keys.IsDeleted(object)) && o.t.StoredSize(object) <= o.t.MaxBytes
}
