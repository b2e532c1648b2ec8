package proposal

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"github.com/partita/partita/internal/gen/directives/sdl"
)

// infer returns the patterns with one for each field without a pattern that returns stored objects, in the order of the
// schema, and the coordinates of those that were added.
func (m *model) infer(given []Pattern) (all []Pattern, inferred map[string]bool) {
	all, inferred = slices.Clone(given), map[string]bool{}
	known := map[string]bool{}
	for _, p := range given {
		known[p.Field] = true
	}
	add := func(p Pattern) {
		if !known[p.Field] {
			known[p.Field], inferred[p.Field] = true, true
			all = append(all, p)
		}
	}
	for _, name := range slices.Clone(m.names) {
		if name != query && !m.stored[name] {
			continue
		}
		for _, f := range m.fields(name) {
			node := m.node(f.Type)
			isNode := name == query && (f.Name == "node" || f.Name == "nodes")
			if node == "" || isNode || !m.stored[node] && !m.hasStored(node) {
				continue
			}
			add(Pattern{Field: name + "." + f.Name})
		}
	}
	typed := map[string]bool{}
	for _, p := range given {
		typed[p.Field] = p.Type != ""
	}
	for _, p := range m.manyToMany(typed) {
		if i := slices.IndexFunc(all, func(o Pattern) bool { return o.Field == p.Field }); i >= 0 {
			all[i].Type, all[i].Equals = p.Type, p.Equals
		} else {
			add(p)
		}
	}
	return all, inferred
}

// hasStored reports whether a union or an interface has a stored type.
func (m *model) hasStored(name string) bool {
	for _, def := range m.defs[name] {
		if slices.ContainsFunc(def.Types, func(t string) bool { return m.stored[t] }) {
			return true
		}
	}
	return m.kind(name) == ast.Interface && slices.ContainsFunc(m.names, func(of string) bool {
		return m.stored[of] && slices.ContainsFunc(m.defs[of], func(d *ast.Definition) bool {
			return slices.Contains(d.Interfaces, name)
		})
	})
}

// link returns the field of a type that refers to an object of another one by its id, "" if none does.
func (m *model) link(of, to string) string {
	name := sdl.LowerFirst(to) + "Id"
	if f := m.attribute(of, name); f != nil && m.isKey(f) {
		return name
	}
	return ""
}

// manyToMany adds a type for each pair of fields by which two types have many objects of each other, without a field
// that refers to one. It returns the patterns of these fields, and of those of the new type. typed are the fields that
// have a type already.
func (m *model) manyToMany(typed map[string]bool) []Pattern {
	var all []Pattern
	isMany := func(f *ast.FieldDefinition) bool { return isPage(f.Type) || f.Type.Elem != nil }
	done := map[string]bool{}
	for _, a := range slices.Clone(m.names) {
		if !m.stored[a] || m.attribute(a, "id") == nil {
			continue
		}
		for _, f := range m.fields(a) {
			b := m.node(f.Type)
			if !m.stored[b] || a == b || !isMany(f) || len(f.Arguments) > 0 || typed[a+"."+f.Name] ||
				m.link(b, a) != "" || m.attribute(b, "id") == nil {
				continue
			}
			for _, g := range m.fields(b) {
				edge := a + b
				if m.node(g.Type) != a || typed[b+"."+g.Name] || !isMany(g) || len(g.Arguments) > 0 || m.link(a, b) != "" ||
					done[edge] || len(m.defs[edge]) > 0 {
					continue
				}
				done[edge], done[b+a] = true, true
				m.ownConnection(f, b, a)
				m.ownConnection(g, a, b)
				all = append(all, m.addEdge(edge, a, b)...)
				all = append(all,
					Pattern{Field: a + "." + f.Name, Type: edge, Equals: map[string]string{sdl.LowerFirst(a) + "Id": "id"}},
					Pattern{Field: b + "." + g.Name, Type: edge, Equals: map[string]string{sdl.LowerFirst(b) + "Id": "id"}})
			}
		}
	}
	return all
}

// ownConnection lets a field return a connection of its own if another field returns the same one: its items are not
// the nodes.
func (m *model) ownConnection(f *ast.FieldDefinition, node, parent string) {
	users := 0
	for _, name := range m.names {
		for _, other := range m.fields(name) {
			users += sdl.BoolInt(isPage(other.Type) && other.Type.Name() == f.Type.Name())
		}
	}
	own := sdl.Plural(node) + "Of" + parent + sdl.ConnectionSuffix
	if isPage(f.Type) && users > 1 && len(m.defs[own]) == 0 {
		f.Type = &ast.Type{NamedType: own, NonNull: f.Type.NonNull}
	}
}

// addEdge adds the type of the edges between two types, and returns the patterns of its fields.
func (m *model) addEdge(edge, a, b string) []Pattern {
	left, right := sdl.LowerFirst(a), sdl.LowerFirst(b)
	text := fmt.Sprintf("\"That a %s and a %s belong together.\"\ntype %s implements Node {\n  id: ID!\n  %sId: ID!\n"+
		"  %sId: ID!\n  %[4]s: %[6]s\n  %[5]s: %[7]s\n}\n",
		sdl.InPlainWords(a), sdl.InPlainWords(b), edge, left, right, a, b)
	file, err := parser.ParseSchema(&ast.Source{Name: m.sources[0].Name, Input: text})
	if err != nil {
		return nil // the names are no names of GraphQL
	}
	m.files[0].Definitions = append(m.files[0].Definitions, file.Definitions...)
	m.add(file.Definitions[0])
	m.stored[edge], m.edges[edge] = true, []string{left + "Id", right + "Id"}
	return []Pattern{
		{Field: edge + "." + left, Equals: map[string]string{"id": left + "Id"}},
		{Field: edge + "." + right, Equals: map[string]string{"id": right + "Id"}},
	}
}

// complete adds to a pattern what its field says, and what a former directive said.
func (m *model) complete(p *need, before ast.ArgumentList) error {
	if a := before.ForName("order"); a != nil && p.Order == "" {
		p.Order = a.Value.Raw
	}
	if a := before.ForName("atMost"); a != nil && p.AtMost == 0 {
		p.AtMost, _ = strconv.Atoi(a.Value.Raw)
	}
	if p.Equals == nil {
		p.Equals = map[string]string{}
	}
	used := map[string]bool{p.Range: true}
	for attribute, source := range p.Equals {
		used[cmp.Or(source, attribute)] = true
	}
	for _, name := range p.Prefix {
		used[name] = true
	}
	var unknown []string
	for _, a := range p.def.Arguments {
		switch {
		case sdl.IsPaging(a.Name) || used[a.Name]:
		case p.AtMost > 0 && !a.Type.NonNull: // selects among the objects
		case m.attribute(p.of, a.Name) == nil:
			unknown = append(unknown, a.Name)
		case strings.HasSuffix(a.Type.Name(), "Range"):
			if p.Range != "" && p.Range != a.Name {
				return unserved(fmt.Sprintf("%s and %s are both ranges, and a Query has one", p.Range, a.Name),
					"give one of them a fixed value, or add atMost and let the gateway select")
			}
			p.Range = a.Name
		case a.Type.NonNull:
			p.Equals[a.Name] = a.Name
		default:
			p.Prefix = append(p.Prefix, a.Name)
		}
	}
	return m.connect(p, unknown)
}

// connect adds what the objects have to do with the parent, if the pattern does not say it.
func (m *model) connect(p *need, unknown []string) error {
	if p.parent != query && !p.isBound() {
		switch {
		case p.result == one && m.attribute(p.parent, p.field+"Id") != nil && m.attribute(p.of, "id") != nil:
			p.Equals["id"] = p.field + "Id"
		case p.result == one && len(p.def.Arguments) == 0 && m.link(p.parent, p.of) != "" && m.attribute(p.of, "id") != nil:
			p.Equals["id"] = m.link(p.parent, p.of)
		case m.link(p.of, p.parent) != "" && m.attribute(p.parent, "id") != nil:
			p.Equals[m.link(p.of, p.parent)] = "id"
		default:
			return unserved(fmt.Sprintf("no field of %s refers to the %s", p.of, p.parent),
				fmt.Sprintf("add %sId: ID! to %s, or name the field in equals", sdl.LowerFirst(p.parent), p.of))
		}
	}
	if len(unknown) == 1 && len(p.Equals) == 0 && m.attribute(p.of, "id") != nil && p.result == one {
		if strings.HasSuffix(strings.ToLower(unknown[0]), "id") {
			p.Equals["id"], unknown = unknown[0], nil
		}
	}
	if len(unknown) > 0 {
		return unserved(fmt.Sprintf("no field of %s has the name of the argument %s", p.of, strings.Join(unknown, ", ")),
			"say in equals which field it is equal to, or remove the argument")
	}
	return nil
}

// isBound reports whether an equality has a value of the parent.
func (n *need) isBound() bool {
	for attribute, source := range n.Equals {
		if n.def.Arguments.ForName(cmp.Or(source, attribute)) == nil {
			return true
		}
	}
	return false
}
