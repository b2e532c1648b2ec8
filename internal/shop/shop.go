// Package shop is the first application of the engine. It is apart from server.go so that tests of the whole program,
// here and in the folders below, run the same application.
package shop

import (
	"github.com/partita/partita/app"
	"github.com/partita/partita/demo"
	"github.com/partita/partita/graph"
	"github.com/partita/partita/graph/model"
	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/resolvers"
)

// Application returns the shop.
func Application() app.Application {
	resolver := &resolvers.Resolver{}
	return app.Application{
		Description: "A GraphQL gateway over one DynamoDB table.",
		Schema:      graph.NewExecutableSchema(graph.Config{Resolvers: resolver}),
		Design:      typed.Design,
		Decode:      app.Decode(model.NewNode),
		Rules:       resolvers.Invariants,
		Hooks:       resolver.Hooks(),
		Demo: app.Demo{
			Items: demo.Items(), Viewer: demo.Viewer(), Identities: demo.Identities(), Query: demo.Query(),
		},
	}
}
