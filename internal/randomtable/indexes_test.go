package randomtable

import (
	"fmt"
	"slices"
)

// addIndex adds an index and entries of types.
func (g *generator) addIndex() {
	n := len(g.indexes) + 1
	x := &index{name: pick(g, []string{fmt.Sprint("GSI", n), fmt.Sprintf("by-x.%d", n), fmt.Sprintf("idx_%d", n)})}
	x.pk, x.sk, x.own = fmt.Sprintf("g%dpk", n), fmt.Sprintf("g%d.sk", n), true
	x.projection = pick(g, []string{"", "", "KEYS_ONLY", "INCLUDE", "ALL"})
	g.indexes = append(g.indexes, x)
	for range 1 + g.IntN(2) {
		t := pick(g, g.types)
		if slices.ContainsFunc(t.entries, func(s *shape) bool { return s.index == x }) {
			continue
		}
		if !slices.ContainsFunc(g.types, func(t *typ) bool {
			return slices.ContainsFunc(t.entries, func(s *shape) bool { return s.index == x })
		}) {
			switch g.IntN(4) {
			case 0:
				if g.ordinary(x, t) {
					return
				}
			case 1:
				isTaken := slices.ContainsFunc(g.indexes, func(x *index) bool { return x.pk == g.sk })
				if g.sk != "" && !isTaken && t.items[0].shards == 0 {
					x.pk, x.sk, x.own = g.sk, g.pk, false
					s := &shape{typ: t, index: x, pk: t.items[0].sk, sk: t.items[0].pk}
					t.entries = append(t.entries, s)
					return
				}
			case 2:
				if g.layout != [2]keyKind{} && g.local(x, t) {
					return
				}
			}
		}
		s := &shape{typ: t, index: x, pk: template{{literal: g.literal()}}}
		for range 1 + g.IntN(2) {
			s.pk = append(s.pk, g.variable(g.someField(t)))
		}
		hasTexts := !slices.ContainsFunc(t.identity(), func(f *field) bool { return !f.kind.isText() })
		if g.chance(30) && hasTexts {
			s.shards = 1 + g.IntN(4)
		}
		switch {
		case g.chance(10) && s.shards <= 1:
			x.sk = ""
		default:
			if x.sk == "" {
				continue
			}
			for range g.IntN(3) {
				s.sk = append(s.sk, g.variable(g.someField(t)))
			}
			if s.shards == 0 {
				if g.chance(50) {
					g.end(s)
				}
				g.glue(s.pk)
				g.glue(s.sk)
			}
			switch {
			case !hasTexts && len(s.sk) == 0:
				s.sk = append(s.sk, g.variable(g.someField(t)))
			case hasTexts && (len(s.sk) == 0 || s.shards > 1 || g.chance(60)):
				for _, f := range t.identity() {
					s.sk = append(s.sk, part{field: f})
				}
			}
		}
		t.entries = append(t.entries, s)
	}
}

// end lets the sort key of an entry end where a value is unset.
func (g *generator) end(s *shape) {
	if len(s.sk) == 0 || g.chance(50) {
		f := g.keyField(s.typ)
		f.nullable = true
		s.sk = append(s.sk, g.variable(f))
	}
	s.sk[0].literal = g.literal() + pick(g, []string{"_", "v"})
	for i := range s.sk {
		if f := s.sk[i].field; f.nullable {
			s.sk[i].mayEnd = true
		}
	}
}

// someField returns a field of the type, or a new one that can be null.
func (g *generator) someField(t *typ) *field {
	texts := slices.DeleteFunc(slices.Clone(t.fields), func(f *field) bool { return !f.kind.isText() })
	if g.chance(60) && len(texts) > 0 {
		return pick(g, texts)
	}
	f := g.keyField(t)
	f.nullable = g.chance(40)
	return f
}

// ordinary makes an index one that is keyed by attributes of a type.
func (g *generator) ordinary(x *index, t *typ) bool {
	var can []*field
	for _, f := range t.fields {
		if f.kind.gql != "Boolean" && !(f.of != nil) && f.name != "id" {
			can = append(can, f)
		}
	}
	if len(can) < 2 {
		return false
	}
	pk := pick(g, can)
	sk := pick(g, can)
	if sk.kind.as == "NUMBER_TEXT" {
		sk = pk
	}
	rename := func(f *field, prefix string) {
		if !slices.ContainsFunc(g.indexes, func(x *index) bool { return x.pk == f.attr || x.sk == f.attr }) &&
			!g.isPinned(f) {
			f.attr = prefix + f.attr + "_" + t.name
		}
	}
	rename(pk, "")
	s := &shape{typ: t, index: x, pk: template{{field: pk, raw: true}}}
	x.pk, x.own = pk.attr, false
	x.sk = ""
	if sk != pk && g.chance(70) {
		rename(sk, "s")
		x.sk = sk.attr
		s.sk = template{{field: sk, raw: true}}
	}
	t.entries = append(t.entries, s)
	return true
}
