package importer

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/partita/partita/internal/gen/directives/sdl"
)

// addUnions adds fields that read several types of a partition together: all of them, and those whose sort keys begin
// with the same literal. The latter are the collections of ElectroDB.
func addUnions(m *model, p []collection) {
	byLiteral := groupBy(p, func(c collection) string {
		if len(c.sk) > 1 && c.sk[0].Variable == "" {
			return c.sk[0].Literal
		}
		return ""
	})
	delete(byLiteral, "")
	isWhole := false
	for _, literal := range slices.Sorted(maps.Keys(byLiteral)) {
		if isAll := len(byLiteral[literal]) == len(p); !isAll || strings.HasPrefix(literal, "$") {
			addUnion(m, byLiteral[literal], literal)
			isWhole = isWhole || isAll
		}
	}
	if !isWhole {
		addUnion(m, p, "")
	}
}

// addUnion adds a field that reads several types of a partition, those whose sort keys begin with the literal.
func addUnion(m *model, p []collection, literal string) {
	var names []string
	for _, c := range p {
		if slices.Contains(names, c.of.name) {
			return // An object would appear twice.
		}
		names = append(names, c.of.name)
	}
	c := p[0]
	owner, own := ownerOf(m.types, c)
	if own > 0 {
		owner = nil // It owns a part of the partition.
	}
	if len(names) < 2 || owner != nil && len(c.pk) != len(owner.item().pk) {
		return
	}
	slices.Sort(names)
	name := camel(literal)
	if !strings.HasPrefix(literal, "$") { // The name of a collection of ElectroDB.
		name = plural(name)
	}
	r := &read{parent: owner, name: cmp.Or(name, "contents"), paged: true}
	q := &query{model: m, collection: collection{of: c.of, pk: c.pk, index: c.index}, read: r, isUnion: true}
	if literal != "" {
		q.sk = literal + m.Delimiter
	} else {
		q.collection.sk = commonParts(p)
	}
	if owner == nil {
		of := sdl.UpperFirst(camel(cmp.Or(literal, c.index, literalOf(c.pk), "table")))
		r.result = unionOf(m, of+"Content", names)
		q.buildUnion()
		addRoot(m, c, r)
		return
	}
	if c.index != "" && literal == "" || owner.hasName(r.name) {
		r.name = nameBy(r.name, cmp.Or(c.index, "key"))
	}
	if owner.hasName(r.name) {
		return
	}
	r.result = unionOf(m, owner.name+sdl.UpperFirst(camel(literal))+"Content", names)
	q.names = namesOf(c, owner, 0)
	q.buildUnion()
	owner.reads = append(owner.reads, r)
}

// addAlike adds a field that reads several types that are selected by the same sort keys: callsAndDetails.
func addAlike(m *model, alike []collection) {
	q := queryOf(m, alike[0])
	r := q.read
	var names, plurals []string
	for _, c := range alike {
		names, plurals = append(names, c.of.name), append(plurals, plural(c.of.name))
	}
	if slices.Sort(names); len(slices.Compact(slices.Clone(names))) < len(names) {
		return // An object would appear twice.
	}
	r.name, r.result = lowerFirst(strings.Join(plurals, "And")), unionOf(m, strings.Join(names, "Or"), names)
	r.arguments = slices.DeleteFunc(r.arguments, func(a argument) bool {
		return slices.ContainsFunc(alike, func(c collection) bool {
			return !slices.Contains(queryOf(m, c).read.arguments, a)
		})
	})
	if r.parent == nil {
		addRoot(m, alike[0], r)
		return
	}
	r.parent.addRead(alike[0], r)
}

// commonParts returns with what the sort keys of all types of a partition begin: values under the same names.
func commonParts(p []collection) template {
	isSame := func(c collection, i int) bool {
		a, b := p[0].sk[i], c.sk[i]
		if !samePattern(template{a}, template{b}) || a.Variable == "" {
			return form(a) == form(b)
		}
		f, g := p[0].of.field(a.Variable), c.of.field(b.Variable)
		return f != nil && g != nil && f.name == g.name && f.typ == g.typ && f.format == g.format
	}
	n := len(p[0].sk)
	for _, c := range p[1:] {
		n = min(n, len(c.sk))
		for i := range n {
			if !isSame(c, i) {
				n = i
				break
			}
		}
	}
	return p[0].sk[:n]
}

// unionOf returns the name of the union of some types: that of the one that there is, or a new one.
func unionOf(m *model, name string, types []string) string {
	if u := find(m.unions, func(u *union) bool { return slices.Equal(u.types, types) }); u != nil {
		return u.name
	}
	isTaken := func(name string) bool {
		return hasType(m, name) || slices.ContainsFunc(m.unions, func(u *union) bool { return u.name == name })
	}
	for i := 2; isTaken(name); i++ {
		name = strings.TrimRight(name, "0123456789") + strconv.Itoa(i)
	}
	m.unions = append(m.unions, &union{name: name, types: types})
	return name
}
