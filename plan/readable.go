package plan

import (
	"errors"
	"fmt"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// A field depends on attributes: those that it shows, and for one that is read those of the parent in its key
// condition. An attribute that cannot be read is an error of the fields that depend on it, and of nothing else.

// setSources sets the attributes of a parent on which the key condition of a field and its count depend.
func (c *compiler) setSources(t *objectType, f *Field) {
	stored := c.types[t.Name]
	if t.stored != nil {
		stored = c.types[t.stored.Name]
	}
	read := f.Read
	if f.Kind == NodesField && t.connection != nil && t.connection.EdgeNode {
		read = c.Design.Field(t.connection.Edge, NodeName)
		stored = c.types[c.Design.EdgeItem(t.connection.Edge).Name]
	}
	if read == nil || t.payload != nil {
		return
	}
	for _, template := range [...]keys.Template{read.PK, read.SK} {
		for _, name := range template.Variables() {
			if name != keys.ViewerVariable && read.Argument(name) == nil {
				f.sources = stored.appendFormat(f.sources, name)
			}
		}
	}
	if read.Count != "" && f.selectsCount() {
		f.count = stored.appendFormat(nil, read.Count)
	}
}

// appendFormat appends the format of an attribute, if the type has one.
func (t *objectType) appendFormat(to []FieldFormat, name string) []FieldFormat {
	for _, a := range t.attributes {
		if a.Name == name {
			return append(to, a)
		}
	}
	return to
}

// CheckValue returns an error if the stored value of an AttributeField cannot be read. What is nested in it has fields
// of its own.
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

// Sources returns the names of the attributes in the key condition of a field.
func (f *Field) Sources() []string {
	names := make([]string, len(f.sources))
	for i := range f.sources {
		names[i] = f.sources[i].Name
	}
	return names
}

// CheckSources returns an error if an attribute in the key condition of a field cannot be read.
func (f *Field) CheckSources(parent item.Item) error { return checkAttributes(f.sources, parent) }

// CheckCount returns an error if the counter of a connection cannot be read. parent is the object that has the
// connection.
func (s *Schema) CheckCount(connection *design.Field, parent item.Item) error {
	return checkAttributes(s.types[connection.Parent].appendFormat(nil, connection.Count), parent)
}

func checkAttributes(attributes []FieldFormat, it item.Item) error {
	for i := range attributes {
		v, _ := it.Find(attributes[i].Name)
		if err := attributes[i].check(&v, false); err != nil {
			return err
		}
	}
	return nil
}

// IsReadable reports whether all that is selected of an object can be read from its item.
func (o *Object) IsReadable(it item.Item) bool {
	for _, f := range o.Fields {
		switch {
		case f.Kind == AttributeField:
			v, _ := it.Find(f.Name)
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

// Lost returns an error if an AttributeField or an IdentityField of an item is null because it cannot be read, or
// because something that is nested in it cannot be read and is never null. There is none for a field that the viewer
// may not read.
func (b *Bound) Lost(o *Object, f *Field, it item.Item) error {
	if b.DecideItem(f.Rule, it) != Allow {
		return nil
	}
	if f.Kind == IdentityField {
		return CheckIdentity(o.Type, it)
	}
	v, _ := it.Find(f.Name)
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
