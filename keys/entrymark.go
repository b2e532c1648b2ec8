package keys

import (
	"slices"

	"github.com/partita/partita/item"
)

// attributeEntry marks an entry of an index. It is no name of a field.
const attributeEntry = "=="

// Entry returns an entry of a projected index as an item that lacks attributes: see IsKeyOnly.
func Entry(it item.Item) item.Item {
	mark := item.Attribute{Name: attributeEntry, Value: item.Value{Kind: item.Bool, Text: "true"}}
	return append(slices.Clip(it), mark)
}

// IsEntry reports whether the item is one from Entry.
func IsEntry(it item.Item) bool {
	_, marked := it.Find(attributeEntry)
	return marked
}

// IsEntryMark reports whether an attribute is the one that Entry adds.
func IsEntryMark(name string) bool { return name == attributeEntry }

// IsKeyOnly reports whether the item lacks attributes: it has key-only attributes alone, as a Condition's KeyOnly has,
// and no PK; or it is an Entry.
func IsKeyOnly(it item.Item) bool {
	_, whole := it.Get(AttributePK)
	return !whole || IsEntry(it)
}
