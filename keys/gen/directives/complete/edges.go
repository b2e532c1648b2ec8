package complete

import (
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys/gen/directives/sdl"
)

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
