package importer

import (
	"iter"
	"slices"

	"github.com/partita/partita/item"
)

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

// Result is a proposed schema.
type Result struct {
	// Schema is the text of the schema without what all schemas share: the directives, Node and Query itself.
	Schema string
	Report Report
	// unfit are attributes in keys for which types were left out.
	unfit []string
}

// proposeBest proposes a schema for the entries. Where a type is left out for an attribute in its key, the key may
// still have that value for itself.
func proposeBest(t *layout, entries []*entry, o Options) (*Result, error) {
	best, err := propose(t, entries, o)
	for result := best; err == nil && learn(t, result.unfit); {
		if result, err = propose(t, entries, o); err == nil && result.Report.Classified() > best.Report.Classified() {
			best = result
		}
	}
	return best, err
}

// learn adds to what is unfit, and reports whether anything is new.
func learn(t *layout, unfit []string) bool {
	before := len(t.unfit)
	for _, name := range unfit {
		t.unfit[name] = true
	}
	return len(t.unfit) > before
}

// propose proposes a schema for the entries.
func propose(t *layout, entries []*entry, o Options) (*Result, error) {
	objects, claims := takeClaims(t, entries)
	shapes, rest := findShapes(t, objects)
	m := &model{layout: t, entries: entries, claims: claims, unclassified: rest, omitted: slices.Clone(o.omitted)}
	buildTypes(m, shapes)
	nameTypes(m)
	for _, typ := range m.types {
		addIndexes(m, typ)
		addFields(m, typ)
	}
	m.types = slices.DeleteFunc(m.types, func(t *typ) bool { return t.fault != "" })
	addClaims(m)
	addReads(m)
	text, err := settle(m)
	if err != nil {
		return nil, err
	}
	return &Result{Schema: text, Report: report(m), unfit: m.unfitInKeys}, nil
}
