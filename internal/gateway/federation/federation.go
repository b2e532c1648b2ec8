// Package federation makes a schema a subgraph of Apollo Federation 2: a router composes its API with those of other
// services to one graph, and asks it for entities by their keys.
//
// Each stored type that is a Node is an entity with the key id. _entities reads the entities of all representations
// as nodes reads objects: by one BatchGetItem for up to 100 of them, however many types are mixed. _service returns the
// schema for the router, with the directives of Federation.
//
// https://www.apollographql.com/docs/graphos/schema-design/federated-schemas/reference/subgraph-spec
//
// # Why it is so
//
// _entities is executed as nodes by gqlgen, whose code has only the fields of the schema that it was generated from: so
// all fields work, in programs that were generated without the setting, too. A service that replaces the resolver of
// nodes is rejected at its start.
//
// The global id is the only key of an entity: two keys of a type are two ways for other teams to store a reference.
// node and nodes are left out of the schema for the router, which would ask any subgraph for them and get null for
// objects of the others. The weights are half read units, because they are whole numbers and the cheapest read is half
// a unit.
package federation

import (
	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys/design"
)

// Subgraph is a service as a subgraph.
type Subgraph struct {
	// Schema has _service, and _entities if there are any.
	Schema graphql.ExecutableSchema
	// Design has _entities as a field that is read.
	Design *design.Design
	// SDL is what _service returns, and what is published for composition.
	SDL string
}

// IsPossible reports whether a service can be a subgraph. It cannot if Query.nodes has a hand-written resolver: gqlgen
// reads entities by the one that is generated.
func IsPossible(schema *ast.Schema, design *design.Design) bool {
	return len(design.Entities()) == 0 || !design.IsHandWritten(schema.Query.Name, nodesField)
}

// New returns the Subgraph of a service for which IsPossible.
func New(schema graphql.ExecutableSchema, design *design.Design) *Subgraph {
	own := schema.Schema()
	sdl := newPrinter(own, design).sdl()
	return &Subgraph{
		Schema: &executable{ExecutableSchema: schema, schema: withFields(own, design.Entities()), sdl: sdl},
		Design: design.WithEntities(),
		SDL:    sdl,
	}
}
