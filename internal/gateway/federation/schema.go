package federation

import (
	"maps"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys/design"
)

// withFields returns a copy of a schema with the fields of a subgraph, and with the types that these need.
func withFields(schema *ast.Schema, entities []string) *ast.Schema {
	subgraph := *schema
	subgraph.Types = maps.Clone(schema.Types)
	subgraph.PossibleTypes = maps.Clone(schema.PossibleTypes)
	subgraph.Implements = maps.Clone(schema.Implements)
	add := func(def *ast.Definition) { subgraph.Types[def.Name] = def }

	query := *schema.Query
	query.Fields = append(slices.Clone(schema.Query.Fields), &ast.FieldDefinition{
		Name:        design.ServiceField,
		Description: "What the router composes this subgraph from.",
		Type:        ast.NonNullNamedType(design.ServiceType, nil),
	})
	service := &ast.Definition{
		Kind: ast.Object, Name: design.ServiceType, Description: "A subgraph of a federated graph.",
		Fields: ast.FieldList{{
			Name: "sdl", Description: "The schema with the directives of Federation.", Type: ast.NamedType("String", nil),
		}},
	}
	add(service)
	subgraph.PossibleTypes[service.Name] = []*ast.Definition{service}
	if len(entities) > 0 {
		query.Fields = append(query.Fields, entitiesDefinition())
		add(&ast.Definition{
			Kind: ast.Scalar, Name: design.AnyType,
			Description: "What names an entity: an object with `__typename` and the fields of its key.",
		})
		union := &ast.Definition{
			Kind: ast.Union, Name: design.EntityUnion, Description: "An object that other subgraphs can refer to.",
			Types: entities,
		}
		add(union)
		for _, name := range entities {
			member := schema.Types[name]
			subgraph.PossibleTypes[union.Name] = append(subgraph.PossibleTypes[union.Name], member)
			subgraph.Implements[name] = append(slices.Clone(schema.Implements[name]), union)
		}
	}
	add(&query)
	subgraph.Query, subgraph.PossibleTypes[query.Name] = &query, []*ast.Definition{&query}
	return &subgraph
}

func entitiesDefinition() *ast.FieldDefinition {
	return &ast.FieldDefinition{
		Name:        design.EntitiesField,
		Description: "The objects that the representations name, in their order, null where there is none.",
		Arguments: ast.ArgumentDefinitionList{{
			Name:        design.RepresentationsArgument,
			Description: "Each has `__typename` and the fields of the key. Repeats are allowed and cost nothing.",
			Type:        ast.NonNullListType(ast.NonNullNamedType(design.AnyType, nil), nil),
		}},
		Type: ast.NonNullListType(ast.NamedType(design.EntityUnion, nil), nil),
	}
}

// nodesField is Relay's field of the root of queries that reads objects by their ids.
const nodesField = "nodes"
