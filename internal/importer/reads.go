package importer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/partita/partita/keys"
)

// read is a field with @get or @query.
type read struct {
	element
	// parent is nil for a field of Query.
	parent    *typ
	name      string
	arguments []argument
	// result is the name of the type that the field returns, and paged is set for a connection of it.
	result string
	paged  bool
	// directive is @get or @query as text.
	directive string
	// plain is the same field with fewer arguments, if this one can be rejected for what they select; nil for none.
	plain *read
}

type argument struct{ name, typ string }

// union is the types that a partition has together.
type union struct {
	element
	name  string
	types []string
}

// collection is the items of one type in a partition of the table or of an index.
type collection struct {
	of     *typ
	pk, sk template
	index  string
}

// addReads adds fields for what the keys can select: each object by its key, each collection, and the objects that an
// object refers to.
func (m *model) addReads() {
	for _, t := range m.types {
		m.refer(t)
	}
	for _, t := range m.types {
		m.addGet(t)
	}
	var partitions [][]collection
	for _, c := range m.collections() {
		i := slices.IndexFunc(partitions, func(p []collection) bool {
			return c.index == p[0].index && samePattern(c.pk, p[0].pk)
		})
		if i < 0 {
			partitions = append(partitions, []collection{c})
			continue
		}
		partitions[i] = append(partitions[i], c)
	}
	for _, p := range partitions {
		if p[0].index == "" && !m.HasSortKey() {
			continue // A partition has one item.
		}
		isOther := func(c collection) bool { return c.of != p[0].of }
		isShared := p[0].index == "" && len(p) > 1 || slices.ContainsFunc(p, isOther)
		for _, c := range p {
			switch alike := m.alike(p, c); {
			case len(alike) == 1:
				m.addQuery(c, isShared)
			case alike[0].of == c.of && len(alike) < len(p):
				m.addAlike(alike)
			}
		}
		m.addUnions(p)
	}
}

// collections returns where items are stored, by type.
func (m *model) collections() []collection {
	var all []collection
	for _, t := range m.types {
		for _, s := range t.stored {
			all = append(all, collection{of: t, pk: s.pk, sk: s.sk})
		}
	}
	for _, t := range m.types {
		for _, s := range t.stored {
			for _, ix := range s.indexes {
				all = append(all, collection{t, required(ix.pk), required(ix.sk), ix.name})
			}
		}
	}
	return all
}

// required returns a template that has all values of its variables.
func required(t template) template {
	t = slices.Clone(t)
	for i := range t {
		t[i].Optional = false
	}
	return t
}

// ownerOf returns the type whose objects are identified by the partition key of a collection, and which parts of the
// collection's sort key are its own, too: in DEPT#{dept}#USER#{user} those of a department. A time bucket at the end of
// the partition key is no part of an owner.
func (m *model) ownerOf(c collection) (owner *typ, own int) {
	pk := c.pk
	if last := len(pk) - 1; last > 0 && pk[last].Variable != "" && pk[last].Bucket != 0 {
		pk = pk[:last]
	}
	own = -1
	for _, t := range m.types {
		item := t.item()
		n := len(item.sk)
		switch {
		case !samePattern(item.pk, pk) || !hasLiteral(pk) && !sameParts(item.pk, pk) || m.isAmbiguous(t):
		case isAlone(t) && own < 0 && m.haveSameTypes(c.of, pk, t):
			owner, own = t, 0
		case t != c.of && c.index == "" && !isAlone(t) && n < len(c.sk) && n > own && samePattern(item.sk, c.sk[:n]):
			owner, own = t, n
		}
	}
	return owner, max(own, 0)
}

// haveSameTypes reports whether the values in a partition key of a type have the types of those of the owner.
func (m *model) haveSameTypes(of *typ, pk template, owner *typ) bool {
	for i, p := range pk {
		if p.Variable == "" {
			continue
		}
		f, g := of.field(p.Variable), owner.field(owner.item().pk[i].Variable)
		if f == nil || g == nil || f.typ != g.typ {
			return false
		}
	}
	return true
}

// isAmbiguous reports whether an object of another type can have the key of one of the type.
func (m *model) isAmbiguous(t *typ) bool {
	return slices.ContainsFunc(m.types, func(other *typ) bool {
		return other != t && samePattern(other.item().pk, t.item().pk) && samePattern(other.item().sk, t.item().sk)
	})
}

// isAlone reports whether the partition key of a type identifies its objects.
func isAlone(t *typ) bool {
	return len(t.item().identity()) > 0 && !slices.ContainsFunc(t.item().sk, func(p keys.Segment) bool {
		return p.Variable != "" && !slices.ContainsFunc(t.item().pk, func(q keys.Segment) bool {
			return q.Variable != "" && q.Variable == p.Variable
		})
	})
}

// addGet adds the field of Query that reads an object by its key.
func (m *model) addGet(t *typ) {
	r := &read{name: lowerFirst(t.name), result: t.name}
	for _, name := range t.item().identity() {
		f := t.field(name)
		r.arguments = append(r.arguments, argument{f.name, f.text() + "!"})
	}
	r.directive = "@get(" + m.key(t.item().pk, t.item().sk, t.nameOf) + ")"
	m.queries = append(m.queries, r)
}

// nameOf returns the name of the field of a variable.
func (t *typ) nameOf(variable string) string {
	if f := t.field(variable); f != nil {
		return f.name
	}
	label, isHidden := labelOf(variable)
	if !isHidden {
		return ""
	}
	return label
}

// addQuery adds the field that reads a collection: to the type that owns it, or else to Query. isShared is set if the
// partition has other items.
func (m *model) addQuery(c collection, isShared bool) {
	owner, _ := m.ownerOf(c)
	if isOne(c) && (owner != nil || c.index == "") {
		m.addOne(c, owner)
		return
	}
	q := m.queryOf(c)
	if q.sk == "" && isShared {
		return // The partition has other items, too: see addUnion.
	}
	if owner == nil {
		m.addRoot(c, q.read)
		return
	}
	owner.addRead(c, q.read)
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

// namesOf returns the names that the owner of a collection has for the variables of the partition key, and for those of
// its own parts of the sort key.
func namesOf(c collection, owner *typ, own int) map[string]string {
	names := map[string]string{}
	if owner == nil {
		return names
	}
	theirs := slices.Concat(owner.item().pk, owner.item().sk[:own])
	for i, p := range slices.Concat(c.pk[:len(owner.item().pk)], c.sk[:own]) {
		if p.Variable != "" {
			names[p.Variable] = owner.nameOf(theirs[i].Variable)
		}
	}
	return names
}

// alike returns the collections of a partition that are selected by the same sort keys as c, which is one of them: of
// several types, that are read together.
func (m *model) alike(p []collection, c collection) []collection {
	own := m.queryOf(c)
	return slices.DeleteFunc(slices.Clone(p), func(other collection) bool {
		q := m.queryOf(other)
		isSame := samePattern(q.parts, own.parts) && q.own == own.own && !isOne(c) && !isOne(other)
		return !isSame && (other.of != c.of || !samePattern(other.sk, c.sk))
	})
}

// queryOf returns the query of a collection, with the field that it could be.
func (m *model) queryOf(c collection) *query {
	owner, own := m.ownerOf(c)
	name := c.of.name
	if literal := literalOf(c.sk); c.index == "" && literal != "" && literal != literalOf(c.of.item().sk) {
		name = upperFirst(camel(literal)) // A copy: the other end of an edge.
	}
	r := &read{parent: owner, name: plural(lowerFirst(name)), result: c.of.name, paged: true}
	q := &query{model: m, collection: c, read: r, names: namesOf(c, owner, own), own: own}
	q.build()
	return q
}

// isOne reports whether a collection has at most one item: its sort key has no value that its partition key lacks.
func isOne(c collection) bool {
	return !slices.ContainsFunc(c.sk, func(p keys.Segment) bool {
		return p.Variable != "" && !slices.ContainsFunc(c.pk, func(q keys.Segment) bool {
			return q.Variable != "" && q.Variable == p.Variable && q.Bucket == 0
		})
	})
}

// addOne adds to the owner of a partition another object in it.
func (m *model) addOne(c collection, owner *typ) {
	if owner == nil || owner == c.of || c.index != "" || len(c.pk) != len(owner.item().pk) {
		return
	}
	names := map[string]string{}
	for i, p := range c.pk {
		if p.Variable != "" {
			names[p.Variable] = owner.nameOf(owner.item().pk[i].Variable)
		}
	}
	name := lowerFirst(c.of.name)
	if len(c.of.item().identity()) > len(names) {
		name = camel(literalOf(c.sk)) + c.of.name
	}
	if owner.hasName(name) {
		return
	}
	as := func(variable string) string { return names[variable] }
	owner.reads = append(owner.reads, &read{
		parent: owner, name: name, result: c.of.name,
		directive: "@get(" + m.key(c.pk, c.sk, as) + ")",
	})
}

// addRoot adds a field of Query that reads a collection, under a name that no other one has.
func (m *model) addRoot(c collection, r *read) {
	by := camel(cmp.Or(c.index, "key"))
	for _, p := range c.pk {
		if p.Variable != "" {
			by = c.of.nameOf(p.Variable)
			break
		}
	}
	base := nameBy(r.name, by)
	for _, name := range [...]string{base, base + "In" + upperFirst(camel(c.index))} {
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
	by = upperFirst(camel(by))
	if rest := strings.TrimPrefix(by, "By"); rest != "" && rest == upperFirst(rest) {
		by = rest
	}
	return name + "By" + by
}
