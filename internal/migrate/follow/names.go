package follow

import (
	"maps"
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/design"
)

// names is a set of stored names of attributes.
type names map[string]bool

func (n names) add(others ...string) {
	for _, name := range others {
		n[name] = true
	}
}

// sorted returns the names in order.
func (n names) sorted() []string { return slices.Sorted(maps.Keys(n)) }

func (n names) addOf(it item.Item) {
	for _, a := range it {
		n[a.Name] = true
	}
}

// without returns the names that others lack.
func (n names) without(others names) names {
	out := names{}
	for name := range n {
		if !others[name] {
			out.add(name)
		}
	}
	return out
}

// governed returns the attributes of the n-th item of a type that follow from the design; of all items for n < 0. Those
// of the primary key are not among them.
func governed(d *design.Design, t *design.Type, n int) names {
	all := names{}
	if d.Layout.Type != "" {
		all.add(d.Layout.Type)
	}
	for _, a := range t.Attributes {
		if !a.InKeys {
			all.add(a.StoredName())
		}
	}
	for _, c := range t.Constants {
		all.add(c.Name)
	}
	nth := map[string]int{}
	for _, ix := range t.Indexes {
		if nth[ix.Name]++; n < 0 || nth[ix.Name] == n+1 {
			layout := d.Layout.Index(ix.Name)
			all.add(layout.PK.Names()...)
			all.add(layout.SK.Names()...)
		}
	}
	for name := range all {
		if d.Layout.IsKey(name) {
			delete(all, name)
		}
	}
	return all
}

// counters returns the stored names of the counters of a type.
func counters(d *design.Design, t *design.Type) names {
	all := names{}
	for _, c := range d.CountersIn(t) {
		if a := t.Attribute(c.Attribute); a != nil {
			all.add(a.StoredName())
		}
	}
	return all
}
