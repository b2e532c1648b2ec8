package testservice_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/loaders"
)

// TestExecutorsAgree compares the executors for random operations of the library's schema.
func TestExecutorsAgree(t *testing.T) {
	t.Parallel()
	testservice.Schema().Check(t)
}

// TestExecutorsAgreeOnValues compares the executors for odd values of each attribute.
func TestExecutorsAgreeOnValues(t *testing.T) {
	t.Parallel()
	testservice.Schema().CheckValues(t)
}

// TestExecutorsAgreeOnMutations compares the executors for random mutations without hand-written Go.
func TestExecutorsAgreeOnMutations(t *testing.T) {
	t.Parallel()
	testservice.Schema().CheckMutations(t)
}

// TestExecutorsAgreeOnEntities compares the executors for random operations of the library as a subgraph, and its
// entities with what nodes returns.
func TestExecutorsAgreeOnEntities(t *testing.T) {
	t.Parallel()
	testservice.Schema().CheckEntities(t)
	subgraph, _ := testservice.Schema().Subgraph()
	subgraph.Check(t)
}

// TestExecutorsAgreeOnNotReady compares the executors for random operations while random fields are not served.
func TestExecutorsAgreeOnNotReady(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(20261126, 3))
	for range 4 {
		schema := testservice.Schema()
		reasons := notReady(random, schema.Executable.Schema())
		schema.Design = schema.Design.WithNotReady(reasons, nil)
		folder := *schema.Folder
		folder.Design = folder.Design.WithNotReady(reasons, nil)
		schema.Folder = &folder
		c := schema.Compare(loaders.Options{MaxInFlightPerOperation: 1})
		seen := 0
		for range 100 {
			responses, err := c.Run(c.Scenario(random))
			fatal.If(t, err)
			if slices.Contains(responses[0].Codes(), design.CodeNotReady) {
				seen++
			}
		}
		if seen == 0 {
			t.Error("no operation has a field that is not served")
		}
	}
}

// notReady returns reasons for one of 12 fields, and for the ids of some types.
func notReady(random *rand.Rand, schema *ast.Schema) design.NotReady {
	reasons := design.NotReady{}
	add := func(coordinate string) {
		if random.IntN(12) == 0 {
			reasons[coordinate] = coordinate + " is being filled"
		}
	}
	for _, name := range slices.Sorted(maps.Keys(schema.Types)) {
		def := schema.Types[name]
		if def.Kind != ast.Object || def.BuiltIn {
			continue
		}
		add(name)
		for _, f := range def.Fields {
			add(name + "." + f.Name)
			add(name + "." + f.Name + ".totalCount")
		}
	}
	return reasons
}
