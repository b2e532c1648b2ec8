package randomtable

import (
	"fmt"
	"slices"
	"strings"
)

// patternsOfAll declares fields that read each key and each entry.
func (g *generator) patternsOfAll(root *typ) {
	for i, x := range slices.Backward(g.indexes) {
		used := slices.ContainsFunc(g.types, func(t *typ) bool {
			return slices.ContainsFunc(t.entries, func(s *shape) bool { return s.index == x })
		})
		if !used {
			g.indexes = slices.Delete(g.indexes, i, i+1)
		} else if x.projection == "INCLUDE" && len(x.include) == 0 {
			x.projection = "KEYS_ONLY"
		}
	}
	g.showHidden()
	for _, t := range g.types {
		for i, s := range t.items {
			get := &pattern{shape: s, isGet: true, fixed: len(s.sk), optional: -1, types: []*typ{t}, result: "one"}
			get.name = fmt.Sprintf("get%s%d", t.name, i)
			g.patterns = append(g.patterns, get)
			isRead := len(s.sk) > 0 && (i > 0 || len(g.sharing(s)) == 1)
			if isRead && (t != root || i > 0) {
				g.query(root, s)
			}
			if isRead && g.chance(40) {
				g.query(root, s)
			}
			if f := t.field("rootId"); f != nil && i == 0 && (f.kind.gql == "ID" || g.chance(50)) {
				up := &pattern{on: t, name: "root", shape: root.items[0], isGet: true, optional: -1}
				up.fixed, up.types, up.result = len(root.items[0].sk), []*typ{root}, "one"
				g.patterns = append(g.patterns, up)
			}
		}
		for _, s := range t.entries {
			g.query(root, s)
		}
	}
	if g.layout != [2]keyKind{} {
		g.unionsOfKeys()
	}
	if g.chance(60) && !g.hasCopiesBeside() {
		g.contents(root)
	}
}

// showHidden makes entries have what hides an item.
func (g *generator) showHidden() {
	if !slices.ContainsFunc(g.types, func(t *typ) bool { return t.softDelete || t.expires }) {
		return
	}
	for _, x := range g.indexes {
		switch x.projection {
		case "KEYS_ONLY":
			x.projection = ""
		case "INCLUDE":
			x.include = append(x.include, "deletedAt", expiryAttribute)
		}
	}
}

// query declares a field that reads a collection of a shape.
func (g *generator) query(root *typ, s *shape) {
	p := &pattern{shape: s, optional: -1, types: []*typ{s.typ}, name: fmt.Sprintf("q%d", len(g.patterns))}
	p.result = pick(g, []string{"connection", "connection", "list", "one"})
	p.descending = g.chance(40)
	if p.result == "list" && s.typ.mutable {
		p.result = "connection"
	}
	if s.latest != nil {
		return
	}
	for p.fixed < len(s.sk) && s.sk[p.fixed].literal != "" && s.sk[p.fixed].field == nil {
		p.fixed++
	}
	leading := p.fixed
	for p.fixed < len(s.sk) && g.chance(50) {
		p.fixed++
	}
	for p.fixed < len(s.sk) && (s.sk[p.fixed].field == nil || s.sk[p.fixed].glued && s.sk[p.fixed].literal == "") {
		p.fixed++
	}
	isGlued := slices.ContainsFunc(s.sk[:min(len(s.sk), p.fixed+1)], part.isGlued)
	// Without the arguments between the two, a variable that is there twice cannot be given.
	isTwice := slices.ContainsFunc(s.sk[:p.fixed], func(v part) bool { return s.sk[:p.fixed].count(v.field) > 1 })
	if p.fixed > leading && !isGlued && !isTwice && g.chance(50) {
		p.optional = g.IntN(len(p.prefix().fields()))
	}
	if p.optional < 0 && p.fixed < len(s.sk) {
		next := s.sk[p.fixed]
		p.partial = next.literal != ""
		if next.field.canRange() && g.chance(60) {
			p.ranged = next.field
		}
	}
	last := s.pk[len(s.pk)-1]
	if last.bucket != "" {
		p.ranged = nil
		p.fixed = leading
		p.optional = -1
		p.partial = false
		p.ranged = last.field
		p.required = p.result != "connection" || g.chance(50)
	}
	if p.ranged != nil && (slices.Contains(p.prefix().fields(), p.ranged) ||
		slices.Contains(s.pk.fields(), p.ranged) && last.bucket == "") {
		p.ranged = nil
	}
	if slices.ContainsFunc(s.pk.fields(), func(f *field) bool { return f.of == root }) && g.chance(60) {
		p.on = root
	}
	// An argument before a value of the parent that can be left out is a finding, and one of the partition key cannot
	// be.
	if p.optional >= 0 && slices.ContainsFunc(p.prefix().fields()[p.optional:], func(f *field) bool {
		return p.source(f) != nil || slices.Contains(s.pk.fields(), f)
	}) {
		p.optional = -1
	}
	g.patterns = append(g.patterns, p)
}

func (f *field) canRange() bool {
	switch f.kind.gql {
	case "Time", "Date", "Int", "Int64", "Float", "String":
		return f.kind.as != "NUMBER"
	}
	return false
}

// contents declares a field that returns all types in the partition of the root.
func (g *generator) contents(root *typ) {
	text := func(s *shape) string {
		return strings.ReplaceAll(s.pk.text(g.delimiter, nil), "rootId", root.key().name)
	}
	p := &pattern{shape: root.items[0], optional: -1, name: "contents", union: "Content", descending: g.chance(30)}
	p.result = pick(g, []string{"connection", "list"})
	for _, t := range g.types {
		if slices.ContainsFunc(t.items, func(s *shape) bool { return text(s) == text(p.shape) && s.shards == 0 }) {
			p.types = append(p.types, t)
		}
	}
	if len(p.types) < 2 {
		return
	}
	if slices.ContainsFunc(p.types, func(t *typ) bool { return t.mutable }) {
		p.result = "connection"
	}
	g.patterns = append(g.patterns, p)
	if g.chance(60) {
		q := *p
		q.on, q.name = root, "below"
		g.patterns = append(g.patterns, &q)
	}
}
