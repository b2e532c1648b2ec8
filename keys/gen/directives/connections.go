package directives

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// Connection is a Relay connection type.
//
// https://relay.dev/graphql/connections.htm
type Connection struct {
	Name string
	// Edge is the edge type, Node the type of its node and NodeTypes the object
	// types that a node can have.
	Edge, Node string
	NodeTypes  []string
	// EdgeNode is set when the node is read with a @get of its own.
	EdgeNode bool
	// HasNodes and HasTotalCount report whether the fields nodes and totalCount
	// exist.
	HasNodes, HasTotalCount bool
	// Attributes are the edge's other fields: attributes of the item.
	Attributes []string

	def, edge *ast.Definition
}

func (r *reader) readConnections() {
	for _, def := range r.objects() {
		if !isConnection(def) {
			continue
		}
		if def.Fields.ForName("pageInfo") == nil {
			r.find(def.Position, def.Name, "a connection has edges, and pageInfo: PageInfo!", r.partFix(def, "pageInfo",
				"PageInfo!"))
		}
		c := r.connectionOf(def, r.edgeOf(def))
		r.connections[def.Name] = c
		r.edges[c.Edge] = c
	}
}

// isConnection reports whether an object type is a connection, perhaps one without a part that it needs.
func isConnection(def *ast.Definition) bool {
	edges, pageInfo := def.Fields.ForName("edges"), def.Fields.ForName("pageInfo")
	if edges != nil && pageInfo != nil {
		return true
	}
	return strings.HasSuffix(def.Name, connectionSuffix) && def.Directives.ForName("item") == nil &&
		(edges != nil || pageInfo != nil || def.Fields.ForName("nodes") != nil)
}

// connectionOf returns a connection with its edge type.
func (r *reader) connectionOf(def, edge *ast.Definition) *Connection {
	node := edge.Fields.ForName("node")
	c := &Connection{
		Name:          def.Name,
		Edge:          edge.Name,
		Node:          node.Type.Name(),
		NodeTypes:     r.possible(node.Type.Name()),
		EdgeNode:      readDirective(node) != nil,
		HasNodes:      def.Fields.ForName("nodes") != nil,
		HasTotalCount: def.Fields.ForName("totalCount") != nil,
		def:           def,
		edge:          edge,
	}
	for _, f := range edge.Fields {
		if f.Name != "node" && f.Name != "cursor" && isAttribute(f) {
			c.Attributes = append(c.Attributes, f.Name)
		}
	}
	return c
}

// edgeOf returns the edge type of a connection. If there is none that can be one, it adds a finding and returns one
// that is only proposed, so that nothing else follows from it.
func (r *reader) edgeOf(def *ast.Definition) *ast.Definition {
	edges := def.Fields.ForName("edges")
	if edges != nil && edges.Type.Elem != nil {
		if edge := r.schema.Types[edges.Type.Name()]; edge != nil && edge.Kind == ast.Object {
			if edge.Fields.ForName("node") != nil {
				return edge
			}
			node := r.nodeName(def)
			r.find(edge.Position, edge.Name, "an edge has a cursor and a node", r.partFix(edge, "node", node+"!"))
			return proposedEdge(edge.Name, node, def.Position)
		}
	}
	edge, node := edgeName(def.Name), r.nodeName(def)
	at, fix := def.Position, "add edges: ["+edge+"!]! to type "+def.Name
	if edges != nil {
		at, fix = edges.Position, "write edges: ["+edge+"!]!"
	} else if name := r.misspeltPart(def, "edges"); name != "" {
		fix = fmt.Sprintf("rename %s to edges in type %s", name, def.Name)
	}
	if r.schema.Types[edge] == nil {
		fix += "\nadd type " + edge + " { cursor: String! node: " + node + "! }"
	}
	r.find(at, def.Name+".edges", "edges must be a list of objects with a cursor and a node", fix)
	return proposedEdge(edge, node, def.Position)
}

func proposedEdge(name, node string, at *ast.Position) *ast.Definition {
	return &ast.Definition{Kind: ast.Object, Name: name, Position: at, Fields: ast.FieldList{
		{Name: "cursor", Type: ast.NonNullNamedType("String", at), Position: at},
		{Name: "node", Type: ast.NonNullNamedType(node, at), Position: at},
	}}
}

// partFix returns the fix for a part that a connection or an edge does not have: it may be misspelt.
func (r *reader) partFix(def *ast.Definition, name, typ string) string {
	if other := r.misspeltPart(def, name); other != "" {
		return fmt.Sprintf("rename %s to %s in type %s", other, name, def.Name)
	}
	return fmt.Sprintf("add %s: %s to type %s", name, typ, def.Name)
}

// misspeltPart returns the field of a connection or an edge that probably is a part of it, "" if there is none.
func (r *reader) misspeltPart(def *ast.Definition, part string) string {
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
	if likely := Likely(part, names); likely != "" || len(names) != 1 {
		return likely
	}
	f := def.Fields.ForName(names[0])
	isIt := map[string]bool{
		"node":     f.Type.Elem == nil && r.returnsStored(f) || r.schema.Types[f.Type.Name()].IsCompositeType(),
		"edges":    f.Type.Elem != nil && strings.HasSuffix(f.Type.Name(), "Edge"),
		"pageInfo": f.Type.Name() == "PageInfo",
	}
	if isIt[part] {
		return f.Name
	}
	return ""
}

// nodeName returns the stored type whose connection a type is, by its nodes or its name.
func (r *reader) nodeName(connection *ast.Definition) string {
	if nodes := connection.Fields.ForName("nodes"); nodes != nil && len(r.possible(nodes.Type.Name())) > 0 {
		return nodes.Type.Name()
	}
	node := strings.TrimSuffix(edgeName(connection.Name), "Edge")
	var stored []string
	for _, def := range r.objects() {
		if def.Directives.ForName("item") != nil {
			stored = append(stored, def.Name)
		}
	}
	if slices.Contains(stored, node) || len(stored) == 0 {
		return node
	}
	if likely := Likely(node, stored); likely != "" {
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
