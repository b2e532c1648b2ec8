package follow

import (
	"cmp"
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// object is an object whose base item the transaction changes.
type object struct {
	*session
	place *place
	// t and ot are its type in both designs.
	t, ot *design.Type
	// before and after are its base item in the design that is read, nil for none, and was and is what they are in the
	// other design. is lacks increments; counted has them.
	before, after, was, is, counted item.Item
	// companion is its base item in the other design as it is stored, nil for none, at the place base. former is the
	// same at the place that it leaves; nil if it remains where it is.
	companion, former *form
	// changed is what the object was in the other design before another program changed it; nil if that is not known.
	changed item.Item
}

// form is what is stored of an object in the other design.
type form struct {
	place *place
	// base is the base item in that design, nil if there is none. isTaken is set if the place has another item.
	base    item.Item
	isTaken bool
	// items are all items that follow from it.
	items []item.Item
}

// object returns the object whose base item is at a place, or nil.
func (s *session) object(p *place) *object {
	o := &object{session: s, place: p}
	o.before = s.missing(s.Read, s.fromStored(p.image))
	o.after = s.fromStored(p.after)
	for _, it := range []item.Item{o.after, o.before} {
		t := s.Read.Type(it.Type())
		if t != nil && s.follows(t) && t.IsBase(keys.KeyOf(it)) && t.StoresBase(it) {
			o.t, o.ot = t, s.Other.Type(s.Translation.TypeOf(t.Name))
			break
		}
	}
	if o.t == nil {
		return nil
	}
	o.was, o.is = o.translated(o.before), o.translated(o.after)
	if o.counted = o.is; o.is != nil && len(p.add) > 0 {
		o.counted = o.translated(s.fromStored(p.final()))
	}
	return o
}

// fromStored returns a stored item as the design that is read has it, whichever form its attributes have.
func (s *session) fromStored(stored item.Item) item.Item {
	return readable(s.Read, s.read.FromStored(stored), s.Back, func() item.Item {
		object, _ := s.Back.Object(s.other.FromStored(stored))
		return object
	})
}

// translated returns the attributes of a base item in the other design; nil if that cannot store them.
func (o *object) translated(it item.Item) item.Item {
	if it == nil {
		return nil
	}
	out, ok := o.Translation.Object(it)
	if !ok {
		return nil
	}
	if _, err := o.ot.BaseKey(attributesOf(out)); err != nil {
		return nil
	}
	if keys.IsDeleted(it) {
		return out
	}
	items, err := write.ItemsOf(o.Other, o.ot, out)
	for _, one := range items {
		err = cmp.Or(err, o.other.Check(one))
	}
	if err != nil {
		return nil
	}
	return out
}

func attributesOf(it item.Item) func(string) keys.Value {
	return func(name string) keys.Value { return keys.AttributeValue(it, name) }
}

// itemsOf returns all items of an object, as far as they follow from its base item: of a tombstone there is no other.
func itemsOf(d *design.Design, t *design.Type, it item.Item) []item.Item {
	if it == nil {
		return nil
	}
	items, err := []item.Item(nil), error(nil)
	if !keys.IsDeleted(it) {
		items, err = write.ItemsOf(d, t, it)
	}
	if err == nil && items != nil {
		return items
	}
	key, err := t.BaseKey(attributesOf(it))
	if err != nil {
		return nil
	}
	base := append(key.Item(), item.Attribute{Name: item.EntityType, Value: item.StringValue(t.Name)})
	for _, a := range it {
		if !d.IsKeyAttribute(a.Name) {
			base = append(base, a)
		}
	}
	return []item.Item{base}
}

func baseOf(t *design.Type, it item.Item) keys.Key {
	if it == nil {
		return keys.Key{}
	}
	key, _ := t.BaseKey(attributesOf(it))
	return key
}

// isOther reports whether a companion is that of another object: the other design may identify both by the same values.
func (o *object) isOther(companion item.Item) bool {
	other, _ := o.Back.Object(companion)
	own := o.after
	if own == nil {
		own = o.before
	}
	return slices.ContainsFunc(o.t.Identity, func(name string) bool {
		v, has := other.Get(name)
		w, is := own.Get(name)
		return has && is && !v.Equal(w)
	})
}

// stored returns what is stored of the object before the transaction, nil for nothing.
func (o *object) stored() *form {
	for _, f := range []*form{o.former, o.companion} {
		if f != nil && f.base != nil {
			return f
		}
	}
	return nil
}

// ofOther returns a stored item that both designs have without what only the design that is read governs.
func (o *object) ofOther(image item.Item) item.Item {
	only := governed(o.Read, o.t, -1).without(governed(o.Other, o.ot, -1))
	return slices.DeleteFunc(slices.Clone(image), func(a item.Attribute) bool { return only[a.Name] })
}
