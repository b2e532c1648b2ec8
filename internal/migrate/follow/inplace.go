package follow

import (
	"slices"

	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/table"
	"github.com/partita/partita/write"
)

// FromStored returns a stored item as a design has it. An attribute that both designs store under one name may have the
// form of the other one: it is read as that if it is not what the design declares. back translates objects of other
// into those of d.
func FromStored(d, other *design.Design, back *migrate.Translation, stored item.Item) item.Item {
	return readable(d, d.FromStored(slices.Clone(stored)), back, func() item.Item {
		it := other.FromStored(slices.Clone(stored))
		object, _ := back.Object(it)
		return object
	})
}

// readable returns an item with the attributes of another form in place of those that are not as the design declares.
func readable(d *design.Design, it item.Item, back *migrate.Translation, other func() item.Item) item.Item {
	t := d.Type(it.Type())
	if t != nil {
		it = back.Named(t.Name, it)
	}
	if t == nil || write.CheckAttributes(t, it) == nil {
		return it
	}
	object := other()
	for i := range t.Attributes {
		a := &t.Attributes[i]
		v, has := object.Get(a.Name)
		if has && write.CheckAttribute(a, it) != nil && write.CheckAttribute(a, object) == nil {
			it = table.With(slices.Clone(it), a.Name, v)
		}
	}
	return it
}
