package item

import "slices"

// attributeContested is the first attribute of an item that has one. It is no name of a field.
const attributeContested = "=!"

// Contested returns the item with a mark for attributes that have another value than the item's key.
func (it Item) Contested(names []string) Item {
	elements := make([]Value, len(names))
	for i, name := range names {
		elements[i] = StringValue(name)
	}
	return slices.Insert(slices.Clone(it), 0, Attribute{Name: attributeContested, Value: ListValue(elements)})
}

// HasContested reports whether any attribute of the item has another value than the item's key.
func (it Item) HasContested() bool { return len(it) > 0 && it[0].Name == attributeContested }

// IsContested reports whether an attribute has another value than the item's key, so that neither of them shows who
// the owner is.
func (it Item) IsContested(name string) bool {
	return it.HasContested() && slices.ContainsFunc(it[0].Value.Elements(), func(v Value) bool { return v.Text == name })
}
