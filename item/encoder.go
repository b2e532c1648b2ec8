package item

import "slices"

// MapValue returns a Map attribute value. Fields that are NULL are left out.
func MapValue(fields Item) Value { return FieldsValue(fields.WithoutNulls()) }

// TextValue returns a String attribute value of a named string type.
func TextValue[S ~string](s S) Value { return StringValue(string(s)) }

// NumberValue returns a Number attribute value of an int.
func NumberValue(n int) Value { return IntValue(int64(n)) }

// NullableValue returns the value of *p, NULL for nil.
func NullableValue[T any](p *T, value func(T) Value) Value {
	if p == nil {
		return Value{}
	}
	return value(*p)
}

// ListOf returns a List attribute value of the elements.
func ListOf[T any](elements []T, value func(T) Value) Value {
	list := make([]Value, len(elements))
	for i, e := range elements {
		list[i] = value(e)
	}
	return ListValue(list)
}

// NullableListOf is ListOf, but returns NULL for a nil slice.
func NullableListOf[T any](elements []T, value func(T) Value) Value {
	if elements == nil {
		return Value{}
	}
	return ListOf(elements, value)
}

// WithoutNulls returns the item without the attributes that are NULL: an attribute that is not set
// is not stored. It is the item itself if there are none.
func (it Item) WithoutNulls() Item {
	if !slices.ContainsFunc(it, func(a Attribute) bool { return a.Value.Kind == Null }) {
		return it
	}
	kept := make(Item, 0, len(it))
	for _, a := range it {
		if a.Value.Kind != Null {
			kept = append(kept, a)
		}
	}
	return kept
}
