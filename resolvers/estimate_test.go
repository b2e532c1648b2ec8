package resolvers_test

import (
	"testing"

	"github.com/partita/partita/graph"
)

// TestMutationsHaveACost: a mutation without @cost would be estimated to write nothing.
func TestMutationsHaveACost(t *testing.T) {
	for _, f := range graph.NewExecutableSchema(graph.Config{}).Schema().Mutation.Fields {
		if f.Directives.ForName("cost") == nil {
			t.Errorf("add @cost(writeUnits: ...) to Mutation.%s", f.Name)
		}
	}
}
