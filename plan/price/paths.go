package price

import "github.com/partita/partita/plan"

// nodePath returns the path in the response from a connection to its nodes, at the first place that selects them.
func nodePath(g *plan.Group) []string {
	for _, f := range g.Fields {
		for _, part := range f.Children[0].Fields {
			if part.Kind == plan.NodesField {
				return []string{part.Alias}
			}
			if part.Kind != plan.EdgesField {
				continue
			}
			for _, sub := range part.Children[0].Fields {
				if sub.Name == plan.NodeName {
					return []string{part.Alias, sub.Alias}
				}
			}
		}
	}
	return nil
}

// edgesPath returns the path in the response from a connection to its edges, at the first place that selects them.
func edgesPath(g *plan.Group) []string {
	for _, f := range g.Fields {
		for _, part := range f.Children[0].Fields {
			if part.Kind == plan.EdgesField {
				return []string{part.Alias}
			}
		}
	}
	return nil
}

// itemPath returns the path in the response from an event to its node, at the first place that selects it.
func itemPath(o *plan.Object) []string {
	for _, f := range o.Fields {
		switch f.Kind {
		case plan.ItemField:
			return []string{f.Alias}
		case plan.EdgeField:
			for _, sub := range f.Children[0].Fields {
				if sub.Name == plan.NodeName {
					return []string{f.Alias, sub.Alias}
				}
			}
		}
	}
	return nil
}

// edgePath returns the path in the response from an event to its edge, at the first place that selects it.
func edgePath(o *plan.Object) []string {
	for _, f := range o.Fields {
		if f.Kind == plan.EdgeField {
			return []string{f.Alias}
		}
	}
	return nil
}

// itemPlaces returns the fields of an event that select its node: node, and node of edge.
func itemPlaces(o *plan.Object) []*plan.Field {
	var places []*plan.Field
	for _, f := range o.Fields {
		switch f.Kind {
		case plan.ItemField:
			places = append(places, f)
		case plan.EdgeField:
			for _, sub := range f.Children[0].Fields {
				if sub.Name == plan.NodeName {
					places = append(places, sub)
				}
			}
		}
	}
	return places
}
