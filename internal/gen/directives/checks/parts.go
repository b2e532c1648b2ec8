package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/finding"
	"github.com/partita/partita/internal/gen/directives/reading"
)

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
