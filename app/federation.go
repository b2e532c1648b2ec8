package app

import (
	"github.com/99designs/gqlgen/graphql"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/gateway/federation"
	"github.com/partita/partita/keys/design"
)

// federationSettings make the gateway a subgraph.
type federationSettings struct {
	Federation bool `env:"FEDERATION" help:"Be a subgraph of Apollo Federation 2: _service and _entities for a router, which must be the only caller."`
}

// served is what the gateway serves of an application.
type served struct {
	schema graphql.ExecutableSchema
	design *design.Design
	// sdl is that of a subgraph.
	sdl string
}

func (s federationSettings) of(a *Application) served {
	if !s.Federation {
		return served{schema: a.Schema, design: a.Design}
	}
	subgraph := federation.New(a.Schema, a.Design)
	return served{subgraph.Schema, subgraph.Design, subgraph.SDL}
}

// check returns an error if the application cannot be served as a subgraph, but is to be.
func (s federationSettings) check(a *Application) error {
	if !s.Federation {
		return nil
	}
	return checkSubgraph(a)
}

func checkSubgraph(a *Application) error {
	if federation.IsPossible(a.Schema.Schema(), a.Design) {
		return nil
	}
	return &exit.Error{
		Problem: "this service cannot be a subgraph, because its field Query.nodes has a hand-written resolver",
		Fix:     "remove that resolver, and run `make generate`",
		Code:    exit.Config,
	}
}
