package keys

import "github.com/partita/partita/item"

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

// IDOrNone returns *id, or "" for nil.
func IDOrNone(id *ID) ID {
	if id == nil {
		return ""
	}
	return *id
}
