package keys

import (
	"slices"

	"github.com/partita/partita/item"
)

// RawID is the value that is stored of an ID in the type's attribute. An object's
// own id may have several values; one of them is the attribute's. The ID of
// another type is an InputError.
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

// IDAttribute is an ID as write.Items expects it.
func IDAttribute(id ID) item.Value { return item.TextValue(id) }

// AsID reads a stored ID: the raw value of an object of the type, or with "" an
// opaque text.
func AsID(typ string) func(item.Value) (ID, error) {
	return func(v item.Value) (ID, error) {
		raw, err := item.AsString(v)
		return NewID(typ, raw), err
	}
}

// EncodedID is an ID of which the schema does not say what it names, such as one
// in a list: the text that callers see. AsID("") reads it.
func EncodedID(id ID) item.Value { return item.StringValue(id.Encode()) }

// IsPartial reports whether only what a key fixes is known of the item, as of a
// Condition's Known, which has no PK.
func IsPartial(it item.Item) bool {
	_, whole := it.Get(AttributePK)
	return !whole
}
