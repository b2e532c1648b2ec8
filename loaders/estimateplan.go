package loaders

import (
	"encoding/json"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/item"
	"github.com/partita/partita/item/capacity"
	"github.com/partita/partita/keys"
)

// estimatePlanner makes the worst-case plan of an operation. It walks the selection set as the
// prefetch does, but without reading: it assumes as many items as there can be. Fields of one object
// with equal arguments are one Read, as in the operation; all other Reads are assumed to be
// different.
type estimatePlanner struct {
	boundOperation
	schema  *ast.Schema
	strong  bool
	pageCap func(*ast.Field, int) int
	objects map[objectKey]*objectNode
}

// objectKey is what an objectNode depends on. Equal ones share a node, because fragments may spread
// the same selection at exponentially many places.
type objectKey struct {
	object     string
	keyOnly    string
	read       bool
	selections uint64
}

// operation returns the plan of the root. Mutations run one after the other and share no Reads.
func (p *estimatePlanner) operation() *objectNode {
	definition := p.request.Operation
	root := p.schema.Query
	if definition.Operation == ast.Mutation {
		root = p.schema.Mutation
	}
	all := []graphql.CollectedField{{Field: &ast.Field{}, Selections: definition.SelectionSet}}
	if definition.Operation != ast.Mutation {
		return p.object(root.Name, nil, false, all)
	}
	o := &objectNode{}
	for _, f := range p.fieldsOf(root.Name, all) {
		if n := p.field(root.Name, nil, false, []graphql.CollectedField{f}); n != nil {
			n.after = len(o.waves)
			o.add(n)
		}
	}
	return o
}

// fieldsOf returns the fields of an object type that are selected at the places.
func (p *estimatePlanner) fieldsOf(object string, places []graphql.CollectedField) []graphql.CollectedField {
	def := p.schema.Types[object]
	satisfies := []string{object}
	for _, d := range p.schema.GetImplements(def) {
		satisfies = append(satisfies, d.Name)
	}
	var fields []graphql.CollectedField
	for _, f := range places {
		fields = append(fields, graphql.CollectFields(p.request, f.Selections, satisfies)...)
	}
	return fields
}

// object returns the plan of everything that is selected below one object at the places. keyOnly are
// the attributes that its key provides, some without their values; read is set if the object itself
// is read.
func (p *estimatePlanner) object(
	object string, keyOnly item.Item, read bool, places []graphql.CollectedField,
) *objectNode {
	places, hash := distinct(places)
	key := objectKey{object, fmt.Sprint(keyOnly), read, hash}
	if o := p.objects[key]; o != nil {
		return o
	}
	o := &objectNode{}
	p.objects[key] = o
	for _, group := range p.grouped(p.fieldsOf(object, places)) {
		if n := p.field(object, keyOnly, read, group); n != nil {
			o.add(n)
		}
	}
	return o
}

// distinct returns the places without repeated selections, and a hash of them.
func distinct(places []graphql.CollectedField) ([]graphql.CollectedField, uint64) {
	seen := make(map[selection]bool, len(places))
	var h maphash.Hash
	h.SetSeed(selectionSeed)
	var kept []graphql.CollectedField
	for _, f := range places {
		s := selectionOf(f)
		if seen[s] {
			continue
		}
		seen[s] = true
		maphash.WriteComparable(&h, s)
		kept = append(kept, f)
	}
	return kept, h.Sum64()
}

// grouped returns the fields in groups of the same name and arguments, whatever their aliases.
func (p *estimatePlanner) grouped(fields []graphql.CollectedField) [][]graphql.CollectedField {
	var groups [][]graphql.CollectedField
	places := map[string]int{}
	for _, f := range fields {
		if f.Definition == nil || strings.HasPrefix(f.Name, "__") {
			continue
		}
		arguments, err := json.Marshal(f.ArgumentMap(p.request.Variables))
		key := f.Name + string(arguments)
		i, known := places[key]
		if !known || err != nil {
			i = len(groups)
			places[key] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], f)
	}
	return groups
}

// field returns the plan of a field of one object, or nil if it reads and writes nothing. The
// parameters are those of object.
func (p *estimatePlanner) field(
	parent string, keyOnly item.Item, read bool, group []graphql.CollectedField,
) *fieldNode {
	f := group[0]
	n := &fieldNode{
		parent: parent,
		group:  group,
		field:  p.design.Field(parent, f.Name),
		args:   f.ArgumentMap(p.request.Variables),
		page:   -1,
	}
	cost := declaredCostOf(f.Definition, n.args)
	switch {
	case n.field == nil:
		if read {
			n.after = 1
		}
		p.assume(n, cost)
	case n.field.Kind == keys.Node || n.field.Kind == keys.Nodes:
		p.nodes(n)
	default:
		n.values = func(name string) keys.Value {
			if arg := n.field.Argument(name); arg != nil {
				return keys.ArgumentValue(*arg, n.args[name])
			}
			return keys.AttributeValue(keyOnly, name)
		}
		if read && (!providesCondition(keyOnly, n.field) || !p.decidesAccess(parent, keyOnly)) {
			n.after = 1
		}
		if n.field.Kind == keys.Query {
			p.query(n)
		} else {
			p.get(n)
		}
	}
	if cost != nil {
		n.own.units += cost.readUnits
		n.writes, n.otherRequests = cost.writeUnits, cost.requests()
	}
	if !n.hasCost() {
		return nil
	}
	return n
}

// noValues are the values of a parent that has not been read.
func noValues(string) keys.Value { return keys.Value{} }

// hasCost reports whether anything is read or written for the field or below it.
func (n *fieldNode) hasCost() bool {
	n.children = slices.DeleteFunc(n.children, func(c child) bool { return len(c.object.fields) == 0 })
	return len(n.children) > 0 || n.own != (readCapacity{}) || n.writes > 0
}

// providesCondition reports whether a key-only parent has all values for the field's key condition.
func providesCondition(keyOnly item.Item, fd *keys.Field) bool {
	for _, name := range append(fd.PK.Variables(), fd.SK.Variables()...) {
		if _, ok := keyOnly.Get(name); !ok && fd.Argument(name) == nil && name != keys.ViewerVariable {
			return false
		}
	}
	return true
}

// decidesAccess reports whether an object's key is enough to authorize each viewer. Otherwise the
// object is read before anything below it, for some viewers.
func (p *estimatePlanner) decidesAccess(object string, keyOnly item.Item) bool {
	t := p.design.Type(object)
	return t == nil || p.decideItem(t, keyOnly) != unknown
}

// maxBytes returns the size of the largest item of the types.
func (p *estimatePlanner) maxBytes(types ...string) int {
	size := 1
	for _, name := range types {
		size = max(size, p.design.Type(name).MaxBytes)
	}
	return size
}

// get plans a Get, or none for a reference if everything selected is key-only.
func (p *estimatePlanner) get(n *fieldNode) {
	c, err := n.field.Bind(n.values).Condition()
	if err != nil || c.IsEmpty() {
		c.KeyOnly = keys.KeyOnly(p.design.Type(n.field.Types[0]))
	}
	isRead := slices.ContainsFunc(n.group, func(f graphql.CollectedField) bool { return !p.isKeyOnly(c, f) })
	if isRead {
		n.own = getCapacity(1, p.maxBytes(n.field.Types...), p.strong)
	}
	for _, name := range n.field.Types {
		keyOnly := c.KeyOnly
		if name != keyOnly.Type() {
			keyOnly = keys.KeyOnly(p.design.Type(name))
		}
		n.children = append(n.children, child{1, p.object(name, keyOnly, isRead, n.group)})
	}
	n.mixed = true
}

// nodes plans the Gets of node and nodes, whose global ids contain the types.
func (p *estimatePlanner) nodes(n *fieldNode) {
	seen := map[keys.Key]bool{}
	keyOnly := map[string]item.Item{}
	count := map[string]int{}
	var types []string
	for _, c := range p.conditions(n.field, n.group[0], nil) {
		if seen[c.Key] {
			continue
		}
		seen[c.Key] = true
		n.keys = append(n.keys, c.Key)
		name := c.KeyOnly.Type()
		if count[name]++; count[name] == 1 {
			types = append(types, name)
			keyOnly[name] = c.KeyOnly
		} else {
			keyOnly[name] = keys.KeyOnly(p.design.Type(name))
		}
	}
	for _, name := range types {
		n.own = n.own.plus(getCapacity(count[name], p.maxBytes(name), p.strong), 1)
		n.children = append(n.children, child{float64(count[name]), p.object(name, keyOnly[name], true, n.group)})
	}
}

// query plans one Query for each partition of a collection.
func (p *estimatePlanner) query(n *fieldNode) {
	fd := n.field
	argument := func(name string) keys.Value {
		if arg := fd.Argument(name); arg != nil {
			return keys.ArgumentValue(*arg, n.args[name])
		}
		return keys.Value{}
	}
	var err error
	if n.partitions, err = fd.PartitionCount(argument); err != nil {
		return
	}
	items, limit := n.partitions, 1
	switch fd.Result {
	case keys.Many:
		items, limit = fd.AtMost, fd.AtMost+1
	case keys.Connection:
		if !slices.ContainsFunc(n.group, p.selectsPage) {
			return
		}
		w, err := pagingOf(n.args).size()
		if err != nil {
			return
		}
		n.page = w.count
		if p.pageCap != nil {
			n.page = p.pageCap(n.group[0].Field, n.page)
		}
		items, limit = n.page, n.page+1
	}
	n.limit = limit
	if fd.AtMost > 0 {
		items, limit = min(items, fd.AtMost), min(limit, fd.AtMost)
	}
	n.own = readCapacity{}.plus(p.partition(n, limit), float64(n.partitions))
	if fd.Result == keys.Connection {
		p.pages(n, float64(items))
		return
	}
	for _, name := range fd.Types {
		n.children = append(n.children, child{float64(items), p.object(name, nil, true, n.group)})
	}
	n.mixed = true
}

// partition returns what the Query of one partition consumes.
func (p *estimatePlanner) partition(n *fieldNode, limit int) readCapacity {
	fd := n.field
	size := p.maxBytes(fd.Types...)
	hasCursor := n.args["after"] != nil || n.args["before"] != nil
	c := queryCapacity(limit, size, p.strong && fd.Index == "")
	if hasCursor && n.partitions > 1 && !p.sortsUniquely(fd) {
		// Entries with the cursor's own sort key are skipped, and as many more requested.
		c = c.plus(c, 1)
	}
	if fd.Index != "" {
		return c
	}
	// A Get that joins the Query raises its limit by one. If there is no such object, the Query
	// reads one more item of the collection, which may be larger.
	joined, found := p.design.SmallestBeside(fd.SK.Leading())
	if saved := capacity.Get(joined, p.strong); found && capacity.Get(size, p.strong) > saved {
		more := queryCapacity(limit+1, size, p.strong)
		c.queries = more.queries
		c.units = max(c.units, more.units-saved)
	}
	return c
}

// sortsUniquely reports whether no two items of the collection have equal sort keys, in the same
// shard or in different ones.
func (p *estimatePlanner) sortsUniquely(fd *keys.Field) bool {
	for _, m := range fd.Matches() {
		variables := append(m.Shape.PK.Variables(), m.Shape.SK.Variables()...)
		for _, name := range m.Type.Identity {
			if !slices.Contains(variables, name) {
				return false
			}
		}
	}
	return true
}

// pages plans what is selected below the items of a page, as walkPage does.
func (p *estimatePlanner) pages(n *fieldNode, items float64) {
	fd := n.field
	var nodes, edges []graphql.CollectedField
	for _, f := range n.group {
		nodes = append(nodes, p.nodesOf(fd, f)...)
		for _, part := range p.collect(f, f.Definition.Type.Name()) {
			if part.Name == "edges" {
				edges = append(edges, part)
			}
		}
	}
	if len(nodes) > 0 && !fd.EdgeNode {
		for _, name := range fd.Types {
			n.children = append(n.children, child{items, p.object(name, nil, true, nodes)})
		}
		n.mixed = true
	}
	below := &objectNode{}
	if len(nodes) > 0 && fd.EdgeNode {
		// Selected as nodes or as edges { node }, it is one Get.
		field := p.design.Field(fd.Edge, "node")
		node := &fieldNode{parent: fd.Edge, group: nodes, field: field, page: -1, after: 1, values: noValues}
		if p.get(node); node.hasCost() {
			below.add(node)
		}
	}
	for _, group := range p.grouped(p.fieldsOf(fd.Edge, edges)) {
		if group[0].Name == "node" {
			continue
		}
		if extra := p.field(fd.Edge, nil, true, group); extra != nil {
			below.add(extra)
		}
	}
	if len(below.fields) > 0 {
		n.children = append(n.children, child{items, below})
		n.mixed = false
	}
}

// assume plans a field with a hand-written resolver: its declared cost, or a Get of each stored
// object that it may return. A list is assumed to have MaxPage elements.
func (p *estimatePlanner) assume(n *fieldNode, cost *declaredCost) {
	f := n.group[0]
	def := p.schema.Types[f.Definition.Type.Name()]
	if !def.IsCompositeType() {
		return
	}
	items := 1
	if f.Definition.Type.Elem != nil {
		items = MaxPage
	}
	for _, object := range p.schema.GetPossibleTypes(def) {
		if cost == nil && p.design.Type(object.Name) != nil {
			c := getCapacity(items, p.maxBytes(object.Name), p.strong)
			if c.units > n.own.units {
				n.own = c
			}
		}
	}
	read := n.own != (readCapacity{}) || cost.requests() > 0
	for _, object := range p.schema.GetPossibleTypes(def) {
		n.children = append(n.children, child{float64(items), p.object(object.Name, nil, read, n.group)})
	}
	n.mixed = true
}
