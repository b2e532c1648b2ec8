package graph_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/partita/partita/graph"
	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway/federation"
	"github.com/partita/partita/resolvers"
)

const subgraphFile = "subgraph.snapshot.graphql"

// TestSubgraphSnapshot compares what a router composes of the shop with the snapshot.
func TestSubgraphSnapshot(t *testing.T) {
	executable := graph.NewExecutableSchema(graph.Config{Resolvers: &resolvers.Resolver{}})
	got := federation.New(executable, typed.Design).SDL
	if *update {
		fatal.If(t, os.WriteFile(subgraphFile, []byte(got), 0o644))
		return
	}
	want, err := os.ReadFile(subgraphFile)
	fatal.If(t, err)
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("the schema differs from %s (-snapshot +got):\n%s\nIf that is meant: go test ./graph -run "+
			"TestSubgraphSnapshot -update", subgraphFile, diff)
	}
}
