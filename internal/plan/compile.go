package plan

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys/design"
)

// Compile returns the plan of a validated operation. variables must have the Boolean variables of its @skip and
// @include: a plan has no conditions, so that there is one for each combination of their values. Document keeps them.
func (s *Schema) Compile(
	doc *ast.QueryDocument, operation *ast.OperationDefinition, variables map[string]any,
) *Plan {
	c := &compiler{
		Schema:    s,
		doc:       doc,
		variables: variables,
		plan:      &Plan{Schema: s, Operation: operation},
		sets:      make(map[*ast.Selection]uint32),
		objects:   make(map[string]*Object),
	}
	root := s.AST.Query
	switch operation.Operation {
	case ast.Mutation:
		root = s.AST.Mutation
	case ast.Subscription:
		root = s.AST.Subscription
	}
	c.handWritten(hasOther(operation.Directives))
	c.plan.Root = c.object(s.types[root.Name], []ast.SelectionSet{operation.SelectionSet})
	c.plan.objects = len(c.objects)
	c.plan.cachePolicy = c.plan.newCachePolicy()
	return c.plan
}

// object returns the node of a type with the merged selection sets.
func (c *compiler) object(t *objectType, sets []ast.SelectionSet) *Object {
	key, sets := c.key(t, sets)
	if o := c.objects[key]; o != nil {
		return o
	}
	o := &Object{Name: t.Name, Type: t.stored, Index: len(c.objects)}
	c.objects[key] = o
	fields := c.collect(nil, t, sets, map[string]bool{})
	for _, f := range fields {
		o.Fields = append(o.Fields, c.field(t, o, f))
	}
	c.group(t, o, fields)
	o.weigh()
	return o
}

// key identifies a node. It returns the sets without repeats.
func (c *compiler) key(t *objectType, sets []ast.SelectionSet) (string, []ast.SelectionSet) {
	key := append([]byte(t.Name), 0)
	var distinct []ast.SelectionSet
	var seen []uint32
	for _, set := range sets {
		if len(set) == 0 {
			continue
		}
		id, known := c.sets[&set[0]]
		if !known {
			id = uint32(len(c.sets))
			c.sets[&set[0]] = id
		}
		if !slices.Contains(seen, id) {
			seen = append(seen, id)
			distinct = append(distinct, set)
			key = binary.LittleEndian.AppendUint32(key, id)
		}
	}
	return string(key), distinct
}

// field returns the node of a field of an object.
func (c *compiler) field(t *objectType, parent *Object, f collected) *Field {
	n := &Field{
		Name: f.Name, Alias: f.Alias, Key: []byte(`"` + f.Alias + `":`),
		Parent: t.Name, Definition: f.Definition, Position: f.Position,
		Slot: -1, ast: f.Field, index: len(c.plan.fields),
	}
	c.plan.fields = append(c.plan.fields, n)
	if c.isNotReady(t, n) {
		n.Kind = NotReadyField
		return n
	}
	if known := t.fields[f.Name]; known != nil {
		n.Kind, n.Read, n.Rule, n.Format, n.cost = known.kind, known.read, known.rule, known.format, known.cost
		n.Mutation, n.difference = known.mutation, known.difference
	} else if f.Name == "__typename" {
		n.Kind = TypenameField
	}
	c.live(t, n)
	switch n.Kind {
	case GoField:
		c.handWritten(true)
		c.plan.goField = cmp.Or(c.plan.goField, n)
		if n.Read != nil {
			parent.Edited = append(parent.Edited, n)
		}
	case ReadField, MutationField, EdgesField, NodesField, NodeField, LiveField, EdgeField, ItemField:
		n.Slot = parent.Slots
		parent.Slots++
		if n.Kind == ReadField {
			parent.Reads++
		}
	case IntrospectionField:
		if t.Definition == c.AST.Query {
			c.plan.introspects = append(c.plan.introspects, n)
		}
	}
	n.Children = c.children(n, f.sets)
	n.needsItems = c.entriesLack(n)
	c.setSources(t, n)
	switch {
	case n.of != nil || usesVariables(f.Arguments):
	case n.condition() != nil:
		n.static = c.arguments(newArgumentSlab(n), n, nil)
	case n.Mutation != nil:
		n.static = c.mutationArguments(n, nil)
	}
	n.IsWritten = n.Kind == ReadField && t.payload != nil && c.returns(t.payload, n.Name)
	if n.isSized() {
		c.plan.sized = append(c.plan.sized, n)
	}
	return n
}

// children returns the nodes of the object types that a field may return.
func (c *compiler) children(f *Field, sets []ast.SelectionSet) []*Object {
	def := c.AST.Types[f.Definition.Type.Name()]
	if !def.IsCompositeType() {
		return nil
	}
	var children []*Object
	for _, name := range c.possible(f, def) {
		children = append(children, c.object(c.types[name], sets))
	}
	return children
}

// possible returns the names of the object types that a field may return.
func (c *compiler) possible(f *Field, def *ast.Definition) []string {
	switch {
	case def.Kind == ast.Object:
		return []string{def.Name}
	case f.Read != nil && f.Read.Result != design.Connection:
		return f.Read.Types
	}
	var names []string
	for _, object := range c.AST.GetPossibleTypes(def) {
		names = append(names, object.Name)
	}
	return names
}

// group sets the groups of an object's fields.
func (c *compiler) group(t *objectType, o *Object, fields []collected) {
	places := make(map[string]int, len(fields))
	var merged [][]ast.SelectionSet
	for i, f := range fields {
		if kind := o.Fields[i].Kind; kind == TypenameField || kind == IntrospectionField || kind == NotReadyField {
			continue
		}
		key := o.Fields[i].GroupKey()
		if t.Definition == c.AST.Mutation {
			key = f.Alias // Mutations run one after the other and share no Reads.
		}
		at, known := places[key]
		if !known {
			at = len(o.Groups)
			places[key] = at
			o.Groups = append(o.Groups, &Group{})
			merged = append(merged, nil)
		}
		o.Groups[at].Fields = append(o.Groups[at].Fields, o.Fields[i])
		merged[at] = append(merged[at], f.sets...)
	}
	for i, g := range o.Groups {
		g.Children = g.Fields[0].Children
		if len(g.Fields) > 1 {
			g.Children = c.children(g.Fields[0], merged[i])
		}
		if read := g.Fields[0].Read; read != nil && read.Result == design.Connection {
			c.page(g, read, merged[i])
		}
	}
	if t.event != nil {
		o.EventItem = c.eventItem(o, t.event, fields)
	}
}

// page sets the nodes of a group of connections. sets are the selections of the connections.
func (c *compiler) page(g *Group, read *design.Field, sets []ast.SelectionSet) {
	var edges, nodes []ast.SelectionSet
	connection := g.Children[0].Name
	for _, part := range c.collect(nil, c.types[connection], sets, map[string]bool{}) {
		if c.Design.IsNotReady(connection, part.Name) {
			continue
		}
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
	if len(nodes) == 0 || read.EdgeNode && c.Design.IsNotReady(read.Edge, NodeName) {
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

// live sets what a field of Subscription, or the connection of its events, reads.
func (c *compiler) live(t *objectType, f *Field) {
	switch {
	case t.Definition == c.AST.Subscription && f.Read != nil:
		f.Live, c.plan.Live = f.Read, f
		if f.Read.Result == design.Connection {
			f.Kind, f.Read = LiveField, nil
		}
	case t.event != nil && f.Kind == ReadField:
		f.Read, f.of = c.plan.Live.Live, c.plan.Live
	}
}

// eventItem returns the nodes of everything that is selected of the item of an event, by its edge or its node.
func (c *compiler) eventItem(o *Object, live *design.Field, fields []collected) *Group {
	var edges, nodes []ast.SelectionSet
	for i, f := range fields {
		switch o.Fields[i].Kind {
		case ItemField:
			nodes = append(nodes, f.sets...)
		case EdgeField:
			edges = append(edges, f.sets...)
			nodes = append(nodes, c.nodeSets(live, f.sets)...)
		}
	}
	g := &Group{}
	c.items(g, live, edges, nodes)
	return g
}
