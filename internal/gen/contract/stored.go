package contract

import (
	"slices"
	"strings"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/stored"
)

// layout compares the types of keys.
func (d *designs) layout(at positions) {
	d.keyTypes("the table", at, d.base.Layout.Index(""), d.head.Layout.Index(""))
	for _, name := range d.base.IndexNames() {
		d.keyTypes("index "+name, at, d.base.Layout.Index(name), d.head.Layout.Index(name))
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
