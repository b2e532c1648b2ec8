package importer

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
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
	pk, sk []part
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
		isOther := func(c collection) bool { return c.of != p[0].of }
		isShared := p[0].index == "" && len(p) > 1 || slices.ContainsFunc(p, isOther)
		for _, c := range p {
			m.addQuery(c, isShared)
		}
		m.addUnion(p)
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
				all = append(all, collection{t, ix.pk, ix.sk, ix.name})
			}
		}
	}
	return all
}

// samePattern reports whether two templates make equal keys from equal values.
func samePattern(a, b []part) bool {
	return slices.EqualFunc(a, b, func(x, y part) bool {
		return x.literal == y.literal && (x.variable == nil) == (y.variable == nil) &&
			(x.variable == nil || x.variable.width == y.variable.width && x.variable.bucket == y.variable.bucket)
	})
}

// ownerOf returns the type whose objects are identified by the partition key of a collection, and which parts of the
// collection's sort key are its own, too: in DEPT#{dept}#USER#{user} those of a department. A time bucket at the end of
// the partition key is no part of an owner.
func (m *model) ownerOf(c collection) (owner *typ, own int) {
	pk := c.pk
	if last := len(pk) - 1; last > 0 && pk[last].variable != nil && pk[last].variable.bucket != "" {
		pk = pk[:last]
	}
	own = -1
	for _, t := range m.types {
		item := t.item()
		n := len(item.sk)
		switch {
		case !samePattern(item.pk, pk) || !hasLiteral(pk) && !sameParts(item.pk, pk):
		case isAlone(t) && own < 0 && m.haveSameTypes(c.of, pk, t):
			owner, own = t, 0
		case t != c.of && c.index == "" && !isAlone(t) && n < len(c.sk) && n > own && samePattern(item.sk, c.sk[:n]):
			owner, own = t, n
		}
	}
	return owner, max(own, 0)
}

// haveSameTypes reports whether the values in a partition key of a type have the types of those of the owner.
func (m *model) haveSameTypes(of *typ, pk []part, owner *typ) bool {
	for i, p := range pk {
		if p.variable == nil {
			continue
		}
		f, g := of.field(p.variable.name()), owner.field(owner.item().pk[i].variable.name())
		if f == nil || g == nil || f.typ != g.typ {
			return false
		}
	}
	return true
}

func hasLiteral(parts []part) bool {
	return slices.ContainsFunc(parts, func(p part) bool { return p.literal != "" })
}

// isAlone reports whether the partition key of a type identifies its objects.
func isAlone(t *typ) bool {
	return len(t.item().identity()) > 0 && !slices.ContainsFunc(t.item().sk, func(p part) bool {
		return p.variable != nil && !slices.ContainsFunc(t.item().pk, func(q part) bool {
			return q.variable != nil && q.variable.name() == p.variable.name()
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
	r.directive = "@get(pk: " + m.quoted(t.item().pk, t.nameOf) + ", sk: " + m.quoted(t.item().sk, t.nameOf) + ")"
	m.queries = append(m.queries, r)
}

// nameOf returns the name of the field of a variable.
func (t *typ) nameOf(v *variable) string {
	if f := t.field(v.name()); f != nil {
		return f.name
	}
	return v.label
}

// addQuery adds the field that reads a collection: to the type that owns it, or else to Query. isShared is set if the
// partition has other items.
func (m *model) addQuery(c collection, isShared bool) {
	owner, own := m.ownerOf(c)
	if isOne(c) {
		m.addOne(c, owner)
		return
	}
	name := c.of.name
	if literal := literalOf(c.sk); c.index == "" && literal != "" && literal != literalOf(c.of.item().sk) {
		name = upperFirst(camel(literal)) // A copy: the other end of an edge.
	}
	r := &read{parent: owner, name: plural(lowerFirst(name)), result: c.of.name, paged: true}
	names := map[string]string{}
	if owner != nil {
		for i, p := range slices.Concat(owner.item().pk, owner.item().sk[:own]) {
			mine := c.sk
			if i < len(owner.item().pk) {
				mine = c.pk
			} else {
				i -= len(owner.item().pk)
			}
			if p.variable != nil {
				names[mine[i].variable.name()] = owner.nameOf(p.variable)
			}
		}
	}
	q := &query{model: m, collection: c, read: r, names: names, own: own}
	q.build()
	if q.sk == "" && isShared {
		return // The partition has other items, too: see addUnion.
	}
	if owner == nil {
		m.addRoot(c, r)
		return
	}
	if owner.hasName(r.name) {
		r.name = nameBy(r.name, cmp.Or(c.index, literalOf(c.sk), "key"))
	}
	if !owner.hasName(r.name) {
		owner.reads = append(owner.reads, r)
	}
}

// isOne reports whether a collection has at most one item: its sort key has no value that its partition key lacks.
func isOne(c collection) bool {
	return !slices.ContainsFunc(c.sk, func(p part) bool {
		return p.variable != nil && !slices.ContainsFunc(c.pk, func(q part) bool {
			return q.variable != nil && q.variable.name() == p.variable.name() && q.variable.bucket == ""
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
		if p.variable != nil {
			names[p.variable.name()] = owner.nameOf(owner.item().pk[i].variable)
		}
	}
	name := lowerFirst(c.of.name)
	if len(c.of.item().identity()) > len(names) {
		name = camel(literalOf(c.sk)) + c.of.name
	}
	if owner.hasName(name) {
		return
	}
	as := func(v *variable) string { return names[v.name()] }
	owner.reads = append(owner.reads, &read{
		parent: owner, name: name, result: c.of.name,
		directive: "@get(pk: " + m.quoted(c.pk, as) + ", sk: " + m.quoted(c.sk, as) + ")",
	})
}

// addRoot adds a field of Query that reads a collection, under a name that no other one has.
func (m *model) addRoot(c collection, r *read) {
	by := camel(cmp.Or(c.index, "key"))
	for _, p := range c.pk {
		if p.variable != nil {
			by = c.of.nameOf(p.variable)
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

func literalOf(parts []part) string {
	for _, p := range parts {
		if isWord(p.literal) {
			return p.literal
		}
	}
	return ""
}

// addUnion adds a field that reads a whole partition of several types. In an index it is added if the sort keys of one
// type cannot be told from those of the others.
func (m *model) addUnion(p []collection) {
	var names []string
	for _, c := range p {
		if slices.Contains(names, c.of.name) {
			return // An object would appear twice.
		}
		names = append(names, c.of.name)
	}
	c := p[0]
	owner, _ := m.ownerOf(c)
	if len(names) < 2 || owner != nil && len(c.pk) != len(owner.item().pk) ||
		c.index == "" && owner == nil || c.index != "" && !slices.ContainsFunc(p, hasNoPrefix) {
		return
	}
	slices.Sort(names)
	r := &read{parent: owner, name: "contents", paged: true}
	if owner == nil {
		r.result = m.unionOf(upperFirst(camel(c.index))+"Content", names)
		q := &query{model: m, collection: collection{of: c.of, pk: c.pk, index: c.index}, read: r}
		q.build()
		m.addRoot(c, r)
		return
	}
	index := ""
	if c.index != "" {
		r.name = nameBy(r.name, c.index)
		index = "index: " + quote(c.index) + ", "
	}
	if owner.hasName(r.name) {
		return
	}
	r.result = m.unionOf(owner.name+"Content", names)
	r.directive = "@query(" + index + "pk: " + m.quoted(owner.item().pk, owner.nameOf) + ")"
	owner.reads = append(owner.reads, r)
}

// hasNoPrefix reports whether the sort keys of a collection begin with no literal.
func hasNoPrefix(c collection) bool {
	return len(c.sk) == 0 || c.sk[0].literal == "" && c.sk[0].variable != nil
}

// unionOf returns the name of the union of some types: that of the one that there is, or a new one.
func (m *model) unionOf(name string, types []string) string {
	for _, u := range m.unions {
		if slices.Equal(u.types, types) {
			return u.name
		}
	}
	isTaken := func(name string) bool {
		return slices.ContainsFunc(m.types, func(t *typ) bool { return t.name == name }) ||
			slices.ContainsFunc(m.unions, func(u *union) bool { return u.name == name })
	}
	for i := 2; isTaken(name); i++ {
		name = strings.TrimRight(name, "0123456789") + strconv.Itoa(i)
	}
	m.unions = append(m.unions, &union{name: name, types: types})
	return name
}
