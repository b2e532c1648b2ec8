package design

import (
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// WithBothForms returns a copy of the design for a table that also has the items of another design for the same
// objects: conditions exclude what is no item of this design, and no Query reads another item on the assumption that
// nothing else is in its partition.
func (d *Design) WithBothForms() *Design {
	c := d.withFields(func(f *Field) { f.bothForms = true })
	c.joins, c.singles = nil, nil
	return c
}

// WithValues returns a copy of the design whose types also recognise items by further values of the type attribute.
// What it writes has the values of the design.
func (d *Design) WithValues(further map[string]string) *Design {
	if len(further) == 0 {
		return d
	}
	c := *d
	c.Types, c.types = make([]*Type, len(d.Types)), make(map[string]*Type, len(d.Types))
	for i, t := range d.Types {
		of := *t
		if value, has := further[t.Name]; has {
			of.Values = append(slices.Clone(t.Values), value)
		}
		c.Types[i], c.types[t.Name] = &of, &of
	}
	c.stored = newTranslation(&c)
	return &c
}

// isOfOtherForm reports whether an item that the field's condition selects is how another design stores an object: its
// key is none of its type, or has other values than its attributes. One that lacks an attribute of its key is damaged.
func (f *Field) isOfOtherForm(it item.Item) bool {
	i := slices.IndexFunc(f.matches, func(m Match) bool { return m.Type.Name == it.Type() })
	if i < 0 {
		return false
	}
	t := f.matches[i].Type
	s := t.shapeOf("", keys.KeyOf(it))
	if s == nil {
		return true
	}
	for _, name := range slices.Concat(s.PK.Variables(), s.SK.Variables()) {
		if _, has := it.Get(name); !has && name != keys.ShardVariable {
			return false
		}
	}
	return !t.Stores(it)
}
