package price

import (
	"slices"

	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/plan"
)

// sortsUniquely reports whether no two items of the collection have equal sort keys, in the same shard or in different
// ones.
func sortsUniquely(read *design.Field) bool {
	for _, m := range read.Matches() {
		variables := append(m.Shape.PK.Variables(), m.Shape.SK.Variables()...)
		for _, name := range m.Type.Identity {
			if !slices.Contains(variables, name) {
				return false
			}
		}
	}
	return true
}

// items prices what is selected below items of a collection that are objects themselves.
func (p *pricing) items(n *pricedField, items float64, nodes []*plan.Object, via []string) {
	for _, o := range nodes {
		n.children = append(n.children, pricedChild{items, o.Name, via, p.object(o, nil, true)})
	}
	n.mixed = true
}

// pageItems prices what is selected below the items of a page.
func (p *pricing) pageItems(n *pricedField, g *plan.Group, items float64) {
	if !n.read.EdgeNode {
		p.items(n, items, g.Nodes, nodePath(g))
	}
	below := &pricedObject{}
	if len(g.Nodes) > 0 && n.read.EdgeNode {
		// Selected as nodes or as edges { node }, it is one Get.
		var places []*plan.Field
		for _, f := range g.Fields {
			places = append(places, f.NodePlaces()...)
		}
		node := &pricedField{
			step: step{places[0], -1, false}, parent: n.read.Edge, isNode: true, after: 1,
			read: p.Schema.Design.Field(n.read.Edge, plan.NodeName),
		}
		if path := nodePath(g); len(path) > 1 {
			node.via = path[:1]
		}
		if p.get(node, g.Nodes, places); node.hasCost() {
			below.add(node)
		}
	}
	if g.Edge != nil {
		for _, sub := range g.Edge.Groups {
			if sub.Fields[0].Name == plan.NodeName {
				continue
			}
			if extra := p.field(g.Edge, nil, true, sub); extra != nil {
				extra.via = edgesPath(g)
				below.add(extra)
			}
		}
	}
	if len(below.fields) > 0 {
		n.children = append(n.children, pricedChild{items, n.read.Edge, nil, below})
		n.mixed = false
	}
}

// entries prices the Gets of the items of a Query that returns incomplete entries. Everything below an item is read
// after it.
func (p *pricing) entries(n *pricedField, items float64) {
	if n.read.Result == design.One {
		items = 1
	}
	if items == 0 {
		return
	}
	get := &pricedField{
		step: step{n.Field, -1, false}, isItem: true, after: 1, children: slices.Clone(n.children), mixed: n.mixed,
		own: getWave(1, p.maxBytes(n.read.Types...), p.IsConsistent(n.Field)),
	}
	for i := range get.children {
		get.children[i].items = 1
	}
	entry := &pricedObject{}
	entry.add(get)
	n.children, n.mixed = []pricedChild{{items, "", nil, entry}}, true
}
