package price

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/item/capacity"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/plan"
)

// pricing is the fold that computes the worst case of an operation: it assumes as many items as there can be, and any
// viewer. Fields of one object with equal arguments are one Read; all other Reads are assumed to be different.
type pricing struct {
	// Bound is for any viewer.
	*plan.Bound
	limits  pageLimits
	objects map[pricedKey]*pricedObject
}

// pricedKey is what a pricedObject depends on. Fragments may repeat a node at exponentially many places.
type pricedKey struct {
	object *plan.Object
	known  *plan.KeyNames
	isRead bool
}

// pageLimits replaces larger sizes of pages by size, if it is positive: those of the fields, or of all if there are
// none.
type pageLimits struct {
	size   int
	fields []*ast.Position
}

func (l pageLimits) apply(f *plan.Field, page int) int {
	if l.size == 0 || len(l.fields) > 0 && !slices.Contains(l.fields, f.Position) {
		return page
	}
	return min(page, l.size)
}

// pricedOperation is the worst case of an operation.
type pricedOperation struct {
	*pricing
	*pricedObject
	// waves are those of all phases, in which deferred Gets are where they are sent.
	waves []wave
	// starts are the first waves of the phases; sentIn are the waves in which the deferred Gets of a phase's waves are
	// sent.
	starts []int
	sentIn [][]int
}

// priced returns the worst case of the operation.
func priced(b *plan.Bound, limits pageLimits) pricedOperation {
	p := &pricing{b.ForAnyone(), limits, make(map[pricedKey]*pricedObject, b.Objects())}
	o := pricedOperation{pricing: p}
	if b.Operation.Operation == ast.Mutation {
		o.pricedObject = p.mutations(b.Root)
	} else {
		o.pricedObject = p.object(b.Root, nil, false)
	}
	for _, phase := range o.phases {
		start := len(o.waves)
		waves, sentIn := sendDeferred(slices.Clone(phase))
		for i := range sentIn {
			sentIn[i] += start
		}
		o.waves = append(o.waves, waves...)
		o.starts, o.sentIn = append(o.starts, start), append(o.sentIn, sentIn)
	}
	return o
}

// mutations returns the price of the root of a mutation. Its fields run one after the other and share no Reads.
func (p *pricing) mutations(root *plan.Object) *pricedObject {
	o := &pricedObject{}
	for _, g := range root.Groups {
		if n := p.field(root, nil, false, g); n != nil {
			n.phase = len(o.phases)
			o.add(n)
		}
	}
	return o
}

// object returns the price of everything that is selected below one object. known are the attributes that its key
// provides, or nil; isRead is set if the object itself is read.
func (p *pricing) object(object *plan.Object, known *plan.KeyNames, isRead bool) *pricedObject {
	key := pricedKey{object, known, isRead}
	if o := p.objects[key]; o != nil {
		return o
	}
	o := &pricedObject{}
	p.objects[key] = o
	for _, g := range object.Groups {
		if n := p.field(object, known, isRead, g); n != nil {
			o.add(n)
		}
	}
	return o
}

// field returns the price of a field of one object, or nil if it reads and writes nothing. The parameters are those of
// object.
func (p *pricing) field(object *plan.Object, known *plan.KeyNames, isRead bool, g *plan.Group) *pricedField {
	f := g.Fields[0]
	n := &pricedField{step: step{f, -1, false}, parent: object.Name, read: f.Read}
	if f.Kind == plan.GoField && f.Read == nil {
		n.phase = 1
	} else if isRead && (f.Read == nil || !p.decidesReads(object, f, known)) {
		n.after = 1
	}
	switch {
	case f.Kind == plan.EdgeField || f.Kind == plan.ItemField || f.IsOfEvent() && p.IsEvent():
		return nil // of an event: its LiveField has the price of its item
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
	if declared, is := p.Declared(f); is {
		n.own.units += declared.ReadUnits
		n.writes, n.otherRequests = declared.WriteUnits, declared.Requests
	}
	if !n.hasCost() {
		return nil
	}
	return n
}

// decidesReads reports whether an object's key has all values for the field's key condition, and is enough to authorize
// each viewer. Otherwise the object is read before anything below it, for some viewers.
func (p *pricing) decidesReads(object *plan.Object, f *plan.Field, known *plan.KeyNames) bool {
	if known == nil || !f.ReadFollowsFrom(known.Item) {
		return false
	}
	t := p.Schema.Design.Type(object.Name)
	return t == nil || p.DecideItem(t.Rule, known.Item) != plan.Unknown
}

// maxBytes returns the size of the largest item of the types.
func (p *pricing) maxBytes(types ...string) int {
	size := 1
	for _, name := range types {
		size = max(size, p.Schema.Design.Type(name).MaxBytes)
	}
	return size
}

// get prices a Get, or none for a reference if everything selected is key-only. nodes are those of all places where the
// object is selected.
func (p *pricing) get(n *pricedField, nodes []*plan.Object, places []*plan.Field) {
	keyType := n.read.Matches()[0].Type.Name
	known := p.Schema.KeyNames(n.read, keyType)
	isRead := !n.IsWritten &&
		(!n.read.IsReference() || p.ServedByKey(objectOf(nodes, keyType), known.Item) != plan.KeyAll)
	if isRead {
		n.own = getWave(1, p.maxBytes(n.read.Types...), p.IsConsistent(n.Field))
		if p.isDeferred(places, keyType, known) {
			n.own = n.own.later()
		}
	}
	for _, name := range n.read.Types {
		child := p.object(objectOf(nodes, name), p.Schema.KeyNames(n.read, name), isRead)
		n.children = append(n.children, pricedChild{1, name, nil, child})
	}
	n.mixed = true
}

// isDeferred reports whether a Get waits for other Gets: at each place where the object is selected, only attributes of
// its own depend on its item, and later Gets are expected. If it joins a Query instead, there is one request less.
func (p *pricing) isDeferred(places []*plan.Field, typeName string, known *plan.KeyNames) bool {
	return !slices.ContainsFunc(places, func(f *plan.Field) bool {
		o := f.Child(typeName)
		return o == nil || p.ServedByKey(o, known.Item) == plan.KeyNothing || !p.HasLaterGets(o)
	})
}

// nodes prices the Gets of a field by global id: the ids contain the types.
func (p *pricing) nodes(n *pricedField, g *plan.Group) {
	for _, c := range p.Schema.CountIDs(nil, p.Arguments(n.Field).Answered(n.read)) {
		t := c.Of.Of
		own := getWave(c.Count, t.MaxBytes, p.Consistent)
		if p.isDeferred(g.Fields, t.Name, c.Of) {
			own = own.later()
		}
		n.own = n.own.plus(own, 1)
		if o := objectOf(g.Children, t.Name); o != nil {
			n.children = append(n.children, pricedChild{float64(c.Count), t.Name, nil, p.object(o, c.Of, true)})
		}
	}
}

// query prices one Query for each partition of a collection.
func (p *pricing) query(n *pricedField, g *plan.Group) {
	read, arguments := n.read, p.Arguments(n.Field)
	var err error
	if n.partitions, err = p.Partitions(n.Field); err != nil {
		return
	}
	items, limit := 1, 1
	switch read.Result {
	case design.Many:
		items, limit = read.AtMost, read.AtMost+1
	case design.Connection:
		if !slices.ContainsFunc(g.Fields, (*plan.Field).SelectsPage) || arguments.WindowErr != nil {
			return
		}
		n.page = p.limits.apply(n.Field, arguments.Window.Count)
		n.backward = arguments.Window.Backward
		items, limit = n.page, n.page+1
	}
	n.limit = limit
	if read.AtMost > 0 {
		items, limit = min(items, read.AtMost), min(limit, read.AtMost)
	}
	p.partitioned(n, limit)
	if read.Result == design.Connection {
		p.pageItems(n, g, float64(items))
	} else {
		p.items(n, float64(items), g.Children, nil)
	}
	if slices.ContainsFunc(g.Fields, func(f *plan.Field) bool { return p.Schema.NeedsItems(f, read) }) {
		p.entries(n, float64(items))
	}
}

// partitioned sets what the Queries of a collection consume that request limit items in each partition. If the
// collection has an atMost, all of them together find no more.
func (p *pricing) partitioned(n *pricedField, limit int) {
	each, consistent := p.queries(n, 1, limit), p.IsConsistent(n.Field) && n.read.CanBeConsistent()
	inOrder := n.partitions > 1 && plan.InOrder(n.read)
	if n.own = (wave{}).plus(each, float64(n.partitions)); inOrder {
		n.own = inOrderWave(n.partitions, each, consistent)
	}
	if n.partitions > 1 && n.read.AtMost > 0 {
		all := p.queries(n, n.partitions, n.read.AtMost)
		n.own.queries, n.own.units = min(n.own.queries, all.queries), min(n.own.units, all.units)
	}
	if inOrder {
		n.inOrder(n.own, consistent)
	}
}

// queries returns what the Queries of so many partitions consume that find at most limit items together.
func (p *pricing) queries(n *pricedField, partitions, limit int) wave {
	read, size := n.read, p.maxBytes(n.read.Types...)
	consistent := p.IsConsistent(n.Field) && read.CanBeConsistent()
	w := spreadWave(partitions, limit, size, consistent)
	if p.Arguments(n.Field).Paging.HasCursor() && len(read.Shards()) > 1 && !sortsUniquely(read) {
		// Entries with the cursor's own sort key are skipped, and as many more requested.
		w = w.plus(w, 1)
	}
	if read.Index == "" {
		w = p.joined(n, w, spreadWave(partitions, limit+1, size, consistent), limit)
	}
	if read.HasGap() {
		w = w.plus(w, 1) // The first request may read only items that are not part of the tree.
	}
	return w
}

// joined returns what a Query, which consumes w without a Get, consumes if one joins it. This raises the limit by one,
// with which it consumes more. The Get is priced by itself.
//
// If the Get's item is missing, the Query reads one more item of the collection, which may be larger. If the item comes
// after a collection that is larger than the page, the Query is full without it, and the Get is sent as well. An item
// on the near side, or after a collection that the page covers, is always read by the Query alone.
func (p *pricing) joined(n *pricedField, w, more wave, limit int) wave {
	read := n.read
	far := design.Above
	if read.Descending != n.backward {
		far = design.Below
	}
	if limit < read.AtMost && plan.JoinsFar(limit, read.AtMost) {
		if _, found := p.Schema.Design.SmallestBeside(read.SK.Leading(), far); found {
			return more
		}
	}
	smallest, found := p.Schema.Design.SmallestBeside(read.SK.Leading())
	saved := capacity.Get(smallest, p.Consistent)
	if found && capacity.Get(p.maxBytes(read.Types...), p.Consistent) > saved {
		w.queries = more.queries
		w.units = max(w.units, more.units-saved)
	}
	return w
}

// assume prices a field with a hand-written resolver: its declared cost, or a Get of each stored object that it may
// return. A list is assumed to have MaxPage elements.
func (p *pricing) assume(n *pricedField, g *plan.Group) {
	items := 1
	if n.Definition.Type.Elem != nil {
		items = plan.MaxPage
	}
	declared, hasCost := p.Declared(n.Field)
	for _, o := range g.Children {
		if !hasCost && p.Schema.Design.Type(o.Name) != nil {
			if own := getWave(items, p.maxBytes(o.Name), p.Consistent); own.units > n.own.units {
				n.own = own
			}
		}
	}
	isRead := n.own != (wave{}) || declared.Requests > 0
	for _, o := range g.Children {
		n.children = append(n.children, pricedChild{float64(items), o.Name, nil, p.object(o, nil, isRead)})
	}
	n.mixed = true
}

func objectOf(nodes []*plan.Object, name string) *plan.Object {
	for _, o := range nodes {
		if o.Name == name {
			return o
		}
	}
	return nil
}
