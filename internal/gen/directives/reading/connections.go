package reading

import (
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/finding"
	"github.com/partita/partita/internal/gen/directives/sdl"
)

func (r *Access) readConnections() {
	for _, def := range r.Objects() {
		if !sdl.IsConnection(def) {
			continue
		}
		c := r.connectionOf(def, r.edgeOf(def))
		r.Connections[def.Name] = c
		r.Edges[c.Edge] = c
	}
}

// connectionOf returns a connection with its edge type.
func (r *Access) connectionOf(def, edge *ast.Definition) *Connection {
	node := edge.Fields.ForName("node")
	c := &Connection{
		Name:          def.Name,
		Edge:          edge.Name,
		Node:          node.Type.Name(),
		NodeTypes:     r.Possible(node.Type.Name()),
		EdgeNode:      sdl.ReadDirective(node) != nil,
		HasNodes:      def.Fields.ForName("nodes") != nil,
		HasTotalCount: def.Fields.ForName("totalCount") != nil,
		Def:           def,
		EdgeDef:       edge,
	}
	for _, f := range edge.Fields {
		if f.Name != "node" && f.Name != "cursor" && sdl.IsAttribute(f) {
			c.Attributes = append(c.Attributes, f.Name)
		}
	}
	return c
}

// edgeOf returns the edge type of a connection. If there is none that can be one, it returns one that is only proposed,
// so that nothing else follows from it.
func (r *Access) edgeOf(def *ast.Definition) *ast.Definition {
	name := edgeName(def.Name)
	if edges := def.Fields.ForName("edges"); edges != nil && edges.Type.Elem != nil {
		if edge := r.Schema.Types[edges.Type.Name()]; edge != nil && edge.Kind == ast.Object {
			if edge.Fields.ForName("node") != nil {
				return edge
			}
			name = edge.Name
		}
	}
	return proposedEdge(name, r.nodeName(def), def.Position)
}

func proposedEdge(name, node string, at *ast.Position) *ast.Definition {
	return &ast.Definition{Kind: ast.Object, Name: name, Position: at, Fields: ast.FieldList{
		{Name: "cursor", Type: ast.NonNullNamedType("String", at), Position: at},
		{Name: "node", Type: ast.NonNullNamedType(node, at), Position: at},
	}}
}

// nodeName returns the stored type whose connection a type is, by its nodes or its name.
func (r *Source) nodeName(connection *ast.Definition) string {
	if nodes := connection.Fields.ForName("nodes"); nodes != nil && len(r.Possible(nodes.Type.Name())) > 0 {
		return nodes.Type.Name()
	}
	node := strings.TrimSuffix(edgeName(connection.Name), "Edge")
	var stored []string
	for _, def := range r.Objects() {
		if def.Directives.ForName("item") != nil {
			stored = append(stored, def.Name)
		}
	}
	if slices.Contains(stored, node) || len(stored) == 0 {
		return node
	}
	if likely := finding.Likely(node, stored); likely != "" {
		return likely
	}
	return stored[0]
}

func edgeName(connection string) string {
	const suffix = "Connection"
	if len(connection) > len(suffix) && connection[len(connection)-len(suffix):] == suffix {
		connection = connection[:len(connection)-len(suffix)]
	}
	return connection + "Edge"
}
