package complete

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/finding"
	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// completeConnections adds the types of connections that fields return without a declaration, and the arguments by
// which connections are paged.
func completeConnections(all *ast.SchemaDocument) finding.Findings {
	c := &connectionCompleter{all: all, connections: map[string]*addedConnection{}, edges: map[string]*addedConnection{}}
	for _, def := range sdl.Declarations(all) {
		if def.Kind != ast.Object && def.Kind != ast.Interface {
			continue
		}
		for _, f := range def.Fields {
			c.complete(def, f) // Also in a list, which checkResults finds.
		}
	}
	return c.findings
}

// complete adds what a field needs to return a connection.
func (c *connectionCompleter) complete(parent *ast.Definition, f *ast.FieldDefinition) {
	name := f.Type.Name()
	if sdl.IsDeclared(c.all, name) && c.connections[name] == nil {
		c.completeDeclared(f)
		return
	}
	base, isConnection := strings.CutSuffix(name, sdl.ConnectionSuffix)
	if !isConnection || base == "" {
		return
	}
	node := c.nodeOf(base)
	if node == "" {
		return // There is no such type: see checkType.
	}
	a := &addedConnection{Name: name, Node: node, parent: parent, field: f, HasCount: hasCount(c.all, parent, f)}
	c.findItem(a)
	if other := c.connections[name]; other != nil {
		c.agree(a, other)
	} else {
		c.add(a)
	}
	addPaging(f, node)
}

// completeDeclared adds what a field with @query lacks that returns a declared connection.
func (c *connectionCompleter) completeDeclared(f *ast.FieldDefinition) {
	def := c.all.Definitions.ForName(f.Type.Name())
	if def == nil || def.Kind != ast.Object || f.Directives.ForName("query") == nil {
		return
	}
	edges := def.Fields.ForName("edges")
	if !sdl.IsConnection(def) {
		return
	}
	if edges == nil {
		addPaging(f, strings.TrimSuffix(def.Name, sdl.ConnectionSuffix))
		return
	}
	edge, isEdge := strings.CutSuffix(edges.Type.Name(), "Edge")
	node := c.nodeOf(edge)
	if edges.Type.Elem != nil && isEdge && node != "" && !sdl.IsDeclared(c.all, edges.Type.Name()) {
		a := &addedConnection{Name: def.Name, Node: node, parent: def, field: edges}
		c.all.Definitions = append(c.all.Definitions, a.edgeDefinition(edges.Type.Name(), nil))
	}
	if def := c.all.Definitions.ForName(edges.Type.Name()); def != nil && def.Fields.ForName("node") != nil {
		node = def.Fields.ForName("node").Type.Name()
	}
	addPaging(f, node)
}

// hasCount reports whether a counter of its parent counts the collection of a field.
func hasCount(all *ast.SchemaDocument, parent *ast.Definition, f *ast.FieldDefinition) bool {
	query := f.Directives.ForName("query")
	if query == nil {
		return false
	}
	if count, _ := sdl.Raw(query, "count").(string); count != "" {
		return true
	}
	for _, def := range sdl.Declarations(all) {
		if def.Name != parent.Name {
			continue
		}
		for _, other := range def.Fields {
			counts := other.Directives.ForName("counts")
			if counts != nil && sdl.Raw(counts, "field") == f.Name && reading.CountsAll(counts) {
				return true
			}
		}
	}
	return false
}

// findItem finds out which items the collection of a connection has.
func (c *connectionCompleter) findItem(a *addedConnection) {
	rd := c.reader().ReadBy(a.parent.Name, a.field.Name)
	if rd == nil || rd.Kind != design.Query || len(rd.Types) != 1 || slices.Contains(c.possible(a.Node), rd.Types[0]) {
		return
	}
	references := c.references(rd, a.Node)
	if len(references) == 0 {
		return
	}
	a.Item, a.PK, a.SK = rd.Types[0], references[0].pk, references[0].sk
	if len(references) > 1 {
		var names []string
		for _, ref := range references {
			names = append(names, ref.pk)
		}
		c.findings = append(c.findings, finding.At(a.field.Position, a.coordinate(),
			fmt.Sprintf("the items are of type %s, which refers to several objects of type %s: %s",
				a.Item, a.Node, sdl.OneOf(names)), c.declare(a)))
	}
}

// declare returns the fix that declares the types of a connection.
func (c *connectionCompleter) declare(a *addedConnection) string {
	return "add " + sdl.DefinitionText(a.Name, a.definition(), sdl.FieldText) +
		"\nadd " + sdl.DefinitionText(a.Edge(), a.edgeDefinition(a.Edge(), c.item(a.Item)), sdl.FieldText)
}

// possible returns the stored types that an object of a type can have.
func (c *connectionCompleter) possible(name string) []string {
	names := []string{name}
	for _, def := range sdl.Declarations(c.all) {
		if def.Kind == ast.Union && def.Name == name {
			names = append(names, def.Types...)
		}
		if def.Kind == ast.Object && slices.Contains(def.Interfaces, name) {
			names = append(names, def.Name)
		}
	}
	return names
}

type reference struct{ pk, sk string }

// references returns the keys of the objects of a type that the items of a read refer to: by an id, or by a field with
// @get. What the read's condition says is the same for all items, so it is no reference to a node.
func (c *connectionCompleter) references(rd *reading.Read, node string) []reference {
	var found []reference
	add := func(ref reference, variables []string) {
		bound := func(name string) bool {
			return rd.Matches[0].Variables[name] != "" || rd.Matches[0].Constants[name] != ""
		}
		if !slices.Contains(found, ref) && slices.ContainsFunc(variables, func(name string) bool { return !bound(name) }) {
			found = append(found, ref)
		}
	}
	t, owner := c.reader().Types[rd.Types[0]], c.reader().Types[node]
	for _, a := range t.Attributes {
		if a.Ref == node && owner != nil && slices.Equal(owner.Identity, []string{"id"}) {
			named := func(s keys.Segment) keys.Segment {
				if s.Variable == "id" {
					s.Variable = a.Name
				}
				return s
			}
			add(reference{reading.Rewrite(owner.Item.PK, named), reading.Rewrite(owner.Item.SK, named)}, []string{a.Name})
		}
	}
	for _, other := range c.reader().Reads {
		if other.Parent == t.Name && other.Kind == design.Get && other.Def.Type.Name() == node &&
			len(other.Def.Arguments) == 0 {
			add(reference{other.PK.String(), other.SK.String()}, other.Variables())
		}
	}
	return found
}

// agree finds a field that returns a connection which another field needs otherwise.
func (c *connectionCompleter) agree(a, first *addedConnection) {
	var what string
	switch {
	case a.Item != first.Item:
		what = fmt.Sprintf("the items of one are of type %s, those of the other %s",
			cmp.Or(a.Item, a.Node), cmp.Or(first.Item, first.Node))
	case a.PK != first.PK || a.SK != first.SK:
		what = fmt.Sprintf("the nodes of one have the key %q, those of the other %q", a.PK, first.PK)
	case a.HasCount != first.HasCount && a.field.Directives.ForName("query") != nil:
		what = "a counter counts only one of the collections"
	default:
		return
	}
	c.findings = append(c.findings, finding.At(a.field.Position, a.coordinate(),
		fmt.Sprintf("%s is also the connection of %s, but %s", a.Name, first.coordinate(), what),
		fmt.Sprintf("return %s, a connection of its own", c.separateName(a))))
}

// separateName returns a name for the connection of a field that is not used yet.
func (c *connectionCompleter) separateName(a *addedConnection) string {
	field := sdl.UpperFirst(a.field.Name)
	for _, base := range []string{field, field + a.Node, a.parent.Name + field + a.Node} {
		if c.nodeOf(base) == a.Node && !sdl.IsDeclared(c.all, base+sdl.ConnectionSuffix) {
			return base + sdl.ConnectionSuffix
		}
	}
	return a.parent.Name + field + "Of" + a.Node + sdl.ConnectionSuffix
}

// add adds the types of a connection.
func (c *connectionCompleter) add(a *addedConnection) {
	if sdl.IsDeclared(c.all, a.Edge()) && !c.hasEdge(a) {
		taken := a.Edge()
		a.ownEdge = true
		c.findings = append(c.findings, finding.At(a.field.Position, a.coordinate(),
			fmt.Sprintf("%s needs an edge type %s, but the type of that name is not one of %s", a.Name, taken, a.Node),
			c.declare(a)))
	}
	c.connections[a.Name] = a
	c.all.Definitions = append(c.all.Definitions, a.definition())
	if name := a.Edge(); !sdl.IsDeclared(c.all, name) {
		c.edges[name] = a
		c.all.Definitions = append(c.all.Definitions, a.edgeDefinition(name, c.item(a.Item)))
	}
}

// hasEdge reports whether there is an edge type for a connection.
func (c *connectionCompleter) hasEdge(a *addedConnection) bool {
	if other := c.edges[a.Edge()]; other != nil {
		return other.Item == a.Item && other.PK == a.PK && other.SK == a.SK
	}
	own := c.all.Definitions.ForName(a.Edge())
	if own == nil || own.Kind != ast.Object || own.Fields.ForName("cursor") == nil {
		return false
	}
	node := own.Fields.ForName("node")
	return node != nil && node.Type.Name() == a.Node
}

// item returns the definition of the type of items with all extensions, nil for "".
func (c *connectionCompleter) item(name string) *ast.Definition {
	if name == "" {
		return nil
	}
	return c.reader().Types[name].Def
}
