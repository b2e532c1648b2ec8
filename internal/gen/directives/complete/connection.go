package complete

import (
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/document"
	"github.com/partita/partita/internal/gen/directives/finding"
	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
)

// connectionCompleter is one run of completeConnections.
type connectionCompleter struct {
	all *ast.SchemaDocument
	// stored is a reader of all but connections. It is made when it is first needed.
	stored *reading.Access
	// connections and edges are those that have been added, by the name of the type.
	connections, edges map[string]*addedConnection
	findings           finding.Findings
}

// addedConnection is what the types of a connection depend on.
type addedConnection struct {
	Name, Node string
	// Item is the type of the collection's items if they are not the nodes but refer to them. Then PK and SK are the key
	// of an edge's node.
	Item, PK, SK string
	HasCount     bool
	// ownEdge is set if the usual name of the edge type belongs to something else.
	ownEdge bool
	// parent and field are the first that returns the connection.
	parent *ast.Definition
	field  *ast.FieldDefinition
}

func (a *addedConnection) coordinate() string { return a.parent.Name + "." + a.field.Name }

// Edge returns the name of the edge type. Connections of the same nodes share it, unless their edges have attributes.
func (a *addedConnection) Edge() string {
	switch base := strings.TrimSuffix(a.Name, sdl.ConnectionSuffix); {
	case a.ownEdge:
		return a.Name + "Edge"
	case a.Item == "":
		return a.Node + "Edge"
	case base == a.Node:
		return a.Item + a.Node + "Edge"
	default:
		return base + "Edge"
	}
}

// definition returns the type of a connection.
func (a *addedConnection) definition() *ast.Definition {
	return definitions(a.field.Position, "connection", a).Definitions[0]
}

// Words and Nodes return the name of the node for a description, in the singular and the plural.
func (a *addedConnection) Words() string { return sdl.InPlainWords(a.Node) }

func (a *addedConnection) Nodes() string { return sdl.Plural(a.Words()) }

// edgeDefinition returns the edge type of a connection. If the nodes are not the items, it has the attributes of the
// type of items, except ids.
func (a *addedConnection) edgeDefinition(name string, item *ast.Definition) *ast.Definition {
	edge := struct {
		*addedConnection
		EdgeName   string
		Attributes []field
	}{a, name, nil}
	if item != nil {
		for _, f := range item.Fields {
			if sdl.IsAttribute(f) && f.Type.Name() != "ID" && f.Name != "cursor" && f.Name != "node" {
				edge.Attributes = append(edge.Attributes, attributeOf(f))
			}
		}
	}
	return definitions(a.field.Position, "edge", edge).Definitions[0]
}

func attributeOf(f *ast.FieldDefinition) field {
	attribute := field{Description: f.Description, Name: f.Name, Type: f.Type}
	for _, d := range f.Directives {
		if d.Name == "allow" || d.Name == "cacheControl" || d.Name == "deprecated" {
			attribute.Directives = append(attribute.Directives, d)
		}
	}
	return attribute
}

// addPaging adds the arguments of a connection that a field lacks.
func addPaging(f *ast.FieldDefinition, node string) {
	name := "object"
	if node != "" {
		name = sdl.InPlainWords(node)
	}
	for _, a := range definitions(f.Position, "paging", name).Definitions[0].Fields[0].Arguments {
		if f.Arguments.ForName(a.Name) == nil {
			f.Arguments = append(f.Arguments, a)
		}
	}
}

// nodeOf returns the type whose objects the connection has, by its name without the suffix: an object type, union or
// interface of that name, or else the longest name of a stored type, union or interface that ends it before the first
// preposition, in the singular or plural. It is "" if there is none.
func (c *connectionCompleter) nodeOf(base string) string {
	longest := ""
	words := sdl.CamelWords(base)
	if i := slices.IndexFunc(words, sdl.IsPreposition); i > 0 {
		words = words[:i]
	}
	head := strings.Join(words, "")
	for _, def := range sdl.Declarations(c.all) {
		isStored := def.Kind == ast.Object && def.Directives.ForName("item") != nil
		isAbstract := def.Kind == ast.Union || def.Kind == ast.Interface
		if def.Name == base && (def.Kind == ast.Object || isAbstract) {
			return base
		}
		if !isStored && !isAbstract || len(def.Name) <= len(longest) {
			continue
		}
		if sdl.HasLastWords(head, def.Name) || sdl.HasLastWords(head, sdl.Plural(def.Name)) {
			longest = def.Name
		}
	}
	return longest
}

// reader returns a reader that knows which stored keys each field of the document reads, as if no field returned a
// connection. What has faults is left out, because it is found later.
func (c *connectionCompleter) reader() *reading.Access {
	if c.stored != nil {
		return c.stored
	}
	checker := document.NewChecker(c.all)
	schema := &ast.Schema{Types: map[string]*ast.Definition{}, PossibleTypes: map[string][]*ast.Definition{}}
	for _, s := range slices.Concat(c.all.Schema, c.all.SchemaExtension) {
		schema.SchemaDirectives = append(schema.SchemaDirectives, checker.Valid(s.Directives, ast.LocationSchema)...)
	}
	for _, def := range slices.Concat(c.all.Definitions, c.all.Extensions) {
		whole := schema.Types[def.Name]
		if whole == nil {
			whole = &ast.Definition{Kind: def.Kind, Name: def.Name, BuiltIn: def.BuiltIn, Position: def.Position}
		}
		whole.Directives = append(whole.Directives, checker.Valid(def.Directives, ast.DirectiveLocation(def.Kind))...)
		whole.EnumValues = append(whole.EnumValues, def.EnumValues...)
		for _, f := range def.Fields {
			field := *f
			field.Directives = checker.Valid(f.Directives, ast.LocationFieldDefinition)
			whole.Fields = append(whole.Fields, &field)
		}
		if whole.Kind != ast.Object || len(whole.Fields) > 0 {
			schema.Types[def.Name] = whole
		}
	}
	schema.Query = schema.Types[sdl.QueryName(c.all)]
	c.stored = reading.ReadMatches(schema)
	return c.stored
}
