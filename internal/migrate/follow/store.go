package follow

import (
	"slices"

	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/table"
	"github.com/partita/partita/write"
)

// follow says what becomes of the items of the other design.
func (o *object) follow() {
	stored := o.stored()
	if isOnlyCounted := len(o.place.add) > 0 && len(diff(o.place.image, o.place.after)) == 0; isOnlyCounted {
		o.mirror(stored)
		return
	}
	but, absent := counters(o.Read, o.t), governed(o.Read, o.t, 0)
	but.add(counters(o.Other, o.ot).sorted()...)
	absent.add(governed(o.Other, o.ot, 0).sorted()...)
	absent.add(keys.AttributeDeletedAt)
	if stored == nil && o.is != nil { // The companion gets the counters, too.
		o.place.requireUnchanged(names{}, absent)
	} else {
		o.place.requireUnchanged(but, absent)
	}
	for _, f := range []*form{o.former, o.companion} {
		if f != nil && f.place != o.place {
			f.place.requireUnchanged(but, absent)
		}
	}
	if o.former != nil {
		o.remove(o.former)
	}
	if to := o.companion; to != nil && to.isTaken && o.is != nil &&
		(o.proves || o.IsProven && baseOf(o.ot, o.was) != baseOf(o.ot, o.is)) {
		o.taken = &write.TakenError{Type: o.t.Name, Attribute: o.own(o.ot.Identity[len(o.ot.Identity)-1])}
	}
	var is item.Item
	if to := o.companion; to != nil && !to.isTaken && (stored != nil || o.Level == migrate.Write) {
		is = o.store(stored)
	}
	before := o.was
	if stored != nil {
		before = stored.base
	}
	o.claim(before, is)
	o.count()
	o.mirror(stored)
}

// remove deletes all items of a form.
func (o *object) remove(f *form) {
	for n, it := range f.items {
		if n > 0 && o.ot.Copies[n-1].Latest != "" {
			continue
		}
		o.at(o.other.Key(keys.KeyOf(it))).wish(o.wantOf(n, nil, nil))
	}
	if f.base != nil {
		o.latest(write.LatestActions(o.Other, f.items, nil))
	}
}

// store stores the object in the other design, and returns its base item there.
func (o *object) store(stored *form) item.Item {
	to := o.companion
	is := o.wanted(stored, to)
	after := itemsOf(o.Other, o.ot, is)
	if len(after) == 0 { // What is stored does not fit any more.
		o.remove(to)
		return nil
	}
	isNew := to.base == nil || o.before == nil
	written := map[keys.Key]bool{}
	for n, it := range after {
		written[keys.KeyOf(it)] = true
		if n > 0 && o.ot.Copies[n-1].Latest != "" {
			continue
		}
		p := o.at(o.other.Key(keys.KeyOf(it)))
		if o.Level == migrate.Keep && n > 0 && p.image == nil && !o.isThere(stored, n) {
			continue
		}
		var was item.Item
		if n < len(to.items) {
			was = to.items[n]
		}
		w := o.wantOf(n, was, it)
		w.isNew = isNew && !p.isShared()
		p.wish(w)
	}
	var before []item.Item
	if to.base != nil {
		before = to.items
	}
	for n, it := range before {
		if !written[keys.KeyOf(it)] && (n == 0 || o.ot.Copies[n-1].Latest == "") {
			o.at(o.other.Key(keys.KeyOf(it))).wish(o.wantOf(n, it, nil))
		}
	}
	o.latest(o.latestActions(before, after))
	return is
}

// latestActions returns what becomes of the latest items of the other design. An object that is complete for itself
// enters as well: the item may be missing, or share its place with the design that is read and lack what only the other
// one has.
func (o *object) latestActions(before, after []item.Item) []write.Action {
	var actions []write.Action
	if len(before) == len(after) {
		actions = write.LatestActions(o.Other, before, after)
	} else {
		actions = write.LatestActions(o.Other, before, nil)
	}
	for _, enter := range write.LatestActions(o.Other, nil, after) {
		isIt := func(a write.Action) bool { return a.Key == enter.Key }
		if !slices.ContainsFunc(actions, isIt) {
			actions = append(actions, enter)
		}
	}
	return actions
}

// isThere reports whether the n-th item of the other design is stored now.
func (o *object) isThere(stored *form, n int) bool {
	return stored != nil && n < len(stored.items) && o.at(o.other.Key(keys.KeyOf(stored.items[n]))).image != nil
}

// wantOf returns what the other design wants of its n-th item: was and is are the item before and afterwards.
func (o *object) wantOf(n int, was, is item.Item) want {
	w := want{
		governs: governed(o.Other, o.ot, n), counters: counters(o.Other, o.ot), wins: o.OtherWins,
		keeps: o.Level == migrate.Keep,
	}
	if o.derivation != nil { // A program that does not know an index may have put its keys into any item of the object.
		w.governs = governed(o.Other, o.ot, -1)
	}
	if is != nil {
		w.item = o.other.ToStored(is)
	}
	for _, it := range []item.Item{was, is} {
		if it != nil && !o.at(o.other.Key(keys.KeyOf(it))).isShared() {
			w.governs.addOf(o.other.ToStored(it))
		}
	}
	for name := range w.governs {
		if o.Other.Layout.IsKey(name) {
			delete(w.governs, name)
		}
	}
	return w
}

// wanted returns the base item of the object in the other design: what is stored there with what the transaction
// changes.
func (o *object) wanted(stored, to *form) item.Item {
	if stored == nil || o.before == nil {
		return o.completed(slices.Clone(o.counted), nil)
	}
	isFilled := o.Level == migrate.Write || !to.place.isShared()
	it := slices.DeleteFunc(slices.Clone(stored.base), func(a item.Attribute) bool {
		_, remains := o.is.Find(a.Name)
		_, was := o.was.Find(a.Name)
		isOf := o.ot.Attribute(a.Name) != nil || !to.place.isShared()
		return o.Other.IsKeyAttribute(a.Name) || isOf && was && !remains
	})
	for _, a := range o.is {
		if to.place.isShared() && o.ot.Attribute(a.Name) == nil {
			continue
		}
		was, had := o.was.Find(a.Name)
		_, has := it.Find(a.Name)
		// A shared item may have the value in the form of the design that is read.
		if !had || !isSame(was, a.Value) || !has && isFilled || has && to.place.isShared() {
			it = table.With(it, a.Name, a.Value)
		}
	}
	return o.completed(it, stored)
}

// completed adds what only the other design has of each object: a version, and counters of a new one.
func (o *object) completed(it item.Item, stored *form) item.Item {
	if keys.IsDeleted(it) {
		return it
	}
	has := func(name string) bool { _, has := it.Get(name); return has }
	if name := o.ot.Version; name != "" {
		if _, has := o.is.Get(name); !has {
			version := 0
			if stored != nil {
				v, _ := stored.base.Get(name)
				version, _ = item.AsInt(v)
			}
			it = table.With(it, name, item.NumberValue(version+1))
		}
	}
	isForeign := o.derivation != nil && o.derivation.IsForeign
	for _, c := range o.Other.CountersIn(o.ot) {
		if (stored == nil || isForeign) && !has(c.Attribute) {
			it = table.With(it, c.Attribute, item.NumberValue(0))
			if to := o.companion.place; to.image != nil {
				to.require(write.IfUnset(o.ot.Attribute(c.Attribute).StoredName()))
			}
		}
	}
	return it
}
