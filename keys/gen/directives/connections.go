package directives

import (
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
		edges := def.Fields.ForName("edges")
		if edges == nil || def.Fields.ForName("pageInfo") == nil {
			continue
		}
		edge := r.schema.Types[edges.Type.Name()]
		if edges.Type.Elem == nil || edge == nil || edge.Kind != ast.Object || edge.Fields.ForName("node") == nil {
			edgeType := edgeName(def.Name)
			r.find(edges.Position, def.Name+".edges", "edges must be a list of objects with a cursor and a node",
				"write edges: ["+edgeType+"!]!\nadd type "+edgeType+" { cursor: String! node: "+r.nodeName(def.Name)+"! }")
			continue
		}
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
		r.connections[def.Name] = c
		r.edges[edge.Name] = c
	}
}

// nodeName returns the stored type whose connection a type is, by its name.
func (r *reader) nodeName(connection string) string {
	node := strings.TrimSuffix(edgeName(connection), "Edge")
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
