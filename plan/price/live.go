package price

import "github.com/partita/partita/plan"

// live prices the field of a subscription, or what is selected of the item of its event.
func (p *pricing) live(n *pricedField, g *plan.Group) {
	n.read = nil
	switch {
	case n.Kind == plan.ReadField:
		p.given(n, g.Children, nil)
	case p.IsEvent():
		p.eventItem(n, g.Children[0].EventItem)
	default:
		event := g.Children[0]
		n.children = []pricedChild{{1, event.Name, nil, p.object(event, nil, false)}}
	}
}

// given prices what is selected below an item that is known.
func (p *pricing) given(n *pricedField, nodes []*plan.Object, via []string) {
	for _, o := range nodes {
		n.children = append(n.children, pricedChild{1, o.Name, via, p.object(o, nil, false)})
	}
	n.mixed = true
}

// eventItem prices what is selected of the item of an event.
func (p *pricing) eventItem(n *pricedField, g *plan.Group) {
	live, event := n.Live, n.Children[0]
	below := &pricedObject{}
	switch {
	case len(g.Nodes) == 0:
	case live.EdgeNode:
		places := itemPlaces(event)
		node := &pricedField{
			step: step{places[0], -1, false}, parent: live.Edge, isNode: true,
			read: p.Schema.Design.Field(live.Edge, plan.NodeName),
		}
		if path := itemPath(event); len(path) > 1 {
			node.via = path[:1]
		}
		if p.get(node, g.Nodes, places); node.hasCost() {
			below.add(node)
		}
	default:
		p.given(n, g.Nodes, itemPath(event))
	}
	if g.Edge != nil {
		for _, sub := range g.Edge.Groups {
			if sub.Fields[0].Name == plan.NodeName {
				continue
			}
			if extra := p.field(g.Edge, nil, false, sub); extra != nil {
				extra.via = edgePath(event)
				below.add(extra)
			}
		}
	}
	if len(below.fields) > 0 {
		n.children = append(n.children, pricedChild{1, live.Edge, nil, below})
		n.mixed = false
	}
}
