package follow

import (
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/table"
)

// visit names the places of the design that is read, and those of the other one as they follow from the former.
func (o *object) visit() {
	for _, it := range []item.Item{o.before, o.after} {
		for n, one := range itemsOf(o.Read, o.t, it) {
			key := o.read.Key(keys.KeyOf(one))
			o.owned[key] = governed(o.Read, o.t, n)
			if p := o.places[key]; p != nil {
				p.own = o.owned[key]
			}
		}
	}
	for _, it := range []item.Item{o.was, o.is} {
		for _, one := range itemsOf(o.Other, o.ot, it) {
			o.at(o.other.Key(keys.KeyOf(one)))
		}
		o.visitOthers(it)
	}
}

// visitOthers names the places of the claims and of the counters that only the other design has.
func (o *object) visitOthers(it item.Item) {
	for _, claim := range o.claims(it) {
		if claim != nil {
			o.at(o.other.Key(keys.KeyOf(claim)))
		}
	}
	for _, c := range o.newCounters() {
		if key := o.parent(c, it); key != (keys.Key{}) && c.Share(it) != 0 {
			o.at(o.other.Key(key))
		}
	}
}

// prepare finds what is stored of the object in the other design, and names the places of that.
func (o *object) prepare() {
	was, is := baseOf(o.ot, o.was), baseOf(o.ot, o.is)
	switch {
	case is == (keys.Key{}):
		o.former = o.form(was)
	case was == (keys.Key{}) || was == is:
		o.companion = o.form(is)
	default:
		o.former, o.companion = o.form(was), o.form(is)
	}
	for _, f := range []*form{o.former, o.companion} {
		if f == nil {
			continue
		}
		for _, it := range f.items {
			o.at(o.other.Key(keys.KeyOf(it)))
		}
	}
	if f := o.stored(); f != nil {
		o.visitOthers(f.base)
	}
	o.visitFormer()
}

// form returns what is stored of an object with a key of the other design.
func (o *object) form(key keys.Key) *form {
	if key == (keys.Key{}) {
		return nil
	}
	f := &form{place: o.at(o.other.Key(key))}
	image := f.place.image
	if image == nil {
		return f
	}
	if f.place.isShared() {
		image = o.ofOther(image)
		if o.Other.Layout.Type != "" { // It may have another value in place.
			image = table.With(image, o.Other.Layout.Type, item.StringValue(o.ot.TypeValue()))
		}
		for _, c := range o.ot.Constants {
			image = table.With(image, c.Name, c.Value)
		}
	}
	it := o.missing(o.Other, o.other.FromStored(image))
	if f.isTaken = it != nil && (it.Type() != o.ot.Name || !f.place.isShared() && o.isOther(it)); it == nil || f.isTaken {
		return f
	}
	it = o.Translation.Named(o.ot.Name, it)
	f.base, f.items = it, itemsOf(o.Other, o.ot, it)
	return f
}

// visitFormer names the places of what followed from a shared base item before it was changed.
func (o *object) visitFormer() {
	if d := o.derivation; d != nil && d.Was != nil {
		was := o.fromStored(o.raw(d.Was))
		if t := o.Read.Type(was.Type()); t == o.t {
			o.changed = o.translated(was)
		}
	}
	for _, it := range itemsOf(o.Other, o.ot, o.changed) {
		o.at(o.other.Key(keys.KeyOf(it)))
	}
	o.visitOthers(o.changed)
}
