package resolvers_test

import (
	"testing"

	"github.com/partita/partita/graph"
	"github.com/partita/partita/graph/typed"
)

// TestMutationsHaveACost: a hand-written mutation without @cost would be estimated to write nothing. The price of any
// other follows from the design.
func TestMutationsHaveACost(t *testing.T) {
	for _, f := range graph.NewExecutableSchema(graph.Config{}).Schema().Mutation.Fields {
		if f.Directives.ForName("cost") == nil && typed.Design.Mutation(f.Name) == nil {
			t.Errorf("add @cost(writeUnits: ...) to Mutation.%s", f.Name)
		}
	}
}
