// Package importer proposes the schema of an existing table. It sees items only, of an export or of a sample, and
// recognises what their keys and attributes have in common:
//
//  1. names.go: the attributes with the keys and the type, the delimiter;
//  2. collect.go: a bounded number of items of each kind of key;
//  3. shapes.go: groups of items whose keys have the same literals, each a shape;
//  4. explain.go: which attribute, in which format, each variable part of a key is;
//  5. types.go: shapes with the same objects become a type with copies; indexes.go adds the entries in indexes,
//     fields.go the fields;
//  6. reads.go: the fields that read what the keys can select;
//  7. settle.go: what the checks of a design reject is turned into a comment, until they accept the rest.
//
// Words: an entry is one item with its keys split into parts. A shape is the pair of templates of one stored item. A
// hidden value is one that is only in keys.
package importer

import (
	"cmp"
	"iter"
	"slices"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// Options are what is known of the table besides its items.
type Options struct {
	// PK and SK are the attributes of the primary key; those that are "" are recognised.
	PK, SK string
	// Indexes are the table's indexes. They are recognised by the names of their attributes unless Described is set.
	Indexes []keys.IndexLayout
	// Described is set if Indexes are all indexes of the table.
	Described bool
	// Expires is the attribute of the table's time to live, "" for none.
	Expires string
	// Partial reports, after the items were read, whether the table has more items than these; nil for an export.
	Partial func() bool
	// omitted are the parts of the table's description that cannot be imported.
	omitted []string
}

// Result is a proposed schema.
type Result struct {
	// Schema is the text of the schema without what all schemas share: the directives, Node and Query itself.
	Schema string
	Report Report
}

// Import reads the items and proposes a schema. Its errors are those of the items, or *exit.Error.
func Import(items iter.Seq2[item.Item, error], o Options) (*Result, error) {
	t, entries, err := collect(items, o)
	if err != nil {
		return nil, err
	}
	result, err := propose(t, entries, o)
	if err != nil || t.Type == "" || result.Report.Classified() >= enoughClassified {
		return result, err
	}
	// What seems to be the type attribute may be something else.
	t.Type = ""
	for _, e := range entries {
		e.typ = ""
	}
	other, err := propose(t, entries, o)
	if err != nil || other.Report.Classified() <= result.Report.Classified() {
		return result, err
	}
	return other, nil
}

// enoughClassified is the share of the items that a proposal should have.
const enoughClassified = 0.95

// propose proposes a schema for the entries.
func propose(t *layout, entries []*entry, o Options) (*Result, error) {
	shapes, rest := t.findShapes(entries)
	m := &model{layout: t, unclassified: rest, omitted: slices.Clone(o.omitted)}
	m.buildTypes(shapes)
	m.addReads()
	if err := m.settle(); err != nil {
		return nil, err
	}
	return &Result{Schema: m.print(), Report: m.report()}, nil
}

// Report is what became of the items.
type Report struct {
	// Items is how many were read. Partial is set if the table has more.
	Items   int
	Partial bool
	// ReadUnits is what a sample has consumed.
	ReadUnits float64
	// Types are what was recognised, in the order of the schema.
	Types []TypeReport
	// Unclassified are the items that no type of the schema has, most frequent first.
	Unclassified []Unclassified
	// Omitted are attributes, keys and reads that the schema does not have, and why.
	Omitted []string
}

// TypeReport is the number of items of one type, its copies included.
type TypeReport struct {
	Name  string
	Items int
}

// Unclassified is a kind of items that no type has.
type Unclassified struct {
	// Why is the reason.
	Why   string
	Items int
	// Example is the key of one of them.
	Example keys.Key
}

// Classified returns the share of the items that the schema has, from 0 to 1.
func (r Report) Classified() float64 {
	n := 0
	for _, t := range r.Types {
		n += t.Items
	}
	return float64(n) / float64(cmp.Or(r.Items, 1))
}

func problem(what, fix string) error {
	return &exit.Error{Problem: what, Fix: fix, Code: exit.DataError}
}
