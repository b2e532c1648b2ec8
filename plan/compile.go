package plan

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"

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

type compiler struct {
	*Schema
	doc       *ast.QueryDocument
	variables map[string]any
	plan      *Plan
	// sets numbers the selection sets of the document.
	sets map[*ast.Selection]uint32
	// objects are the nodes by their type and the selection sets that are merged: fragments may spread the same
	// selection at exponentially many places.
	objects map[string]*Object
}

// collected is a field of a merged selection.
type collected struct {
	*ast.Field
	sets []ast.SelectionSet
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

// collect appends the fields of an object type that are selected, merged by their response names in the order of their
// first occurrence: CollectFields() of the GraphQL specification, section 6.3.2.
func (c *compiler) collect(
	fields []collected, t *objectType, sets []ast.SelectionSet, spread map[string]bool,
) []collected {
	for _, set := range sets {
		for _, selection := range set {
			switch s := selection.(type) {
			case *ast.Field:
				if c.includes(s.Directives) {
					fields = merge(fields, s)
				}
			case *ast.InlineFragment:
				if c.includes(s.Directives) && (s.TypeCondition == "" || slices.Contains(t.satisfies, s.TypeCondition)) {
					fields = c.collect(fields, t, []ast.SelectionSet{s.SelectionSet}, spread)
				}
			case *ast.FragmentSpread:
				if spread[s.Name] || !c.includes(s.Directives) {
					continue
				}
				spread[s.Name] = true
				if slices.Contains(t.satisfies, s.Definition.TypeCondition) {
					fields = c.collect(fields, t, []ast.SelectionSet{s.Definition.SelectionSet}, spread)
				}
			}
		}
	}
	return fields
}

// merge adds a field. Those with the same response name are the same field, except in the merged children of a group:
// they are of several objects in the response.
func merge(fields []collected, f *ast.Field) []collected {
	for i := range fields {
		if fields[i].Alias == f.Alias && isSame(fields[i].Field, f) {
			fields[i].sets = append(fields[i].sets, f.SelectionSet)
			return fields
		}
	}
	return append(fields, collected{f, []ast.SelectionSet{f.SelectionSet}})
}

// isSame reports whether two fields of an object have the same name and arguments.
func isSame(a, b *ast.Field) bool {
	return a == b || a.Name == b.Name && argumentsKey(a.Arguments) == argumentsKey(b.Arguments)
}

// includes evaluates @skip and @include. Other directives are executed by Go code.
func (c *compiler) includes(directives ast.DirectiveList) bool {
	c.handWritten(hasOther(directives))
	for _, d := range directives {
		if !isCondition(d) {
			continue
		}
		value, _ := d.Arguments.ForName("if").Value.Value(c.variables)
		if value == (d.Name == "skip") {
			return false
		}
	}
	return true
}

// handWritten sets that the operation executes Go code of the application, if it is so and there is any.
func (c *compiler) handWritten(is bool) {
	is = is && !c.Design.IsWithoutGo()
	c.plan.HandWritten = c.plan.HandWritten || is
}

func isCondition(d *ast.Directive) bool { return d.Name == "skip" || d.Name == "include" }

func hasOther(directives ast.DirectiveList) bool {
	return slices.ContainsFunc(directives, func(d *ast.Directive) bool { return !isCondition(d) })
}

// field returns the node of a field of an object.
func (c *compiler) field(t *objectType, parent *Object, f collected) *Field {
	n := &Field{
		Name: f.Name, Alias: f.Alias, Key: []byte(`"` + f.Alias + `":`),
		Parent: t.Name, Definition: f.Definition, Position: f.Position,
		Slot: -1, ast: f.Field, index: len(c.plan.fields),
	}
	c.plan.fields = append(c.plan.fields, n)
	if known := t.fields[f.Name]; known != nil {
		n.Kind, n.Read, n.Rule, n.Format, n.cost = known.kind, known.read, known.rule, known.format, known.cost
		n.Mutation = known.mutation
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
		n.static = c.arguments(n, nil)
	case n.Mutation != nil:
		n.static = c.mutationArguments(n, nil)
	}
	n.IsWritten = n.Kind == ReadField && t.payload != nil && n.Name == t.payload.Object
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
		if kind := o.Fields[i].Kind; kind == TypenameField || kind == IntrospectionField {
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

// argumentsKey returns a text that is equal for equal arguments, in any order.
func argumentsKey(arguments ast.ArgumentList) string {
	if len(arguments) == 0 {
		return ""
	}
	texts := make([]string, len(arguments))
	for i, a := range arguments {
		texts[i] = a.Name + ":" + a.Value.String()
	}
	slices.Sort(texts)
	return "(" + strings.Join(texts, ",") + ")"
}

func usesVariables(arguments ast.ArgumentList) bool {
	return slices.ContainsFunc(arguments, func(a *ast.Argument) bool { return usesVariable(a.Value) })
}

func usesVariable(v *ast.Value) bool {
	return v.Kind == ast.Variable ||
		slices.ContainsFunc(v.Children, func(child *ast.ChildValue) bool { return usesVariable(child.Value) })
}
