//go:build ignore

package resolvers_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/partita/partita/demo"
	"github.com/partita/partita/gateway"
	"github.com/partita/partita/graph"
	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/item"
	"github.com/partita/partita/loaders"
)

// TestEstimateIsAnUpperBound: whatever is asked of a table in which all items are as
// large as they may be, it consumes no more read units than were estimated.
// send checks it for each operation of all tests.
func TestEstimateIsAnUpperBound(t *testing.T) {
	s := startTable(t, func(c *gateway.Config, _ *loaders.Options) { c.MaxTokens = 20_000 })
	items := slices.Collect(demo.Items())
	for i, it := range items {
		items[i] = padded(it)
	}
	s.Load(t, items...)

	g := newGenerator(t, s)
	consumed, estimated, answered, exact := 0.0, 0.0, 0, 0
	const operations = 400
	for n := range operations {
		g.strong = n%3 == 0
		s.header.Del(loaders.ConsistencyHeader)
		if g.strong {
			s.header.Set(loaders.ConsistencyHeader, "strong")
		}
		query, variables := g.operation()
		a, err := s.send(t.Context(), query, variables)
		if err != nil {
			t.Fatalf("operation %d: %v\n%s\n%v", n, err, query, variables)
		}
		if a.Data == nil {
			t.Fatalf("operation %d is not valid: %+v\n%s\n%v", n, a.Errors, query, variables)
		}
		cost := a.Extensions.Cost
		consumed += cost.ReadUnits
		estimated += cost.EstimatedReadUnits
		if cost.ReadUnits > 0 {
			answered++
		}
		if cost.ReadUnits == cost.EstimatedReadUnits {
			exact++
		}
	}
	if answered < operations*3/4 {
		t.Errorf("only %d of %d operations read anything: the generator is too wild", answered, operations)
	}
	t.Logf("%d operations consumed %v read units of %v estimated; %d consumed exactly the estimate", operations, consumed, estimated, exact)
}

// TestMutationsHaveACost: a mutation without @cost would be estimated to write nothing.
func TestMutationsHaveACost(t *testing.T) {
	for _, f := range graph.NewExecutableSchema(graph.Config{}).Schema().Mutation.Fields {
		if f.Directives.ForName("cost") == nil {
			t.Errorf("add @cost(writeUnits: ...) to Mutation.%s", f.Name)
		}
	}
}

// padded is the item as large as its type allows.
func padded(it item.Item) item.Item {
	t := typed.Design.Type(it.Type())
	if t == nil {
		return it
	}
	const name = "padding"
	if room := t.MaxBytes - it.Size() - len(name); room > 0 {
		return append(it, item.Attribute{Name: name, Value: item.StringValue(strings.Repeat("x", room))})
	}
	return it
}
