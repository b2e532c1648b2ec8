package randomtable

import (
	"slices"

	"github.com/partita/partita/internal/executors"
)

// keyKind is what an attribute of the primary key has.
type keyKind int

const (
	noKey keyKind = iota
	// textKey is a template with literals.
	textKey
	// rawText is the text of a field, whose attribute the key is.
	rawText
	// numberKey is a Number, the attribute of a field.
	numberKey
)

// layouts are the primary keys that generateKeys draws, the simplest first.
var layouts = [][2]keyKind{
	{textKey, noKey}, {numberKey, noKey}, {rawText, noKey},
	{numberKey, textKey}, {textKey, numberKey}, {numberKey, numberKey}, {rawText, textKey}, {rawText, numberKey},
}

// numberKinds are the kinds of fields that a key can be as a Number, the simplest first. Those with a width can be in
// texts as well.
var numberKinds = []kind{
	{gql: "Int", number: true},
	{gql: "Int64", number: true},
	{gql: "Int", width: 6, number: true},
	{gql: "Float", number: true},
	{gql: "String", as: "NUMBER", number: true},
	{gql: "Time", as: "EPOCH_SECONDS", number: true},
	{gql: "Time", as: "EPOCH_MILLIS", number: true},
	{gql: "Time", as: "EPOCH_SECONDS", width: 12, number: true},
	{gql: "Date", as: "EPOCH_SECONDS", number: true},
	{gql: "ID", as: "NUMBER", number: true},
}

// isText reports whether a template with other parts can have the value: not that of a Number without a width.
func (k kind) isText() bool { return !k.number || k.width > 0 }

// generateKeys draws a table without a sort key, or with Numbers or attributes of types as its keys.
func generateKeys(random executors.Random) *tableModel {
	g := &generator{random, &tableModel{}, 0}
	names := pick(g, [][2]string{{"Id", "Range"}, {"pk", "sk"}, {"hash_key", "range-key"}, {"p.k", "s:k"}})
	g.layout = pick(g, layouts)
	if g.pk = names[0]; g.layout[1] != noKey {
		g.sk = names[1]
	}
	g.typeAttribute = pick(g, []string{"entityType", "_et", "", "kind#1"})
	g.delimiter = pick(g, []string{"#", "|", "/", ":", "::", "#"})
	root := g.newType(true)
	g.types = []*typ{root}
	id := g.rootKey(root)
	s := &shape{typ: root, pk: template{{field: id, raw: true}}}
	if g.layout[0] == textKey {
		s.pk = g.behind(g.literal(), id)
	}
	switch g.layout[1] {
	case textKey:
		s.sk = template{{literal: "META"}}
	case numberKey:
		s.sk = template{{field: g.sortNumber(root, nil), raw: true}}
	}
	root.items = []*shape{s}
	for range 1 + g.IntN(3) {
		t := g.newType(g.chance(80))
		t.items = []*shape{g.keyShape(t, root)}
		g.types = append(g.types, t)
	}
	if g.hasSharedKeys() && g.typeAttribute == "" {
		g.typeAttribute = "entityType"
	}
	return g.finish(root)
}

// rootKey adds the field of the partition key to the root.
func (g *generator) rootKey(root *typ) *field {
	if g.layout[0] == numberKey {
		kinds := numberKinds
		if g.layout[1] == numberKey { // The key has two values, so that none is the id.
			kinds = numberKinds[:len(numberKinds)-1]
		}
		return g.numberField(root, "number", g.pk, kinds)
	}
	name, k := "id", kind{gql: "ID"}
	if g.layout[1] == numberKey || g.layout[1] == noKey && g.chance(40) {
		name, k.gql = "code", "String"
	}
	f := g.add(root, name, k)
	if g.layout[0] == rawText {
		f.attr = g.pk
	}
	return f
}

func (g *generator) numberField(t *typ, name, attr string, kinds []kind) *field {
	f := &field{name: name, attr: attr, kind: pick(g, kinds)}
	if f.kind.gql == "ID" {
		f.name = "id"
	}
	t.fields = append(t.fields, f)
	return f
}

// sortNumber adds the field of a sort key that is a Number, of the kind of another one if that is not nil.
func (g *generator) sortNumber(t *typ, like *field) *field {
	kinds := numberKinds[:len(numberKinds)-1]
	if like != nil {
		kinds = []kind{like.kind}
	}
	return g.numberField(t, "position", g.sk, kinds)
}

// keyShape returns the key of a type.
func (g *generator) keyShape(t, root *typ) *shape {
	first := root.items[0]
	switch {
	case g.layout[1] == noKey:
		return g.aloneShape(t, root)
	case g.layout[1] == textKey:
		rest := append(g.behind(g.literal(), g.keyField(t)), g.rest(t)...)
		return &shape{typ: t, pk: g.withField(first.pk, g.keyReference(t, root)), sk: rest}
	case g.layout[0] == textKey && g.chance(30):
		ref := g.reference(t, root)
		at := g.numberField(t, "at", g.sk, numberKinds[5:8])
		pk := append(g.behind(g.literal(), ref), part{field: at, bucket: pick(g, []string{"month", "year", "day"})})
		return &shape{typ: t, pk: pk, sk: template{{field: at, raw: true}}}
	case g.layout[0] == textKey && g.chance(60):
		ref := g.reference(t, root)
		return &shape{typ: t, pk: g.behind(g.literal(), ref), sk: template{{field: g.sortNumber(t, nil), raw: true}}}
	default:
		ref := g.keyReference(t, root)
		n := g.sortNumber(t, first.sk[0].field)
		return &shape{typ: t, pk: g.withField(first.pk, ref), sk: template{{field: n, raw: true}}}
	}
}

// keyReference adds a field with the key of the root, which is the partition key of the type.
func (g *generator) keyReference(t, root *typ) *field {
	f := &field{name: "rootId", attr: "rootId", kind: root.key().kind, of: root}
	if g.layout[0] != textKey {
		f.attr = g.pk
	}
	t.fields = append(t.fields, f)
	return f
}

// aloneShape returns the key of a type in a table without a sort key.
func (g *generator) aloneShape(t, root *typ) *shape {
	// An id of many types cannot be typed.
	isID := root.key().kind.gql == "ID" && root.items[0].pk[0].raw
	if g.chance(60) && !isID {
		f := &field{name: "rootId", attr: "rootId", kind: root.key().kind, of: root, nullable: g.chance(50)}
		t.fields = append(t.fields, f)
	}
	switch {
	case g.layout[0] == numberKey:
		kinds := []kind{root.key().kind}
		if g.chance(20) {
			kinds = numberKinds
		}
		return &shape{typ: t, pk: template{{field: g.numberField(t, "number", g.pk, kinds), raw: true}}}
	case g.layout[0] == rawText:
		f := g.add(t, root.key().name, root.key().kind)
		f.attr = g.pk
		return &shape{typ: t, pk: template{{field: f, raw: true}}}
	case g.chance(20):
		return &shape{typ: t, pk: g.withField(root.items[0].pk, g.add(t, root.key().name, root.key().kind))}
	}
	s := &shape{typ: t, pk: g.behind(g.literal(), g.keyField(t))}
	for range g.IntN(3) {
		s.pk = append(s.pk, g.variable(g.keyField(t)))
	}
	g.glue(s.pk)
	if g.chance(15) {
		s.shards = 2 + g.IntN(3)
	}
	return s
}

// key returns the first field of the partition key.
func (t *typ) key() *field { return t.items[0].pk.fields()[0] }

// isPinned reports whether the attribute of a field is part of the primary key.
func (m *tableModel) isPinned(f *field) bool { return f.attr == m.pk || f.attr == m.sk }

// sharing returns the types whose items have keys of the same pattern as a shape.
func (m *tableModel) sharing(s *shape) []*typ {
	pattern := func(s *shape) [2]string { return [2]string{m.patternOf(s.pk), m.patternOf(s.sk)} }
	var all []*typ
	for _, t := range m.types {
		if pattern(t.items[0]) == pattern(s) {
			all = append(all, t)
		}
	}
	return all
}

// patternOf returns a template without the names of its variables.
func (m *tableModel) patternOf(t template) string {
	names := map[*field]string{}
	for _, f := range t.fields() {
		names[f] = "*"
	}
	if len(t) == 1 && t[0].raw {
		return "{*}"
	}
	return t.text(m.delimiter, names)
}

func (m *tableModel) hasSharedKeys() bool {
	return slices.ContainsFunc(m.types, func(t *typ) bool { return len(m.sharing(t.items[0])) > 1 })
}

// local makes an index a local one, on an attribute of a type.
func (g *generator) local(x *index, t *typ) bool {
	var can []*field
	for _, f := range t.fields {
		if f.kind.gql != "Boolean" && f.of == nil && f.name != "id" && f.kind.as != "NUMBER_TEXT" && !g.isPinned(f) &&
			!g.isKeyAttribute(f.attr) {
			can = append(can, f)
		}
	}
	if g.sk == "" || t.items[0].shards > 0 {
		return false
	}
	if len(can) == 0 {
		can = []*field{g.keyField(t)}
		if can[0].kind.gql == "Boolean" || can[0].kind.as == "NUMBER_TEXT" {
			can[0].kind = kind{gql: "Float", number: true}
		}
	}
	f := pick(g, can)
	f.attr += "_" + t.name
	x.pk, x.sk, x.own, x.isLocal = g.pk, f.attr, false, true
	t.entries = append(t.entries, &shape{typ: t, index: x, pk: t.items[0].pk, sk: template{{field: f, raw: true}}})
	return true
}

// unionsOfKeys declares fields that return any of the types with keys of one pattern.
func (g *generator) unionsOfKeys() {
	for _, t := range g.types {
		s := t.items[0]
		all := g.sharing(s)
		isOther := func(other *typ) bool { return other.key().kind != t.key().kind }
		if len(all) < 2 || t.key().kind.gql == "ID" && len(s.sk) == 0 || slices.ContainsFunc(all, isOther) {
			continue
		}
		g.patterns = append(g.patterns, &pattern{
			name: "any" + t.name, shape: s, isGet: true, fixed: len(s.sk), optional: -1,
			types: all, union: "Any" + all[0].name, result: "one",
		})
		if len(s.sk) == 0 || all[0] != t {
			continue
		}
		p := &pattern{shape: s, optional: -1, types: all, union: "Any" + all[0].name, name: "allOf" + t.name}
		p.result, p.descending = pick(g, []string{"connection", "list", "one"}), g.chance(40)
		if p.result == "list" && slices.ContainsFunc(all, func(t *typ) bool { return t.mutable }) {
			p.result = "connection"
		}
		if f := s.sk[0].field; f.canRange() && g.chance(60) {
			p.ranged = f
		}
		g.patterns = append(g.patterns, p)
	}
}

// keyCopy returns a copy of a type; nil if its key can have none.
func (g *generator) keyCopy(t *typ) *shape {
	base := t.items[0]
	s := &shape{typ: t, stored: 1, pk: base.pk, sk: base.sk}
	isText := !slices.ContainsFunc(t.identity(), func(f *field) bool { return !f.kind.isText() && !g.isPinned(f) })
	switch {
	case g.layout[0] == textKey && isText:
		f := g.someField(t)
		f.nullable = false
		s.pk = template{{literal: g.literal()}, g.variable(f)}
		for _, f := range t.identity() {
			if f.kind.isText() {
				s.pk = append(s.pk, part{field: f})
			}
		}
	case g.layout[1] == textKey && g.chance(40) && !t.expires && len(base.sk.fields()) > 0:
		s.sk, s.latest = template{{literal: "LATEST-" + t.name}}, g.add(t, "rank", kind{gql: "Int", number: true})
	case g.layout[1] == textKey:
		f := g.someField(t)
		f.nullable = false
		s.sk = template{{literal: g.literal()}, g.variable(f)}
		for _, f := range base.sk.fields() {
			s.sk = append(s.sk, part{field: f})
		}
	default:
		return nil
	}
	return s
}

// hasCopiesBeside reports whether a partition has several items of an object, or the table no sort key.
func (g *generator) hasCopiesBeside() bool {
	return g.layout != [2]keyKind{} && slices.ContainsFunc(g.types, func(t *typ) bool {
		return g.sk == "" || len(t.items) > 1 && g.patternOf(t.items[1].pk) == g.patternOf(t.items[0].pk)
	})
}
