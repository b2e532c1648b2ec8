package keys

import (
	"slices"

	"github.com/partita/partita/item"
)

// RawID returns the stored value of an ID in the type's attribute. If an object's own id has
// several values, it is the one of that attribute. The error is an InputError for the ID of another
// type.
func (t *Type) RawID(a Attribute, id ID) (string, error) {
	values := id.Values()
	if id.Type() == a.Ref && a.Ref == t.Name && len(values) == len(t.Identity) {
		if i := slices.Index(t.Identity, a.Name); i >= 0 {
			return values[i], nil
		}
	}
	if raw, single := id.single(); single && id.Type() == a.Ref {
		return raw, nil
	}
	return "", wrongID(a.Name, a.Ref)
}

// IDAttribute returns an ID as write.Items expects it.
func IDAttribute(id ID) item.Value { return item.TextValue(id) }

// AsID returns the function that reads a stored ID: the raw value of an object of the type, or with
// "" an opaque text.
func AsID(typ string) func(item.Value) (ID, error) {
	return func(v item.Value) (ID, error) {
		raw, err := item.AsString(v)
		return NewID(typ, raw), err
	}
}

// EncodedID returns an ID whose type is not known from the schema, such as one in a list. It is
// stored as callers see it, and AsID("") reads it.
func EncodedID(id ID) item.Value { return item.StringValue(id.Encode()) }

// IsKeyOnly reports whether the item lacks attributes: it has key-only attributes alone, as a Condition's KeyOnly has,
// and no PK; or it is an Entry.
func IsKeyOnly(it item.Item) bool {
	_, whole := it.Get(AttributePK)
	return !whole || IsEntry(it)
}
