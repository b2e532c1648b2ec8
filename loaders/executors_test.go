package loaders_test

import (
	"math/rand/v2"
	"net/http"
	"slices"
	"testing"

	"github.com/partita/partita/internal/executors"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/item"
	"github.com/partita/partita/loaders"
)

// TestExecutorsAgree: the executors agree on random operations on a real table with missing and damaged items, and on
// requests that are throttled, fail, or leave keys unprocessed. Package testservice compares them for more operations,
// on a table in memory.
func TestExecutorsAgree(t *testing.T) {
	t.Parallel()
	schema := testservice.Schema()
	random := rand.New(rand.NewPCG(20261121, 9))
	s := testservice.StartEmpty(t, func(c *gateway.Config, _ *loaders.Options) { c.MaxTokens = 100_000 })
	var items []item.Item
	for _, it := range schema.Items {
		switch random.IntN(20) {
		case 0: // missing
		case 1, 2:
			items = append(items, executors.Damaged(random, it))
		default:
			items = append(items, it)
		}
	}
	s.Load(t, items...)

	g, codes := schema.Generator(), map[string]int{}
	for n := range 150 {
		o := g.Operation(random)
		header := http.Header{}
		gatewaytest.SetViewer(header, schema.Viewers[n%len(schema.Viewers)])
		faults := tabletest.Faults{}
		if n%3 == 0 {
			faults = tabletest.Faults{
				Seed: uint64(n), Throttled: 0.1, Failed: 0.05, Unprocessed: 0.2, PageSize: 1 + random.IntN(9),
			}
		}
		r, err := s.Pair.Both(header, o, func() { s.Proxy.Inject(faults) })
		if err != nil {
			t.Fatalf("operation %d: %v", n, err)
		}
		for _, code := range r.Codes() {
			codes[code]++
		}
	}
	for _, code := range []string{"BAD_USER_INPUT", plan.CodeForbidden, loaders.CodeDamaged} {
		if codes[code] == 0 {
			t.Errorf("no field has an error with the code %s: %v", code, codes)
		}
	}
}

// TestExecutorsAgreeOnLargeOperations: whether an operation has more objects than MaxObjects does not depend on the
// executor. Which of its fields are errors depends on the order in which gqlgen completes them.
func TestExecutorsAgreeOnLargeOperations(t *testing.T) {
	t.Parallel()
	schema := testservice.Schema()
	random := rand.New(rand.NewPCG(20261121, 10))
	c := schema.Compare(loaders.Options{MaxObjects: 40, MaxInFlightPerOperation: 1})
	large := 0
	for range 300 {
		scenario := c.Scenario(random)
		header := http.Header{}
		gatewaytest.SetViewer(header, scenario.Viewer)
		body, err := executors.Body(scenario.Document, scenario.Variables)
		fatal.If(t, err)
		byPlan, byGqlgen := c.Ask(c.Plan, header, body), c.Ask(c.Gqlgen, header, body)
		isLarge := slices.Contains(byPlan.Codes(), loaders.CodeTooLarge)
		if isLarge != slices.Contains(byGqlgen.Codes(), loaders.CodeTooLarge) {
			t.Fatalf("the executors differ for %s\nplan:   %s\ngqlgen: %s", body, byPlan.Body, byGqlgen.Body)
		}
		if isLarge {
			large++
		}
	}
	if large == 0 {
		t.Error("no operation has more objects than MaxObjects")
	}
}
