package checks

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/finding"
	"github.com/partita/partita/internal/gen/directives/fixes"
	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// checkConnections finds connections that do not follow the Relay specification, and edges with
// fields that are not attributes of the one type that the items of their connection have.
func checkConnections(r *checker) {
	for _, rd := range r.Reads {
		if rd.Result == design.Connection && rd.Kind == design.Query {
			checkPaging(r, rd)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.Connections)) {
		checkConnectionType(r, r.Connections[name])
	}
	for _, name := range slices.Sorted(maps.Keys(r.Edges)) {
		checkEdge(r, r.Edges[name])
	}
}

func checkPaging(r *checker, rd *reading.Read) {
	if fixes := fixes.PagingFixes(rd); len(fixes) > 0 {
		r.find(rd.Def.Position, rd.Coordinate(), "a connection is paged with first, after, last and before",
			strings.Join(fixes, "\n"))
	}
}

func checkConnectionType(r *checker, c *reading.Connection) {
	if f := c.Def.Fields.ForName("nodes"); f != nil && (f.Type.Elem == nil || f.Type.Name() != c.Node) {
		r.find(f.Position, c.Name+".nodes", fmt.Sprintf("nodes is a %s, but each edge's node is a %s", f.Type, c.Node),
			fmt.Sprintf("write nodes: [%s]!", c.Node))
	}
	if f := c.Def.Fields.ForName("totalCount"); f != nil && (f.Type.Elem != nil || f.Type.Name() != "Int") {
		r.find(f.Position, c.Name+".totalCount", fmt.Sprintf("totalCount is a %s", f.Type), "write totalCount: Int!")
	}
}

func checkEdge(r *checker, c *reading.Connection) {
	var items []string
	for _, rd := range r.Reads {
		if rd.Edge != c.Edge {
			continue
		}
		for _, name := range rd.Types {
			if !slices.Contains(items, name) {
				items = append(items, name)
			}
		}
	}
	if f := c.EdgeDef.Fields.ForName("cursor"); f == nil || f.Type.String() != "String!" {
		if name := misspeltCursor(r, c, items); name != "" && f == nil {
			r.find(c.EdgeDef.Position, c.Edge, finding.IsLikely("cursor",
				"the edge has no cursor, and "+name+" is no attribute of its items"),
				fmt.Sprintf("rename %s to cursor in type %s", name, c.Edge))
			return
		}
		r.find(c.EdgeDef.Position, c.Edge, "the edge has no cursor of type String!", cursorFix(c.EdgeDef, f))
	}
	if len(items) > 1 && (c.EdgeNode || len(c.Attributes) > 0) {
		slices.Sort(items)
		if rd, sk := narrowEdges(r, c); rd != nil {
			r.find(rd.Def.Position, rd.Coordinate(),
				fmt.Sprintf("the items are of several types: %s, but the edges are of one", strings.Join(rd.Types, ", ")),
				fmt.Sprintf("write sk: %q", sk))
			return
		}
		for _, rd := range r.Reads {
			if rd.Edge == c.Edge && len(rd.Types) > 1 {
				r.find(rd.Def.Position, rd.Coordinate(),
					fmt.Sprintf("the items are of several types: %s, but edges with attributes are of one", strings.Join(rd.Types,
						", ")),
					fmt.Sprintf("remove %s from type %s, or return a connection whose edges have no attributes", rd.Name, rd.Parent))
				return
			}
		}
		r.find(c.EdgeDef.Position, c.Edge,
			fmt.Sprintf("the edge has attributes, but its items are of several types: %s", strings.Join(items, ", ")),
			separateEdges(r, c, items[1:]))
		return
	}
	if len(items) == 0 {
		return
	}
	t := r.Types[items[0]]
	for _, name := range c.Attributes {
		f := c.EdgeDef.Fields.ForName(name)
		stored := t.Def.Fields.ForName(name)
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
func misspeltCursor(r *checker, c *reading.Connection, items []string) string {
	if len(c.Attributes) != 1 || c.EdgeDef.Fields.ForName(c.Attributes[0]).Type.String() != "String!" ||
		slices.ContainsFunc(items, func(name string) bool { return r.Types[name].Attribute(c.Attributes[0]) != nil }) {
		return ""
	}
	return c.Attributes[0]
}

func cursorFix(edge *ast.Definition, f *ast.FieldDefinition) string {
	if f == nil {
		return "add cursor: String! to type " + edge.Name
	}
	return sdl.Retype(edge.Name, f, "String!")
}

// narrowEdges returns a read of edges with attributes that also selects items which do not have them, and the sort key
// that selects the others alone. It is nil if there is none.
func narrowEdges(r *checker, c *reading.Connection) (*reading.Read, string) {
	for _, rd := range r.Reads {
		if rd.Edge != c.Edge || len(rd.Types) < 2 || !rd.EdgeNode {
			continue
		}
		for _, t := range r.Targets(rd) {
			for _, m := range rd.Matches {
				longer := *rd.Field
				longer.SK = keys.MustDelimited(rd.SK.Delimiter(), m.Shape.SK.Leading())
				matches := design.FindMatches(r.KeyTypes(), &longer)
				if m.Type == t.Type && len(matches) > 0 && !slices.ContainsFunc(matches, func(other design.Match) bool {
					return other.Type != t.Type
				}) {
					return rd, longer.SK.String()
				}
			}
		}
	}
	return nil, ""
}

func missingAttribute(c *reading.Connection, t *reading.Type, f *ast.FieldDefinition) string {
	if t.Def.Fields.ForName(f.Name) != nil {
		return fmt.Sprintf("remove %s from type %s", f.Name, c.Edge)
	}
	return fmt.Sprintf("add %s: %s to type %s, or move the field to %s", f.Name, f.Type, t.Name, c.Node)
}

// separateEdges returns the fix that gives the collections of each of the types an edge of its own.
func separateEdges(r *checker, c *reading.Connection, types []string) string {
	var lines []string
	for _, name := range types {
		edge := name + c.Edge
		lines = append(lines, "add "+sdl.DefinitionText(edge, c.EdgeDef, func(f *ast.FieldDefinition) string {
			if f.Name != "node" && sdl.ReadDirective(f) != nil {
				return ""
			}
			return sdl.FieldText(f)
		}))
		for _, rd := range r.Reads {
			if rd.Edge != c.Edge || !slices.Equal(rd.Types, []string{name}) {
				continue
			}
			connection := name + rd.Connection.Name
			line := "add " + sdl.DefinitionText(connection, rd.Connection.Def, func(f *ast.FieldDefinition) string {
				return strings.ReplaceAll(sdl.FieldText(f), c.Edge, edge)
			})
			if !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
			lines = append(lines, fmt.Sprintf("return %s in %s", connection, rd.Coordinate()))
		}
	}
	return strings.Join(lines, "\n")
}

// checkParts finds connections and edges without what each of them has.
func checkParts(r *checker) {
	for _, def := range r.Objects() {
		c := r.Connections[def.Name]
		if c == nil {
			continue
		}
		if def.Fields.ForName("pageInfo") == nil {
			r.find(def.Position, def.Name, "a connection has edges, and pageInfo: PageInfo!",
				partFix(r, def, "pageInfo", "PageInfo!"))
		}
		if declared := r.Schema.Types[c.Edge]; declared != c.EdgeDef {
			findEdge(r, c, declared)
		}
	}
}

// findEdge finds a connection whose edge type is only proposed, with the type that is declared under its name, or nil.
func findEdge(r *checker, c *reading.Connection, declared *ast.Definition) {
	edges := c.Def.Fields.ForName("edges")
	if edges != nil && edges.Type.Elem != nil && edges.Type.Name() == c.Edge && declared != nil &&
		declared.Kind == ast.Object {
		r.find(declared.Position, c.Edge, "an edge has a cursor and a node", partFix(r, declared, "node", c.Node+"!"))
		return
	}
	at, fix := c.Def.Position, "add edges: ["+c.Edge+"!]! to type "+c.Name
	if edges != nil {
		at, fix = edges.Position, "write edges: ["+c.Edge+"!]!"
	} else if name := misspeltPart(r, c.Def, "edges"); name != "" {
		fix = fmt.Sprintf("rename %s to edges in type %s", name, c.Name)
	}
	if declared == nil {
		fix += "\nadd type " + c.Edge + " { cursor: String! node: " + c.Node + "! }"
	}
	r.find(at, c.Name+".edges", "edges must be a list of objects with a cursor and a node", fix)
}

// partFix returns the fix for a part that a connection or an edge does not have: it may be misspelt.
func partFix(r *checker, def *ast.Definition, name, typ string) string {
	if other := misspeltPart(r, def, name); other != "" {
		return fmt.Sprintf("rename %s to %s in type %s", other, name, def.Name)
	}
	return fmt.Sprintf("add %s: %s to type %s", name, typ, def.Name)
}

// misspeltPart returns the field of a connection or an edge that probably is a part of it, "" if there is none.
func misspeltPart(r *checker, def *ast.Definition, part string) string {
	var names []string
	parts := []string{"edges", "nodes", "pageInfo", "totalCount"}
	if part == "node" {
		parts = []string{"cursor"}
	}
	for _, f := range def.Fields {
		if !slices.Contains(parts, f.Name) {
			names = append(names, f.Name)
		}
	}
	if likely := finding.Likely(part, names); likely != "" || len(names) != 1 {
		return likely
	}
	f := def.Fields.ForName(names[0])
	isIt := map[string]bool{
		"node":     f.Type.Elem == nil && r.ReturnsStored(f) || r.Schema.Types[f.Type.Name()].IsCompositeType(),
		"edges":    f.Type.Elem != nil && strings.HasSuffix(f.Type.Name(), "Edge"),
		"pageInfo": f.Type.Name() == "PageInfo",
	}
	if isIt[part] {
		return f.Name
	}
	return ""
}
