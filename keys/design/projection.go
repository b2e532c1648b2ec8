package design

import (
	"slices"

	"github.com/partita/partita/keys"
)

// Projected returns which attributes of a type its entries in an index have: those whose values follow from the keys of
// the table and of the index, and those that the index includes. all is set if they have every attribute. There are
// none if the keys of an entry do not show that its item has the type, or are not enough to check the item.
func (d *Design) Projected(index string, t *Type) (names []string, all bool) {
	if !d.IsProjected(index) {
		return nil, true
	}
	layout := d.Layout.Index(index)
	included := func(stored string) bool { return slices.Contains(layout.Include, stored) }
	hasType := d.Layout.Type == "" && len(t.Constants) == 0 || included(d.Layout.Type) && !d.sharesValue(t)
	if !hasType && !d.isRecognised(t) {
		return nil, false
	}
	shapes, entries := t.entriesOf(index)
	for _, a := range t.Attributes {
		if included(a.StoredName()) {
			names = append(names, a.Name)
			continue
		}
		inAll := len(entries) > 0
		for i := range entries {
			inAll = inAll && (shapes[i].Has(a.Name) || entries[i].Has(a.Name))
		}
		if inAll {
			names = append(names, a.Name)
		}
	}
	for _, s := range slices.Concat(shapes, entries) {
		for _, name := range slices.Concat(s.PK.Variables(), s.SK.Variables()) {
			if !slices.Contains(names, name) {
				return nil, false
			}
		}
	}
	return names, false
}

// isRecognised reports whether no item of another type can have a primary key of the type.
func (d *Design) isRecognised(t *Type) bool {
	for _, other := range d.Types {
		if other == t {
			continue
		}
		for _, a := range t.Shapes() {
			for _, b := range other.Shapes() {
				if keys.SamePartition(a.PK, b.PK) && keys.SamePartition(a.SK, b.SK) {
					return false
				}
			}
		}
	}
	return true
}

// sharesValue reports whether another type has the same value of the type attribute.
func (d *Design) sharesValue(t *Type) bool {
	return slices.ContainsFunc(d.Types, func(other *Type) bool { return other != t && other.TypeValue() == t.TypeValue() })
}
