// Package stored has the names that a table has: of its key attributes and indexes, of the tenants that its partition
// keys begin with, and of the items that belong to the table itself.
//
// A table that Partita has created has those of DefaultLayout. An existing table has its own, which the schema
// declares.
package stored

import (
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// Layout is the names of a table: of its key attributes, of the attribute with the type, and of its
// indexes. A Design has attributes and keys by the names of the default layout, whatever the table's
// are: see Design.FromStored.
type Layout struct {
	// PK and SK are the attributes of the primary key: one each; there is no SK in a table without a sort key.
	PK, SK keys.KeyAttributes
	// Type is the attribute with the type of an item. With "", types are recognised by their keys.
	Type string
	// Delimiter joins the segments of a key.
	Delimiter string
	// Indexes are the indexes with other names than IndexPK and IndexSK return, or with a projection.
	Indexes []IndexLayout
}

// How many indexes a table has at most, and how many attributes the lists of all projections INCLUDE. AWS raises the
// number of global indexes of a table on request.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html#limits-secondary-indexes
const (
	MaxGlobalIndexes = 20
	MaxLocalIndexes  = 5
	MaxIncluded      = 100
)

// IndexLayout is the names of one index.
type IndexLayout struct {
	Name string
	// PK and SK are the key attributes; there is no SK in an index without a sort key.
	PK, SK keys.KeyAttributes
	// Local is set for a local secondary index: PK is that of the table, and reads may be strongly consistent.
	Local bool
	// Projection is which attributes an entry has.
	Projection Projection
	// Include are the stored names of the attributes of an entry besides keys, for Include.
	Include []string
}

// PartitionKey returns the partition key of a stored item in the index, "" if it is not in the index.
func (ix *IndexLayout) PartitionKey(stored item.Item) keys.PK { return keys.PK(ix.PK.Text(stored)) }

// SortKey returns the sort key of a stored item in the index, "" if it has none.
func (ix *IndexLayout) SortKey(stored item.Item) keys.SK { return keys.SK(ix.SK.Text(stored)) }

// ShowPK and ShowSK return the text of a key of the index as people know it: see KeyAttributes.Show.
func (ix *IndexLayout) ShowPK(pk keys.PK) string { return ix.PK.Show(string(pk)) }

// ShowSK is ShowPK for a sort key, or for a bound of sort keys.
func (ix *IndexLayout) ShowSK(sk keys.SK) string { return ix.SK.Show(string(sk)) }

// Projection is which attributes of an item its entry in an index has.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html#GSI.Projections
type Projection uint8

// The projections of DynamoDB: ALL, KEYS_ONLY and INCLUDE.
const (
	All Projection = iota
	KeysOnly
	Include
)

// String returns DynamoDB's name.
func (p Projection) String() string {
	return [...]string{All: "ALL", KeysOnly: "KEYS_ONLY", Include: "INCLUDE"}[p]
}

// GoString returns the projection as a Go expression.
func (p Projection) GoString() string {
	return "stored." + [...]string{All: "All", KeysOnly: "KeysOnly", Include: "Include"}[p]
}

// DefaultLayout is the layout of a table that Partita has created.
func DefaultLayout() *Layout {
	return &Layout{PK: keys.Named(keys.AttributePK), SK: keys.Named(keys.AttributeSK), Type: item.EntityType,
		Delimiter: keys.Delimiter}
}

// Index returns the names of an index, or of the table itself for "". For an index that the layout does not name, these
// are IndexPK and IndexSK.
func (l *Layout) Index(name string) IndexLayout {
	if name == "" {
		return IndexLayout{PK: l.PK, SK: l.SK}
	}
	i := slices.IndexFunc(l.Indexes, func(ix IndexLayout) bool { return ix.Name == name })
	if i < 0 {
		return IndexLayout{Name: name, PK: keys.Named(keys.IndexPK(name)), SK: keys.Named(keys.IndexSK(name))}
	}
	return l.Indexes[i]
}

// IsEntry reports whether an item with these keys is in the index.
func (ix *IndexLayout) IsEntry(pk keys.PK, sk keys.SK) bool {
	return pk != "" && (sk != "" || len(ix.SK) == 0)
}

// WithNumbers returns the layout with KeyAttribute.Number, by the names of attributes.
func (l *Layout) WithNumbers(isNumber func(stored string) bool) *Layout {
	numbered := func(k keys.KeyAttributes) keys.KeyAttributes {
		k = slices.Clone(k)
		for n := range k {
			k[n].Number = isNumber(k[n].Name)
		}
		return k
	}
	out := *l
	out.PK, out.SK, out.Indexes = numbered(l.PK), numbered(l.SK), slices.Clone(l.Indexes)
	for i := range out.Indexes {
		ix := &out.Indexes[i]
		ix.PK, ix.SK = numbered(ix.PK), numbered(ix.SK)
	}
	return &out
}
