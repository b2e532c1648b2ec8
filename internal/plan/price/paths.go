package price

import "github.com/partita/partita/internal/plan"

// paths are the places of the items of a page or of an event.
type paths struct {
	// nodes are the fields that select the nodes.
	nodes []*plan.Field
	// node and edge are the paths in the response to the nodes and to the edges, at the first place that selects them; nil
	// for none.
	node, edge []string
}

// pagePaths returns the places below the connections of a group.
func pagePaths(g *plan.Group) paths {
	var p paths
	for _, f := range g.Fields {
		p.add(f.Children[0])
	}
	return p
}

// eventPaths returns the places below an event.
func eventPaths(event *plan.Object) paths {
	var p paths
	p.add(event)
	return p
}

func (p *paths) add(o *plan.Object) {
	for _, f := range o.Fields {
		switch f.Kind {
		case plan.NodesField, plan.ItemField:
			p.addNode(f, f.Alias)
		case plan.EdgesField, plan.EdgeField:
			if p.edge == nil {
				p.edge = []string{f.Alias}
			}
			for _, sub := range f.Children[0].Fields {
				if sub.Name == plan.NodeName {
					p.addNode(sub, f.Alias, sub.Alias)
				}
			}
		}
	}
}

func (p *paths) addNode(f *plan.Field, path ...string) {
	if p.nodes = append(p.nodes, f); p.node == nil {
		p.node = path
	}
}
