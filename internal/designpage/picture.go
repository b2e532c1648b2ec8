package designpage

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
)

// colours is how many colours of types there are.
const colours = 10

// Picture is the table, or an index, with example items.
type Picture struct {
	// Name is that of the index, "" for the table.
	Name string
	// PK and SK are the key attributes; SK is "" without a sort key.
	PK, SK string
	// Projection is which attributes entries have: ALL, KEYS_ONLY or INCLUDE.
	Projection string
	Partitions []Partition
}

// Partition is an item collection: what has the same partition key, by sort key.
type Partition struct {
	// Key is the partition key, which Tenant precedes in a table with tenants.
	Key    string
	Tenant keys.Tenant
	Rows   []*Row
}

// Row is an example item, or an entry of an index.
type Row struct {
	// ID is unique on the page.
	ID string
	SK string
	// What is the type of the object, and what of it the row is. Colour is the place of the type among those of the
	// schema, -1 for a claim.
	What   string
	Colour int
	// Attributes are those beside the key, as they are stored.
	Attributes []Pair
	// ReadBy are the patterns that read such items, ReadIn those that read this one in their example.
	ReadBy, ReadIn []string

	kind    kind
	example *example
	key     keys.Key
}

// Pair is an attribute, or anything else that has a name and a text.
type Pair struct{ Name, Text string }

// picturesOf returns the table and each index with the examples.
func picturesOf(s *directives.Schema, examples []*example) []Picture {
	var all []Picture
	n := 0
	for _, name := range append([]string{""}, s.IndexNames()...) {
		ix := s.Layout.Index(name)
		p := Picture{Name: name, PK: ix.PK.String(), SK: ix.SK.String(), Projection: ix.Projection.String()}
		p.Partitions = partitions(&ix, rowsIn(s, name, examples))
		for _, c := range p.Partitions {
			for _, r := range c.Rows {
				n++
				r.ID = fmt.Sprintf("row-%d", n)
			}
		}
		all = append(all, p)
	}
	return all
}

// rowsIn returns the items of the examples in the table, with "", or their entries in an index.
func rowsIn(s *directives.Schema, index string, examples []*example) []*Row {
	var rows []*Row
	for _, e := range examples {
		colour := slices.Index(s.Types, e.of) % colours
		for _, k := range kindsOf(e.of) {
			if k.index != index {
				continue
			}
			it := e.items[k.place]
			key := keys.Key{PK: keys.PK(it.Text(keys.IndexPK(index))), SK: keys.SK(it.Text(keys.IndexSK(index)))}
			if key.PK == "" {
				continue // It has no entry.
			}
			rows = append(rows, &Row{
				What: k.String(), Colour: colour, kind: k, example: e, key: key, Attributes: attributesIn(s, index, e.of, it),
			})
		}
		if index == "" {
			rows = append(rows, claimRows(s, e)...)
		}
	}
	return rows
}

func claimRows(s *directives.Schema, e *example) []*Row {
	rows := make([]*Row, len(e.claims))
	for i, c := range e.claims {
		rows[i] = &Row{
			What: fmt.Sprintf("claim of %s.%s", e.of.Name, c.unique.Attribute), Colour: -1, example: e,
			key: keys.KeyOf(c.item), Attributes: attributesIn(s, "", nil, c.item),
		}
	}
	return rows
}

// attributesIn returns the attributes of an item beside its key, in the table or in an entry: fields in the order of
// the schema, then the keys of indexes. t is nil for a claim.
func attributesIn(s *directives.Schema, index string, t *design.Type, it item.Item) []Pair {
	at, layout := s.Layout.Index(index), s.Layout
	isKey := func(k keys.KeyAttributes) func(item.Attribute) bool {
		return func(a item.Attribute) bool { return k.Has(a.Name) }
	}
	storedItem := s.ToStored(it)
	var all, last []Pair
	for _, a := range storedItem {
		pair := Pair{a.Name, valueText(a.Value)}
		switch {
		case isKey(at.PK)(a), isKey(at.SK)(a), a.Name == layout.Type:
		case layout.IsKey(a.Name):
			all = slices.Insert(all, min(len(all), 1), pair) // an entry has the keys of its item
		case isIndexKey(s, a.Name):
			last = append(last, pair)
		case isIn(&at, t, a.Name):
			all = append(all, pair)
		}
	}
	if index != "" {
		return all // The keys of other indexes say nothing about this one.
	}
	return append(all, last...)
}

// isIndexKey reports whether an attribute is written for an index alone.
func isIndexKey(s *directives.Schema, name string) bool {
	isField := func(t *design.Type) bool {
		return slices.ContainsFunc(t.Attributes, func(a design.Attribute) bool { return a.StoredName() == name })
	}
	return !slices.ContainsFunc(s.Types, isField) && slices.ContainsFunc(s.IndexNames(), func(ix string) bool {
		l := s.Layout.Index(ix)
		return l.PK.Has(name) || l.SK.Has(name)
	})
}

// isIn reports whether entries of an index have an attribute of a type.
func isIn(ix *stored.IndexLayout, t *design.Type, name string) bool {
	return t == nil || ix.Projection == stored.All || slices.Contains(ix.Include, name)
}

// partitions returns the collections of rows: those with the most items first, claims last.
func partitions(ix *stored.IndexLayout, rows []*Row) []Partition {
	slices.SortStableFunc(rows, func(a, b *Row) int {
		return cmp.Or(cmp.Compare(a.key.PK, b.key.PK), cmp.Compare(a.key.SK, b.key.SK))
	})
	var all []Partition
	for i, r := range rows {
		if r.SK = ix.ShowSK(r.key.SK); i == 0 || r.key.PK != rows[i-1].key.PK {
			all = append(all, Partition{Key: ix.ShowPK(r.key.PK)})
		}
		last := &all[len(all)-1]
		last.Rows = append(last.Rows, r)
	}
	isClaim := func(p Partition) int {
		if p.Rows[0].Colour < 0 {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(all, func(a, b Partition) int {
		return cmp.Or(cmp.Compare(isClaim(a), isClaim(b)), cmp.Compare(len(b.Rows), len(a.Rows)))
	})
	return all
}

// valueText returns a stored value as people write it.
func valueText(v item.Value) string {
	var parts []string
	switch v.Kind {
	case item.List:
		for _, e := range v.Elements() {
			parts = append(parts, valueText(e))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case item.Map:
		for _, f := range v.Fields() {
			parts = append(parts, f.Name+": "+valueText(f.Value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case item.Null:
		return "null"
	}
	return v.Text
}
