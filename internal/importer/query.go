package importer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
)

// query makes the @query that reads a collection, and the arguments of its field.
type query struct {
	*model
	collection
	read *read
	// names are the names of variables that the parent has, by the collection's variables.
	names map[string]string
	// isUnion is set if the collection has several types, whose sort keys may have more parts.
	isUnion bool
	// own is how many parts of the sort key have values of the parent only.
	own int
	// parts are those of the sort key's template, and sk is the text that it begins with.
	parts template
	sk    string
	order string
}

func (q *query) build() {
	for _, p := range q.pk {
		q.argument(p, "!")
	}
	q.sortKey()
	text := "@query("
	if q.index != "" {
		text += "index: " + quote(q.index) + ", "
	}
	text += "pk: " + q.quoted(q.pk, q.nameOf)
	if q.sk += q.text(q.parts, q.nameOf); q.sk != "" {
		text += ", sk: " + quote(q.sk)
	}
	q.read.directive = text + q.order + ")"
}

// buildUnion is build for a collection of several types, also without what their sort keys have in common: a range may
// not select the same of all.
func (q *query) buildUnion() {
	plain, r := *q, *q.read
	plain.read, plain.collection.sk = &r, nil
	plain.build()
	q.build()
	if r.directive != q.read.directive || len(r.arguments) < len(q.read.arguments) {
		q.read.plain = &r
	}
}

func (q *query) nameOf(variable string) string {
	return cmp.Or(q.names[variable], q.of.nameOf(variable))
}

// argument adds the argument for a variable that the parent does not have. A time bucket needs a range.
func (q *query) argument(s keys.Segment, suffix string) {
	if s.Variable == "" || q.names[s.Variable] != "" || q.hasArgument(s.Variable) {
		return
	}
	f := q.of.field(s.Variable)
	if f == nil {
		return
	}
	typ := f.text()
	if s.Bucket != 0 {
		typ = f.typ + "Range"
	}
	q.read.arguments = append(q.read.arguments, argument{f.name, typ + suffix})
}

func (q *query) hasArgument(variable string) bool {
	return slices.ContainsFunc(q.read.arguments, func(a argument) bool { return a.name == q.of.nameOf(variable) })
}

// sortKey adds the beginning of the sort key: its literals, the values of the parent, and texts as optional arguments
// that fill it from the left. A number or a time after that is a range.
func (q *query) sortKey() {
	open := 0
	for i, p := range q.collection.sk {
		switch v := p.Variable; {
		case v == "" || i < q.own || q.names[v] != "":
			if i >= q.own && open > 0 && v == "" && !q.hasTextAfter(i) {
				return
			}
			q.parts = append(q.parts, p)
			continue
		case q.hasArgument(v):
			q.parts = append(q.parts, keys.Segment{Literal: p.Literal, Glued: p.Glued})
			q.descend(v)
			return
		default:
			f := q.of.field(v)
			isPart := q.hasVariableAfter(i) || q.isSearched(v) || q.isUnion
			if f != nil && f.typ == "String" && isPart && !q.isGluedAfter(i) {
				q.argument(p, "")
				q.parts = append(q.parts, p)
				open++
				continue
			}
			if open == 0 {
				q.parts = append(q.parts, keys.Segment{Literal: p.Literal, Glued: p.Glued})
			}
			if f != nil && slices.Contains(ranges, f.typ) {
				q.read.arguments = append(q.read.arguments, argument{f.name, f.typ + "Range"})
				q.descend(v)
			}
			return
		}
	}
}

// isSearched reports whether objects are searched for by a value at the end of a sort key: in an index, if it is no
// part of what identifies them, or the partition key is constant, or the index has the keys of the table, swapped: then
// the value on the other side of a relation selects one.
func (q *query) isSearched(variable string) bool {
	ix := q.Layout.Index(q.index)
	isInverted := ix.PK.Has(q.SK.String()) && ix.SK.Has(q.PK.String())
	isID := slices.Contains(q.of.item().identity(), variable)
	return q.index != "" && (!isID || isInverted || len(variablesOf(q.pk)) == 0)
}

// ranges are the types of values that are selected by a range.
var ranges = []string{"Time", "Date", "Int", "Int64"}

// descend orders times with the newest first.
func (q *query) descend(variable string) {
	if f := q.of.field(variable); f != nil && f.typ == "Time" {
		q.order = ", order: DESC"
	}
}

// isGluedAfter reports whether nothing separates a value from what follows: its beginning would be found as well.
func (q *query) isGluedAfter(i int) bool {
	sk := q.collection.sk
	return i+1 < len(sk) && sk[i+1].Glued
}

// hasVariableAfter reports whether a variable follows in the sort key.
func (q *query) hasVariableAfter(i int) bool {
	return len(variablesOf(q.collection.sk[i+1:])) > 0
}

// hasTextAfter reports whether a text that can be an optional argument follows the literal.
func (q *query) hasTextAfter(i int) bool {
	sk := q.collection.sk
	if i+1 >= len(sk) || sk[i+1].Variable == "" {
		return false
	}
	f := q.of.field(sk[i+1].Variable)
	return f != nil && f.typ == "String" && q.hasVariableAfter(i+1)
}

// queryOf returns the query of a collection, with the field that it could be.
func queryOf(m *model, c collection) *query {
	owner, own := ownerOf(m.types, c)
	name := c.of.name
	if literal := literalOf(c.sk); c.index == "" && literal != "" && literal != literalOf(c.of.item().sk) {
		name = sdl.UpperFirst(camel(literal)) // A copy: the other end of an edge.
	}
	r := &read{parent: owner, name: plural(lowerFirst(name)), result: c.of.name, paged: true}
	q := &query{model: m, collection: c, read: r, names: namesOf(c, owner, own), own: own}
	q.build()
	return q
}

// addRead adds a field that reads a collection, under a name that no other one has.
func (t *typ) addRead(c collection, r *read) {
	if t.hasName(r.name) {
		r.name = nameBy(r.name, cmp.Or(c.index, literalOf(c.sk), "key"))
	}
	if !t.hasName(r.name) {
		t.reads = append(t.reads, r)
	}
}

// addRoot adds a field of Query that reads a collection, under a name that no other one has.
func addRoot(m *model, c collection, r *read) {
	by := camel(cmp.Or(c.index, "key"))
	for _, p := range c.pk {
		if p.Variable != "" {
			by = c.of.nameOf(p.Variable)
			break
		}
	}
	base := nameBy(r.name, by)
	for _, name := range [...]string{base, base + "In" + sdl.UpperFirst(camel(c.index))} {
		if !slices.ContainsFunc(m.queries, func(q *read) bool { return q.name == name }) {
			r.name = name
			m.queries = append(m.queries, r)
			return
		}
	}
	m.omit("Query.%s: another field has the name", base)
}

// nameBy returns the name of another field that reads objects, by an index or a value: notesByOwner, also for indexes
// named byOwner and by-owner.
func nameBy(name, by string) string {
	by = sdl.UpperFirst(camel(by))
	if rest := strings.TrimPrefix(by, "By"); rest != "" && rest == sdl.UpperFirst(rest) {
		by = rest
	}
	return name + "By" + by
}
