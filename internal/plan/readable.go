package plan

import (
	"errors"
	"fmt"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/design"
)

// A field depends on attributes: those that it shows, and for one that is read those of the parent in its key
// condition. An attribute that cannot be read is an error of the fields that depend on it, and of nothing else.

// ValueIn returns the value of an AttributeField or a DifferenceField, by an item that has the attributes.
func (f *Field) ValueIn(it item.Item) item.Value {
	if f.Kind == DifferenceField {
		return f.difference.Value(it)
	}
	v, _ := it.Find(f.Name)
	return v
}

// CheckValue returns an error if the value of an AttributeField or a DifferenceField cannot be read. What is nested in
// it has fields of its own.
func (f *Field) CheckValue(v *item.Value) error { return f.Format.check(v, false) }

// CheckIdentity returns an error if a part of the global id of an object is missing.
func CheckIdentity(t *design.Type, it item.Item) error {
	for _, name := range t.Identity {
		if it.Text(name) == "" {
			return errMissing
		}
	}
	return nil
}

// CheckCount returns an error if the counter of a connection cannot be read. parent is the object that has the
// connection.
func (s *Schema) CheckCount(connection *design.Field, parent item.Item) error {
	return checkAttributes(s.types[connection.Parent].appendFormat(nil, connection.Count), parent)
}

// IsReadable reports whether all that is selected of an object can be read from its item.
func (o *Object) IsReadable(it item.Item) bool {
	for _, f := range o.Fields {
		switch {
		case f.Kind == AttributeField || f.Kind == DifferenceField:
			v := f.ValueIn(it)
			if f.CheckValue(&v) != nil || f.Children != nil && !f.isReadable(&v) {
				return false
			}
		case f.Kind == IdentityField && CheckIdentity(o.Type, it) != nil:
			return false
		case f.sources != nil && f.CheckSources(it) != nil, f.count != nil && checkAttributes(f.count, it) != nil:
			return false
		}
	}
	return true
}

// isReadable is IsReadable for the objects that are nested in a value.
func (f *Field) isReadable(v *item.Value) bool {
	if v.Kind == item.Map {
		return f.Children[0].IsReadable(v.Fields())
	}
	elements := v.Elements()
	for i := range elements {
		if !f.isReadable(&elements[i]) {
			return false
		}
	}
	return true
}

// errNullElement is the error of a list with an element that is NULL and must not be.
var errNullElement = errors.New("an element is missing")

// Lost returns an error if an AttributeField, a DifferenceField or an IdentityField of an item is null because it
// cannot be read, or because something that is nested in it cannot be read and is never null. There is none for a field
// that the viewer may not read.
func (b *Bound) Lost(o *Object, f *Field, it item.Item) error {
	if !b.AllowsField(f, it) {
		return nil
	}
	if f.Kind == IdentityField {
		return CheckIdentity(o.Type, it)
	}
	v := f.ValueIn(it)
	return b.lost(f, f.Format, &v)
}

func (b *Bound) lost(f *Field, format *Format, v *item.Value) error {
	if err := format.check(v, false); err != nil {
		return err
	}
	switch {
	case f.Children == nil || v.Kind == item.Null:
	case format.Element != nil:
		for _, e := range v.Elements() {
			if !format.Element.NonNull || e.Kind == item.Null && format.Element.Element != nil {
				continue
			}
			if e.Kind == item.Null {
				return errNullElement
			}
			if err := b.lost(f, format.Element, &e); err != nil {
				return err
			}
		}
	default:
		for _, part := range f.Children[0].Fields {
			if part.Kind != AttributeField || !part.Definition.Type.NonNull {
				continue
			}
			if err := b.Lost(nil, part, v.Fields()); err != nil {
				return fmt.Errorf("%s: %w", part.Name, err)
			}
		}
	}
	return nil
}
