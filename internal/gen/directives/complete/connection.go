package complete

import (
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

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
