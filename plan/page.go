package plan

import (
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys/design"
)

// page sets the nodes of a group of connections. sets are the selections of the connections.
func (c *compiler) page(g *group, read *design.Field, sets []ast.SelectionSet) {
	var edges, nodes []ast.SelectionSet
	for _, part := range c.collect(nil, c.types[g.children[0].Name], sets, map[string]bool{}) {
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
		if sub.Name == nodeName {
			nodes = append(nodes, sub.sets...)
		}
	}
	return nodes
}

// items sets the nodes of the items of a connection. edges and nodes are the selections of both.
func (c *compiler) items(g *group, read *design.Field, edges, nodes []ast.SelectionSet) {
	if len(edges) > 0 {
		g.edge = c.object(c.types[read.Edge], edges)
	}
	if len(nodes) == 0 {
		return
	}
	types := read.Types
	if read.EdgeNode {
		types = c.Design.Field(read.Edge, nodeName).Types
	}
	for _, name := range types {
		g.nodes = append(g.nodes, c.object(c.types[name], nodes))
	}
}

// nodePath returns the path in the response from a connection to its nodes, at the first place that selects them.
func (g *group) nodePath() []string {
	for _, f := range g.fields {
		for _, part := range f.Children[0].Fields {
			if part.Kind == NodesField {
				return []string{part.Alias}
			}
			if part.Kind != EdgesField {
				continue
			}
			for _, sub := range part.Children[0].Fields {
				if sub.Name == nodeName {
					return []string{part.Alias, sub.Alias}
				}
			}
		}
	}
	return nil
}

// edgesPath returns the path in the response from a connection to its edges, at the first place that selects them.
func (g *group) edgesPath() []string {
	for _, f := range g.fields {
		for _, part := range f.Children[0].Fields {
			if part.Kind == EdgesField {
				return []string{part.Alias}
			}
		}
	}
	return nil
}
