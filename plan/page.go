package plan

import (
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys/design"
)

// page sets the nodes of a group of connections. sets are the selections of the connections.
func (c *compiler) page(g *Group, read *design.Field, sets []ast.SelectionSet) {
	var edges, nodes []ast.SelectionSet
	for _, part := range c.collect(nil, c.types[g.Children[0].Name], sets, map[string]bool{}) {
		switch connectionFields[part.Name] {
		case NodesField:
			nodes = append(nodes, part.sets...)
		case EdgesField:
			edges = append(edges, part.sets...)
			nodes = append(nodes, c.nodeSets(read, part.sets)...)
		}
	}
	c.items(g, read, edges, nodes)
}

// nodeSets returns the selections of the nodes in those of edges.
func (c *compiler) nodeSets(read *design.Field, edges []ast.SelectionSet) (nodes []ast.SelectionSet) {
	for _, sub := range c.collect(nil, c.types[read.Edge], edges, map[string]bool{}) {
		if sub.Name == NodeName {
			nodes = append(nodes, sub.sets...)
		}
	}
	return nodes
}

// items sets the nodes of the items of a connection. edges and nodes are the selections of both.
func (c *compiler) items(g *Group, read *design.Field, edges, nodes []ast.SelectionSet) {
	if len(edges) > 0 {
		g.Edge = c.object(c.types[read.Edge], edges)
	}
	if len(nodes) == 0 {
		return
	}
	types := read.Types
	if read.EdgeNode {
		types = c.Design.Field(read.Edge, NodeName).Types
	}
	for _, name := range types {
		g.Nodes = append(g.Nodes, c.object(c.types[name], nodes))
	}
}
