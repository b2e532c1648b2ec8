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
//  7. settle.go: what the checks of a design reject is turned into a comment, until they accept the rest;
//     place.go: which items the schema has then.
//
// Words: an entry is one item with its keys split into parts. A shape is the pair of templates of one stored item. A
// hidden value is one that is only in keys.
//
// It proposes generously, and the checks of a design decide what remains: so the rules of a design are written once,
// and a proposal never has findings.
package importer

import (
	"cmp"
	"iter"
	"slices"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/stored"
)

// Options are what is known of the table besides its items.
type Options struct {
	// PK and SK are the attributes of the primary key; those that are "" are recognised. A table with Described and
	// without SK has no sort key.
	PK, SK string
	// Table is the name of the table, after which objects are named whose keys and attributes have no better name.
	Table string
	// Indexes are the table's indexes. They are recognised by the names of their attributes unless Described is set.
	Indexes []stored.IndexLayout
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
	// unfit are attributes in keys for which types were left out.
	unfit []string
}

// Import reads the items and proposes a schema. Its errors are those of the items, or *exit.Error.
func Import(items iter.Seq2[item.Item, error], o Options) (*Result, error) {
	t, entries, err := collect(items, o)
	if err != nil {
		return nil, err
	}
	result, err := proposeBest(t, entries, o)
	if err != nil || t.Type == "" || result.Report.isEnough() {
		return result, err
	}
	// What seems to be the type attribute may be something else.
	t.Type, t.unfit = "", map[string]bool{}
	for _, e := range entries {
		e.typ = ""
	}
	other, err := proposeBest(t, entries, o)
	if err != nil || other.Report.Classified() <= result.Report.Classified() {
		return result, err
	}
	return other, nil
}

// proposeBest proposes a schema for the entries. Where a type is left out for an attribute in its key, the key may
// still have that value for itself.
func proposeBest(t *layout, entries []*entry, o Options) (*Result, error) {
	best, err := propose(t, entries, o)
	for result := best; err == nil && t.learn(result.unfit); {
		if result, err = propose(t, entries, o); err == nil && result.Report.Classified() > best.Report.Classified() {
			best = result
		}
	}
	return best, err
}

// learn adds to what is unfit, and reports whether anything is new.
func (t *layout) learn(unfit []string) bool {
	before := len(t.unfit)
	for _, name := range unfit {
		t.unfit[name] = true
	}
	return len(t.unfit) > before
}

// propose proposes a schema for the entries.
func propose(t *layout, entries []*entry, o Options) (*Result, error) {
	objects, claims := t.takeClaims(entries)
	shapes, rest := t.findShapes(objects)
	m := &model{layout: t, entries: entries, claims: claims, unclassified: rest, omitted: slices.Clone(o.omitted)}
	m.buildTypes(shapes)
	m.addClaims()
	m.addReads()
	if err := m.settle(); err != nil {
		return nil, err
	}
	return &Result{Schema: m.print(), Report: m.report(), unfit: m.unfitInKeys}, nil
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

// isEnough reports whether the schema has nearly all items: all but one, or 95 %.
func (r Report) isEnough() bool {
	missing := float64(r.Items) * (1 - r.Classified())
	return missing < 1.5 || r.Classified() >= 0.95
}

func problem(what, fix string) error {
	return &exit.Error{Problem: what, Fix: fix, Code: exit.DataError}
}
