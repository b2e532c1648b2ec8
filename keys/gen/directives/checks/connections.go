package directives

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// checkConnections finds connections that do not follow the Relay specification, and edges with
// fields that are not attributes of the one type that the items of their connection have.
func (r *checker) checkConnections() {
	for _, rd := range r.reads {
		if rd.Result == keys.Connection && rd.Kind == keys.Query {
			r.checkPaging(rd)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.connections)) {
		r.checkConnectionType(r.connections[name])
	}
	for _, name := range slices.Sorted(maps.Keys(r.edges)) {
		r.checkEdge(r.edges[name])
	}
}

func (r *checker) checkPaging(rd *read) {
	if fixes := pagingFixes(rd); len(fixes) > 0 {
		r.find(rd.def.Position, rd.Coordinate(), "a connection is paged with first, after, last and before",
			strings.Join(fixes, "\n"))
	}
}

// pagingFixes returns the lines that give a field the arguments of a connection.
func pagingFixes(rd *read) []string {
	var missing, fixes []string
	for _, p := range pagingArguments {
		switch a := rd.def.Arguments.ForName(p.name); {
		case a == nil:
			missing = append(missing, p.name+": "+p.typ)
		case a.Type.String() != p.typ:
			fixes = append(fixes, fmt.Sprintf("on field %s replace %s: %s with %s: %s",
				rd.Coordinate(), p.name, a.Type, p.name, p.typ))
		}
	}
	if len(missing) > 0 {
		fixes = append(fixes, "add the arguments "+strings.Join(missing, ", ")+" to field "+rd.Coordinate())
	}
	return fixes
}

func (r *checker) checkConnectionType(c *Connection) {
	if f := c.def.Fields.ForName("nodes"); f != nil && (f.Type.Elem == nil || f.Type.Name() != c.Node) {
		r.find(f.Position, c.Name+".nodes", fmt.Sprintf("nodes is a %s, but each edge's node is a %s", f.Type, c.Node),
			fmt.Sprintf("write nodes: [%s]!", c.Node))
	}
	if f := c.def.Fields.ForName("totalCount"); f != nil && (f.Type.Elem != nil || f.Type.Name() != "Int") {
		r.find(f.Position, c.Name+".totalCount", fmt.Sprintf("totalCount is a %s", f.Type), "write totalCount: Int!")
	}
}

func (r *checker) checkEdge(c *Connection) {
	var items []string
	for _, rd := range r.reads {
		if rd.Edge != c.Edge {
			continue
		}
		for _, name := range rd.Types {
			if !slices.Contains(items, name) {
				items = append(items, name)
			}
		}
	}
	if f := c.edge.Fields.ForName("cursor"); f == nil || f.Type.String() != "String!" {
		if name := r.misspeltCursor(c, items); name != "" && f == nil {
			r.find(c.edge.Position, c.Edge, isLikely("cursor",
				"the edge has no cursor, and "+name+" is no attribute of its items"),
				fmt.Sprintf("rename %s to cursor in type %s", name, c.Edge))
			return
		}
		r.find(c.edge.Position, c.Edge, "the edge has no cursor of type String!", cursorFix(c.edge, f))
	}
	if len(items) > 1 && (c.EdgeNode || len(c.Attributes) > 0) {
		slices.Sort(items)
		if rd, sk := r.narrowEdges(c); rd != nil {
			r.find(rd.def.Position, rd.Coordinate(),
				fmt.Sprintf("the items are of several types: %s, but the edges are of one", strings.Join(rd.Types, ", ")),
				fmt.Sprintf("write sk: %q", sk))
			return
		}
		for _, rd := range r.reads {
			if rd.Edge == c.Edge && len(rd.Types) > 1 {
				r.find(rd.def.Position, rd.Coordinate(),
					fmt.Sprintf("the items are of several types: %s, but edges with attributes are of one", strings.Join(rd.Types,
						", ")),
					fmt.Sprintf("remove %s from type %s, or return a connection whose edges have no attributes", rd.Name, rd.Parent))
				return
			}
		}
		r.find(c.edge.Position, c.Edge,
			fmt.Sprintf("the edge has attributes, but its items are of several types: %s", strings.Join(items, ", ")),
			r.separateEdges(c, items[1:]))
		return
	}
	if len(items) == 0 {
		return
	}
	t := r.types[items[0]]
	for _, name := range c.Attributes {
		f := c.edge.Fields.ForName(name)
		stored := t.def.Fields.ForName(name)
		switch {
		case stored == nil || t.Attribute(name) == nil:
			r.find(f.Position, c.Edge+"."+name, fmt.Sprintf("%s is not an attribute of %s, the type of the items", name, t.Name),
				missingAttribute(c, t, f))
		case stored.Type.Name() != f.Type.Name() || (stored.Type.Elem == nil) != (f.Type.Elem == nil),
			f.Type.NonNull && !stored.Type.NonNull:
			r.find(f.Position, c.Edge+"."+name,
				fmt.Sprintf("%s is a %s, but %s.%s is a %s", name, f.Type, t.Name, name, stored.Type),
				fmt.Sprintf("write %s: %s", name, stored.Type))
		}
	}
}

// misspeltCursor returns the field of an edge that is probably its cursor: the only one that no item has. It is "" if
// there is none.
func (r *checker) misspeltCursor(c *Connection, items []string) string {
	if len(c.Attributes) != 1 || c.edge.Fields.ForName(c.Attributes[0]).Type.String() != "String!" ||
		slices.ContainsFunc(items, func(name string) bool { return r.types[name].Attribute(c.Attributes[0]) != nil }) {
		return ""
	}
	return c.Attributes[0]
}

func cursorFix(edge *ast.Definition, f *ast.FieldDefinition) string {
	if f == nil {
		return "add cursor: String! to type " + edge.Name
	}
	return retype(edge.Name, f, "String!")
}

// narrowEdges returns a read of edges with attributes that also selects items which do not have them, and the sort key
// that selects the others alone. It is nil if there is none.
func (r *checker) narrowEdges(c *Connection) (*read, string) {
	for _, rd := range r.reads {
		if rd.Edge != c.Edge || len(rd.Types) < 2 || !rd.EdgeNode {
			continue
		}
		for _, t := range r.targets(rd) {
			for _, m := range rd.matches {
				longer := *rd.Field
				longer.SK = keys.MustDelimited(rd.SK.Delimiter(), m.Shape.SK.Leading())
				matches := keys.FindMatches(r.keyTypes(), &longer)
				if m.Type == t.Type && len(matches) > 0 && !slices.ContainsFunc(matches, func(other keys.Match) bool {
					return other.Type != t.Type
				}) {
					return rd, longer.SK.String()
				}
			}
		}
	}
	return nil, ""
}

func missingAttribute(c *Connection, t *storedType, f *ast.FieldDefinition) string {
	if t.def.Fields.ForName(f.Name) != nil {
		return fmt.Sprintf("remove %s from type %s", f.Name, c.Edge)
	}
	return fmt.Sprintf("add %s: %s to type %s, or move the field to %s", f.Name, f.Type, t.Name, c.Node)
}

// separateEdges returns the fix that gives the collections of each of the types an edge of its own.
func (r *checker) separateEdges(c *Connection, types []string) string {
	var lines []string
	for _, name := range types {
		edge := name + c.Edge
		lines = append(lines, "add "+definitionText(edge, c.edge, func(f *ast.FieldDefinition) string {
			if f.Name != "node" && readDirective(f) != nil {
				return ""
			}
			return fieldText(f)
		}))
		for _, rd := range r.reads {
			if rd.Edge != c.Edge || !slices.Equal(rd.Types, []string{name}) {
				continue
			}
			connection := name + rd.connection.Name
			line := "add " + definitionText(connection, rd.connection.def, func(f *ast.FieldDefinition) string {
				return strings.ReplaceAll(fieldText(f), c.Edge, edge)
			})
			if !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
			lines = append(lines, fmt.Sprintf("return %s in %s", connection, rd.Coordinate()))
		}
	}
	return strings.Join(lines, "\n")
}

func definitionText(name string, def *ast.Definition, text func(*ast.FieldDefinition) string) string {
	var b strings.Builder
	b.WriteString("type " + name + " {")
	for _, f := range def.Fields {
		if part := text(f); part != "" {
			b.WriteString(" " + part)
		}
	}
	return b.String() + " }"
}
