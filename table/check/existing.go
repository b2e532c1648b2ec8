package check

import (
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// withOthers returns an item as it should be, but in an existing table with the attributes of the stored one that the
// type does not declare: they are those of other programs, such as keys of indexes that the schema does not name.
func (in *inspector) withOthers(t *keys.Type, wanted, stored item.Item) item.Item {
	if !in.design.Translates() {
		return wanted
	}
	isOther := func(a item.Attribute) bool {
		return t.Attribute(a.Name) == nil && a.Name != t.Expires && !in.design.IsKeyAttribute(a.Name)
	}
	isDeclared := func(a item.Attribute) bool { return !isOther(a) }
	return append(slices.DeleteFunc(slices.Clone(wanted), isOther), slices.DeleteFunc(slices.Clone(stored), isDeclared)...)
}
