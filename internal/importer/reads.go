package importer

import (
	"slices"
)

// addReads adds fields for what the keys can select: each object by its key, each collection, and the objects that an
// object refers to. With User under USER#{id}, PROFILE and Order under USER#{userId}, ORDER#{number:04}, those are
//
//	Query.user(id: ID!): User               @get(pk: "USER#{id}", sk: "PROFILE")
//	Query.order(userId: ID!, number: Int!)  @get(pk: "USER#{userId}", sk: "ORDER#{number:04}")
//	User.orders(number: IntRange)           @query(pk: "USER#{id}", sk: "ORDER#")
//	User.contents                           @query(pk: "USER#{id}")
//	Order.user: User                        @get(pk: "USER#{userId}", sk: "PROFILE")
func addReads(m *model) {
	for _, t := range m.types {
		refer(m, t)
	}
	for _, t := range m.types {
		addGet(m, t)
	}
	var partitions [][]collection
	for _, c := range collections(m.types) {
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
			switch alike := alike(m, p, c); {
			case len(alike) == 1:
				addQuery(m, c, isShared)
			case alike[0].of == c.of && len(alike) < len(p):
				addAlike(m, alike)
			}
		}
		addUnions(m, p)
	}
}

// collections returns where items are stored, by type.
func collections(types []*typ) []collection {
	var all []collection
	for _, t := range types {
		for _, s := range t.stored {
			all = append(all, collection{of: t, pk: s.pk, sk: s.sk})
		}
	}
	for _, t := range types {
		for _, s := range t.stored {
			for _, ix := range s.indexes {
				all = append(all, collection{t, required(ix.pk), required(ix.sk), ix.name})
			}
		}
	}
	return all
}

// addGet adds the field of Query that reads an object by its key.
func addGet(m *model, t *typ) {
	r := &read{name: lowerFirst(t.name), result: t.name}
	for _, name := range t.item().identity() {
		f := t.field(name)
		r.arguments = append(r.arguments, argument{f.name, f.text() + "!"})
	}
	r.directive = "@get(" + m.key(t.item().pk, t.item().sk, t.nameOf) + ")"
	m.queries = append(m.queries, r)
}

// addQuery adds the field that reads a collection: to the type that owns it, or else to Query. isShared is set if the
// partition has other items.
func addQuery(m *model, c collection, isShared bool) {
	owner, _ := ownerOf(m.types, c)
	if isOne(c) && (owner != nil || c.index == "") {
		addOne(m, c, owner)
		return
	}
	q := queryOf(m, c)
	if q.sk == "" && isShared {
		return // The partition has other items, too: see addUnion.
	}
	if owner == nil {
		addRoot(m, c, q.read)
		return
	}
	owner.addRead(c, q.read)
}

// alike returns the collections of a partition that are selected by the same sort keys as c, which is one of them: of
// several types, that are read together.
func alike(m *model, p []collection, c collection) []collection {
	own := queryOf(m, c)
	return slices.DeleteFunc(slices.Clone(p), func(other collection) bool {
		q := queryOf(m, other)
		isSame := samePattern(q.parts, own.parts) && q.own == own.own && !isOne(c) && !isOne(other)
		return !isSame && (other.of != c.of || !samePattern(other.sk, c.sk))
	})
}

// addOne adds to the owner of a partition another object in it.
func addOne(m *model, c collection, owner *typ) {
	if owner == nil || owner == c.of || c.index != "" || len(c.pk) != len(owner.item().pk) {
		return
	}
	names := namesOf(c, owner, 0)
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
