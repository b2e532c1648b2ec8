package contract

import (
	"fmt"
	"slices"
	"strings"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
)

// layout compares the names of the table.
func (d *designs) layout(at positions) {
	was, is := d.base.Layout, d.head.Layout
	changed := renamed([]part{
		{"the partition key", was.PK.String(), is.PK.String()}, {"the sort key", was.SK.String(), is.SK.String()},
		{"the attribute of the type", was.Type, is.Type},
	})
	if changed != "" {
		d.data("schema", at, keepNames, "%s: objects that are stored with the former are not found", changed)
	}
	d.keyTypes("the table", at, was.Index(""), is.Index(""))
	for _, name := range d.base.IndexNames() {
		d.keyTypes("index "+name, at, was.Index(name), is.Index(name))
		a, b := was.Index(name), is.Index(name)
		changed := renamed([]part{
			{"the partition key of index " + name, a.PK.String(), b.PK.String()},
			{"the sort key of index " + name, a.SK.String(), b.SK.String()},
		})
		if changed != "" {
			d.data("schema", at, keepNames, "%s: entries that are stored with the former are not found", changed)
		}
	}
}

// keyTypes compares whether key attributes are Strings or Numbers. DynamoDB has one type for each.
func (d *designs) keyTypes(where string, at positions, was, is stored.IndexLayout) {
	changed := renamed([]part{
		{"the type of the partition key", typeOf(was.PK), typeOf(is.PK)},
		{"the type of the sort key", typeOf(was.SK), typeOf(is.SK)},
	})
	if changed != "" && slices.Equal(was.PK.Names(), is.PK.Names()) && slices.Equal(was.SK.Names(), is.SK.Names()) {
		d.data("schema", at, "keep the types and formats of the fields that are keys: those of a table cannot be changed",
			"%s: what is stored in %s is not found", changed, where)
	}
}

// typeOf returns the types of key attributes, "" for none.
func typeOf(k keys.KeyAttributes) string {
	types := make([]string, len(k))
	for i, a := range k {
		if types[i] = "String"; a.Number {
			types[i] = "Number"
		}
	}
	return strings.Join(types, ", ")
}

const keepNames = "keep the former names in @table: they are those of the table"

// stored compares what objects of a type are stored as.
func (d *designs) stored(base, head *design.Type, at positions) {
	if was, is := base.TypeValue(), head.TypeValue(); was != is {
		d.data(base.Name, at, fmt.Sprintf("write @item(type: %q)", was),
			"the type was stored as %q and is stored as %q: objects with the former are not found", was, is)
	}
	for _, c := range head.Constants {
		isSame := func(was design.Constant) bool { return was.Name == c.Name && was.Value.Equal(c.Value) }
		if !slices.ContainsFunc(base.Constants, isSame) {
			d.data(base.Name, at, "leave it out, or write it into all stored items first",
				"each item must have the constant %s now: objects that are stored without it are not found", c.Name)
		}
	}
	for i := range head.Attributes {
		d.attribute(base, head, &head.Attributes[i])
	}
	d.entries(base, head, at)
}

// entries compares in which copies and indexes stored objects are.
func (d *designs) entries(base, head *design.Type, at positions) {
	for _, c := range head.Copies {
		if !slices.ContainsFunc(base.Copies, func(was design.Copy) bool { return isSameKey(was.Shape, c.Shape) }) {
			d.dangerous(base.Name, at, "the copy under %s is new: "+untilRepaired, shape(c.Shape), "table repair")
		}
	}
	for _, ix := range head.Indexes {
		isSame := func(was design.Index) bool { return was.Name == ix.Name && isSameKey(was.Shape, ix.Shape) }
		if !slices.ContainsFunc(base.Indexes, isSame) && d.isWritten(head, ix.Name) {
			repair := "table repair"
			if d.head.HasOtherWriters() { // They may have meant that there is no entry.
				repair += " --only=INDEX_ENTRY_WRONG --index=" + ix.Name
			}
			d.dangerous(base.Name, at, "the entry in index %s under %s is new: "+untilRepaired, ix.Name, shape(ix.Shape), repair)
		}
	}
}

const untilRepaired = "stored objects do not have it until `%s` has run with this version"

// isWritten reports whether entries of a type in an index have an attribute that exists for the index alone.
func (d *designs) isWritten(t *design.Type, index string) bool {
	l := d.head.Layout
	ix := l.Index(index)
	return slices.ContainsFunc(slices.Concat(ix.PK, ix.SK), func(k keys.KeyAttribute) bool {
		return !l.IsKey(k.Name) && k.Name != l.Type && storedIn(t, k.Name) == nil
	})
}
