package randomtable

import (
	"fmt"
	"slices"
	"strings"

	"github.com/partita/partita/internal/executors"
)

// expiryAttribute is the attribute with the expiry of items.
const expiryAttribute = "ttl.at"

// generator draws a table.
type generator struct {
	executors.Random
	*tableModel
	literals int
}

func (g *generator) chance(percent int) bool { return g.IntN(100) >= 100-percent }

func pick[T any](g *generator, all []T) T { return all[g.IntN(len(all))] }

// generate draws a table with its schema and objects.
func generate(random executors.Random) *tableModel {
	g := &generator{random, &tableModel{}, 0}
	names := pick(g, [][2]string{
		{"PK", "SK"}, {"pk", "sk"}, {"hash_key", "range-key"}, {"p.k", "s:k"}, {"Id", "Range"},
	})
	g.pk, g.sk = names[0], names[1]
	g.typeAttribute = pick(g, []string{"entityType", "_et", "", "kind#1"})
	g.delimiter = pick(g, []string{"#", "|", "/", ":", "::", "#"})
	root := g.root()
	kinds := []func(*typ) *typ{g.below, g.below, g.apart, g.bucketed, g.sharded, g.deeper}
	for range 1 + g.IntN(3) {
		g.types = append(g.types, pick(g, kinds)(root))
	}
	return g.finish(root)
}

// finish draws everything of a table but the keys of its types.
func (g *generator) finish(root *typ) *tableModel {
	if g.chance(15) {
		pick(g, g.types).expires = true
	}
	g.constants()
	for range g.IntN(4) {
		g.addIndex()
	}
	for _, t := range g.types {
		g.copies(t)
	}
	for _, t := range g.types {
		g.attributes(t)
	}
	g.patternsOfAll(root)
	for _, t := range g.types {
		g.objectsOf(t, root)
	}
	return g.tableModel
}

// literal returns a literal for keys. Some begin as others do.
func (g *generator) literal() string {
	all := []string{
		"A", "B", "AB", "b", "C-", "BX", "CC", "D", "DA", "d", "E", "EE", "F", "FA", "G", "GA", "H", "HA", "I",
	}
	g.literals++
	if g.literals > len(all) {
		return fmt.Sprint("L", g.literals)
	}
	return all[g.literals-1]
}

// behind returns the parts of a literal and of a variable behind it, as two parts or as one.
func (g *generator) behind(literal string, f *field) template {
	v := g.variable(f)
	if g.chance(20) {
		v.literal = literal + pick(g, []string{"-", "v", "="})
		return template{v}
	}
	return template{{literal: literal}, v}
}

// variable returns the part of a variable. Some texts are in another case.
func (g *generator) variable(f *field) part {
	p := part{field: f}
	if (f.kind.gql == "String" || f.kind.gql == "ID" || f.kind.gql == "Mode") && g.chance(15) {
		p.inCase = pick(g, []string{"lower", "upper"})
	}
	return p
}

// newType returns a type without keys.
func (g *generator) newType(isNode bool) *typ {
	names := []string{"Alpha", "Beta", "Gamma", "Delta", "Epsilon"}
	t := &typ{name: names[len(g.types)], isNode: isNode}
	t.value = t.name
	if g.chance(40) {
		t.value = pick(g, []string{strings.ToLower(t.name), t.name[:1], t.name + "#1"})
	}
	t.softDelete = g.chance(15)
	t.mutable = isNode && g.chance(30)
	return t
}

// add adds a field in keys to a type.
func (g *generator) add(t *typ, name string, k kind) *field {
	f := &field{name: name, attr: name, kind: k}
	if g.chance(20) {
		f.attr = pick(g, []string{"a_" + name, name + ".x", strings.ToUpper(name)})
	}
	t.fields = append(t.fields, f)
	return f
}

// keyField adds a field of a random kind that can be in keys.
func (g *generator) keyField(t *typ) *field {
	return g.add(t, fmt.Sprintf("%s%d", strings.ToLower(t.name[:1]), len(t.fields)), pick(g, keyKinds))
}

func (g *generator) root() *typ {
	t := g.newType(true)
	id := g.add(t, "id", kind{gql: "ID"})
	literal := g.literal()
	s := &shape{typ: t, pk: g.behind(literal, id)}
	switch g.IntN(3) {
	case 0:
		s.sk = s.pk
	case 1:
		s.sk = template{{literal: "META"}}
	default:
		s.sk = template{{literal: "!"}, g.variable(id)}
	}
	t.items = []*shape{s}
	g.types = append(g.types, t)
	return t
}

// reference adds a field with the id of the root.
func (g *generator) reference(t, root *typ) *field {
	k := kind{gql: "ID"}
	if g.layout != [2]keyKind{} {
		k = root.key().kind
	}
	of := root
	if g.chance(6) && k == (kind{gql: "ID"}) {
		k.gql = "String"
	}
	f := g.add(t, "rootId", k)
	f.of = of
	return f
}

// rest returns the variables of a sort key.
func (g *generator) rest(t *typ) template {
	var parts template
	for i := range 1 + g.IntN(3) {
		f := g.keyField(t)
		if i > 0 && g.chance(20) {
			parts = append(parts, part{literal: pick(g, []string{"X", "Y1"})})
		}
		parts = append(parts, g.variable(f))
	}
	g.glue(parts)
	return parts
}

// glue puts some parts directly behind the value before them.
func (g *generator) glue(t template) {
	for i := 1; i < len(t); i++ {
		if t[i-1].field == nil || t[i-1].mayEnd || !g.chance(20) {
			continue
		}
		if f := t[i].field; f != nil && f.kind.gql == "Time" && g.delimiter == ":" {
			continue // The delimiter is in the time, whose beginning is not known.
		}
		t[i].glued = true
		if t[i].literal == "" {
			t[i].literal = pick(g, []string{"", "-", "_", "x"})
		}
	}
}

// below is a type in the partition of the root.
func (g *generator) below(root *typ) *typ {
	t := g.newType(g.chance(80))
	ref := g.reference(t, root)
	rest := g.rest(t)
	s := &shape{typ: t, pk: g.withField(root.items[0].pk, ref)}
	s.sk = append(g.behind(g.literal(), rest[0].field), rest[1:]...)
	t.items = []*shape{s}
	return t
}

// withField returns a template with another field in place of the root's id.
func (g *generator) withField(t template, f *field) template {
	all := slices.Clone(t)
	for i := range all {
		if all[i].field != nil {
			all[i].field = f
		}
	}
	return all
}

// deeper is a type whose sort keys begin as those of another one in the partition.
func (g *generator) deeper(root *typ) *typ {
	var above *typ
	for _, t := range g.types[1:] {
		pk := t.items[0].pk
		if pk[len(pk)-1].bucket == "" && t.items[0].shards == 0 && len(pk) == len(root.items[0].pk) &&
			t.field("rootId") != nil && pk.fields()[0].name == "rootId" {
			above = t
		}
	}
	if above == nil {
		return g.below(root)
	}
	t := g.newType(g.chance(80))
	same := map[*field]*field{}
	s := &shape{typ: t}
	copyOf := func(parts template) template {
		all := slices.Clone(parts)
		for i, p := range all {
			if p.field == nil {
				continue
			}
			if same[p.field] == nil {
				f := g.add(t, p.field.name, p.field.kind)
				f.of = p.field.of
				same[p.field] = f
			}
			all[i].field = same[p.field]
		}
		return all
	}
	s.pk, s.sk = copyOf(above.items[0].pk), copyOf(above.items[0].sk)
	s.sk = append(s.sk, g.behind(g.literal(), g.keyField(t))...)
	t.items = []*shape{s}
	return t
}

// apart is a type in partitions of its own.
func (g *generator) apart(root *typ) *typ {
	t := g.newType(g.chance(80))
	g.reference(t, root)
	literal := g.literal()
	s := &shape{typ: t, pk: g.behind(literal, g.keyField(t))}
	switch g.IntN(3) {
	case 0:
		s.sk = s.pk
	case 1:
		s.sk = template{{literal: "META"}}
	default:
		s.sk = g.rest(t)
	}
	t.items = []*shape{s}
	return t
}

// bucketed is a type in partitions of time.
func (g *generator) bucketed(root *typ) *typ {
	t := g.newType(g.chance(80))
	ref := g.reference(t, root)
	var kinds []kind
	for _, k := range keyKinds {
		if k.gql == "Time" {
			kinds = append(kinds, k)
		}
	}
	at := g.add(t, "at", pick(g, kinds))
	buckets := []string{"month", "year", "day", "hour"}
	if at.kind.as == "DATE" {
		buckets = buckets[:3]
	}
	s := &shape{typ: t, pk: append(g.behind(g.literal(), ref), part{field: at, bucket: pick(g, buckets)})}
	if g.chance(50) {
		s.sk = append(s.sk, part{literal: "R"})
	}
	s.sk = append(append(s.sk, part{field: at}), g.variable(g.keyField(t)))
	t.items = []*shape{s}
	return t
}

// sharded is a type whose items are spread over shards.
func (g *generator) sharded(root *typ) *typ {
	t := g.newType(g.chance(80))
	ref := g.reference(t, root)
	s := &shape{typ: t, pk: g.behind(g.literal(), ref), sk: g.rest(t), shards: 2 + g.IntN(3)}
	t.items = []*shape{s}
	return t
}

// constants adds constants to types. Some distinguish two types with the same value of the type attribute.
func (g *generator) constants() {
	all := []constant{
		{"__edb_v__", `"1"`, stringAttribute("1")},
		{"v.1", "7", numberAttribute("7")},
		{"is current", "true", map[string]any{"BOOL": true}},
		{"ratio", "-0.5", numberAttribute("-0.5")},
	}
	for _, t := range g.types {
		if g.chance(25) {
			first := g.IntN(len(all))
			t.constants = all[first:min(len(all), first+1+g.IntN(2))]
		}
	}
	if g.chance(20) && !g.hasSharedKeys() {
		i, j := g.IntN(len(g.types)), g.IntN(len(g.types)-1)
		if j >= i {
			j++
		}
		for n, t := range []*typ{g.types[i], g.types[j]} {
			t.value = "shared"
			t.constants = []constant{{"model", fmt.Sprint(n), numberAttribute(fmt.Sprint(n))}}
		}
	}
}

// copies adds copies to a type.
func (g *generator) copies(t *typ) {
	if g.chance(70) || t.items[0].shards > 0 {
		return
	}
	s := &shape{typ: t, stored: 1}
	switch {
	case g.layout != [2]keyKind{}:
		if s = g.keyCopy(t); s == nil {
			return
		}
	case g.chance(50) && !t.expires && slices.ContainsFunc(t.items[0].sk.fields(), func(f *field) bool {
		return !slices.ContainsFunc(t.items[0].pk, func(p part) bool { return p.field == f && p.bucket == "" })
	}):
		f := g.add(t, "rank", pick(g, []kind{{gql: "Time"}, {gql: "Int", number: true}, {gql: "Date"},
			{gql: "Time", as: "EPOCH_SECONDS", number: true}}))
		g.literal()
		s.pk = slices.Clone(t.items[0].pk)
		if g.chance(70) {
			s.pk[0].literal = "L" + s.pk[0].literal
		}
		s.sk, s.latest = template{{literal: "LATEST-" + t.name}}, f
	default:
		s.pk = template{{literal: g.literal()}, g.variable(g.someField(t))}
		for _, p := range s.pk {
			if p.field != nil {
				p.field.nullable = false
			}
		}
		if g.chance(40) {
			s.sk = append(s.sk, g.variable(g.keyField(t)))
		}
		for _, f := range t.identity() {
			s.sk = append(s.sk, part{field: f})
		}
		g.glue(s.pk)
		g.glue(s.sk)
	}
	t.items = append(t.items, s)
}

// attributes adds fields that are in no key, and decides which values are only in keys.
func (g *generator) attributes(t *typ) {
	for range g.IntN(3) {
		k := pick(g, otherKinds)
		t.fields = append(t.fields, &field{
			name: fmt.Sprint("f", len(t.fields)), attr: fmt.Sprint("f", len(t.fields)), kind: k, nullable: g.chance(50),
		})
	}
	latest := slices.ContainsFunc(t.items, func(s *shape) bool { return s.latest != nil })
	for _, f := range t.identity() {
		full := !slices.ContainsFunc(t.items, func(s *shape) bool { return !s.shows(f) })
		ordinary := slices.ContainsFunc(g.indexes, func(x *index) bool { return x.pk == f.attr || x.sk == f.attr })
		f.onlyInKeys = full && !latest && !ordinary && !g.isPinned(f) && g.chance(25)
		f.noAttribute = f.onlyInKeys && g.chance(50)
	}
	for _, x := range g.indexes {
		if x.projection == "INCLUDE" && len(x.include) < 3 {
			for _, s := range t.entries {
				if f := pick(g, t.fields); s.index == x && !f.noAttribute && f.attr != x.pk && f.attr != x.sk &&
					!g.isPinned(f) &&
					!slices.Contains(x.include, f.attr) {
					x.include = append(x.include, f.attr)
				}
				if s.index == x && len(t.constants) > 0 && !slices.Contains(x.include, t.constants[0].name) &&
					g.chance(50) {
					x.include = append(x.include, t.constants[0].name)
				}
			}
		}
	}
}
