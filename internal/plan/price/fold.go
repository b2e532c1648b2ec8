package price

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/keys/design"
)

// fold finds what an operation reads and writes in the worst case: it assumes as many items as there can be, and any
// viewer. Fields of one object with equal arguments are one Read; all other Reads are assumed to be different.
type fold struct {
	reader
	known map[nodeKey]*object
	// objects are all that are found, each one after those below it.
	objects []*object
	// pages are the fields with a page.
	pages []*field
	// decided are the members that have been read for fields of the object that is being folded.
	decided []decided
}

// nodeKey is what an object depends on. Fragments may repeat a node at exponentially many places.
type nodeKey struct {
	object *plan.Object
	known  *plan.KeyNames
	isRead bool
}

// root returns the object of the root type. The fields of a mutation run one after the other and share no Reads.
func (p *fold) root() *object {
	if p.Operation.Operation != ast.Mutation {
		return p.object(p.Root, nil, false)
	}
	o := &object{}
	for _, g := range p.Root.Groups {
		if n := p.field(p.Root, nil, false, g); n != nil {
			n.phase = len(o.phases)
			o.fields = append(o.fields, n)
			o.add(n)
		}
	}
	p.objects = append(p.objects, o)
	return o
}

// object returns everything that is selected below one object. known are the attributes that its key provides, or nil;
// isRead is set if the object itself is read.
func (p *fold) object(of *plan.Object, known *plan.KeyNames, isRead bool) *object {
	at := nodeKey{of, known, isRead}
	if o := p.known[at]; o != nil {
		return o
	}
	o := &object{}
	p.known[at] = o
	defer func(outside []decided) { p.decided = outside }(p.decided)
	p.decided = nil
	for _, g := range of.Groups {
		if n := p.field(of, known, isRead, g); n != nil {
			o.fields = append(o.fields, n)
		}
	}
	return p.summed(o)
}

// summed returns an object whose fields are known.
func (p *fold) summed(o *object) *object {
	o.sum()
	p.objects = append(p.objects, o)
	return o
}

// field returns a field of one object, or nil if it reads and writes nothing. The parameters are those of object.
func (p *fold) field(of *plan.Object, known *plan.KeyNames, isRead bool, g *plan.Group) *field {
	f := g.Fields[0]
	n := &field{step: step{f, -1, false}, parent: of.Name, read: f.Read, declared: p.Declared(f)}
	if f.Kind == plan.GoField && f.Read == nil {
		n.phase = 1
	} else if isRead && (f.Read == nil || !p.decidesReads(of, f, known)) {
		n.after = 1
	}
	switch {
	case f.Kind == plan.EdgeField || f.Kind == plan.ItemField || f.IsOfEvent() && p.IsEvent():
		return nil // of an event: its LiveField has its item
	case f.Mutation != nil:
		p.mutation(n, g)
	case f.Live != nil && (p.IsEvent() || f.Kind == plan.LiveField):
		p.live(n, g)
	case f.Read == nil:
		p.assume(n, g)
	case f.Read.Kind.IsByID():
		p.nodes(n, g)
	case f.Read.Kind == design.Query:
		p.query(n, g)
	default:
		p.get(n, g.Children, g.Fields)
	}
	n.addDeclared()
	if !n.hasCost() {
		return nil
	}
	return n
}

// decidesReads reports whether an object's key has all values for the field's key condition, and is enough to authorize
// each viewer. Otherwise the object is read before anything below it, for some viewers.
func (p *fold) decidesReads(of *plan.Object, f *plan.Field, known *plan.KeyNames) bool {
	if known == nil || !f.ReadFollowsFrom(known.Item) || p.NeedsSince(f, known.Item) {
		return false
	}
	t := p.Schema.Design.Type(of.Name)
	return t == nil || p.DecideKeyOnly(t.Rule, known.Item) != plan.Unknown
}

// mutation finds what a MutationField itself reads and writes for its input, and what is selected below its payload,
// which is read afterwards.
func (p *fold) mutation(n *field, g *plan.Group) {
	work := p.Arguments(n.Field).Workload()
	n.own.units, n.writes = work.ReadUnits, float64(work.Units())
	n.otherRequests = float64(work.Reads)
	if n.writes > 0 {
		n.otherRequests++
	}
	p.below(n, g.Children, nil, true)
}

// below finds what is selected below each item of a field that is an object itself. isRead is set if they are read.
func (p *fold) below(n *field, nodes []*plan.Object, via []string, isRead bool) {
	for _, o := range nodes {
		n.children = append(n.children, child{1, o.Name, via, p.object(o, nil, isRead)})
	}
	n.mixed = true
}

// assume finds what a field with a hand-written resolver reads: its declared cost, or a Get of each stored object that
// it may return. A list is assumed to have MaxPage elements.
func (p *fold) assume(n *field, g *plan.Group) {
	p.decide(n)
	items := 1
	if n.Definition.Type.Elem != nil {
		items = plan.MaxPage
	}
	for _, o := range g.Children {
		if n.declared == nil && p.Schema.Design.Type(o.Name) != nil {
			if own := p.getWave(items, p.maxBytes(o.Name), p.Consistent); own.units > n.own.units {
				n.own = own
			}
		}
	}
	p.below(n, g.Children, nil, n.own != (wave{}) || n.declared != nil && n.declared.Requests > 0)
	if n.Kind == plan.GoField {
		p.after(n, p.returned(n, g))
	}
	n.setItems(items)
}

// get finds what a Get reads: nothing for a reference if everything selected is key-only. nodes are those of all places
// where the object is selected.
func (p *fold) get(n *field, nodes []*plan.Object, places []*plan.Field) {
	later, items := p.decide(n), p.Elements(n.Field)
	keyType := n.read.Matches()[0].Type.Name
	known := p.Schema.KeyNames(n.read, keyType)
	isRead := !n.IsWritten &&
		(!n.read.IsReference() || p.ServedByKey(objectOf(nodes, keyType), known.Item) != plan.KeyAll)
	if isRead {
		n.own = p.getWave(items, p.maxBytes(n.read.Types...), p.IsConsistent(n.Field))
		if p.isDeferred(places, keyType, known) {
			n.own = n.own.later()
		}
	}
	for _, name := range n.read.Types {
		o := p.object(objectOf(nodes, name), p.Schema.KeyNames(n.read, name), isRead)
		n.children = append(n.children, child{float64(items), name, nil, o})
	}
	n.mixed = true
	p.after(n, later)
	n.setItems(items)
}

// isDeferred reports whether a Get waits for other Gets: at each place where the object is selected, only attributes of
// its own depend on its item, and later Gets are expected. If it joins a Query instead, there is one request less.
func (p *fold) isDeferred(places []*plan.Field, typeName string, known *plan.KeyNames) bool {
	return !slices.ContainsFunc(places, func(f *plan.Field) bool {
		o := f.Child(typeName)
		return o == nil || p.ServedByKey(o, known.Item) == plan.KeyNothing || !p.HasLaterGets(o)
	})
}

// nodes finds the Gets of a field by global id: the ids contain the types.
func (p *fold) nodes(n *field, g *plan.Group) {
	p.decide(n)
	for _, c := range p.Schema.CountIDs(nil, p.Arguments(n.Field).Answered(n.read)) {
		t := c.Of.Of
		own := p.getWave(c.Count, t.MaxBytes, p.Consistent)
		if p.isDeferred(g.Fields, t.Name, c.Of) {
			own = own.later()
		}
		n.own = n.own.plus(own, 1)
		of := child{float64(c.Count), t.Name, nil, &object{}}
		if o := objectOf(g.Children, t.Name); o != nil {
			of.object = p.object(o, c.Of, true)
		}
		if later := p.decideType(n, t, p.idNames(t), of.items); len(later) > 0 {
			of.object = p.afterItem(n, later, []child{{1, t.Name, nil, of.object}}, true)
		}
		n.children = append(n.children, of)
	}
}

// query finds one Query for each partition of a collection.
func (p *fold) query(n *field, g *plan.Group) {
	arguments := p.Arguments(n.Field)
	later := p.decide(n)
	var err error
	if n.partitions, err = p.Partitions(n.Field); err != nil {
		return
	}
	if n.read.Result == design.Connection {
		isFiltered := arguments.IsFiltered(n.read)
		selectsItems := func(f *plan.Field) bool { return f.SelectsItems(isFiltered) }
		isInvalid := arguments.WindowErr != nil && slices.ContainsFunc(g.Fields, (*plan.Field).SelectsPage)
		if isInvalid || !slices.ContainsFunc(g.Fields, selectsItems) {
			return
		}
		n.page, n.backward = arguments.Window.Count, arguments.Window.Backward
		p.pages = append(p.pages, n)
		p.items(n, g, n.read, pagePaths(g), true)
	} else {
		p.below(n, g.Children, nil, true)
	}
	p.after(n, later)
	if slices.ContainsFunc(g.Fields, func(f *plan.Field) bool { return p.Schema.NeedsItems(f, n.read) }) && n.page != 0 {
		p.entries(n)
	}
	p.resize(n, n.page)
}

// items finds what is selected below the items of a collection, which are those of a page or of an event. isRead is set
// if they are read.
func (p *fold) items(n *field, g *plan.Group, of *design.Field, at paths, isRead bool) {
	below := &object{}
	switch {
	case !of.EdgeNode:
		p.below(n, g.Nodes, at.node, isRead)
	case len(g.Nodes) > 0:
		// Selected as nodes or as edges { node }, it is one Get.
		node := &field{
			step: step{at.nodes[0], -1, false}, parent: of.Edge, isNode: true,
			read: p.Schema.Design.Field(of.Edge, plan.NodeName),
		}
		if isRead {
			node.after = 1
		}
		if len(at.node) > 1 {
			node.via = at.node[:1]
		}
		if p.get(node, g.Nodes, at.nodes); node.hasCost() {
			below.fields = append(below.fields, node)
		}
	}
	if g.Edge != nil {
		for _, sub := range g.Edge.Groups {
			if sub.Fields[0].Name == plan.NodeName {
				continue
			}
			if extra := p.field(g.Edge, nil, isRead, sub); extra != nil {
				extra.via = at.edge
				below.fields = append(below.fields, extra)
			}
		}
	}
	if len(below.fields) > 0 {
		n.children = append(n.children, child{1, of.Edge, nil, p.summed(below)})
		n.mixed = false
	}
}

// entries finds the Gets of the items of a Query that returns incomplete entries. What is below an item is read
// after it.
func (p *fold) entries(n *field) {
	get := &field{
		step: step{n.Field, -1, false}, isItem: true, after: 1, children: n.children, mixed: n.mixed,
		own: p.getWave(1, p.maxBytes(n.read.Types...), p.IsConsistent(n.Field)),
	}
	n.children, n.mixed = []child{{1, "", nil, p.summed(&object{fields: []*field{get}})}}, true
}

// live finds what the field of a subscription reads, or what is selected of the item of its event.
func (p *fold) live(n *field, g *plan.Group) {
	if p.IsEvent() {
		n.read = n.Live
		p.event(n, p.decide(n))
	}
	if n.read = nil; p.IsEvent() && n.Kind == plan.LiveField {
		p.items(n, g.Children[0].EventItem, n.Live, eventPaths(n.Children[0]), false)
	} else {
		p.below(n, g.Children, nil, false)
	}
}

func objectOf(nodes []*plan.Object, name string) *plan.Object {
	for _, o := range nodes {
		if o.Name == name {
			return o
		}
	}
	return nil
}
