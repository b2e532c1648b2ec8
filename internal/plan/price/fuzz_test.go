package price_test

import (
	"encoding/json"
	"testing"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/plan/price"
	"github.com/partita/partita/internal/plantest"
	"github.com/partita/partita/internal/testservice"
)

// FuzzCompile compiles, binds and prices random valid operations of the test service.
func FuzzCompile(f *testing.F) {
	for seed := range uint64(64) {
		f.Add(seed)
	}
	schema, g := plantest.ServiceSchema(), testservice.Schema().Generator()
	g.Valid, g.HandWritten = true, true
	f.Fuzz(func(t *testing.T, seed uint64) {
		o := g.Seeded(seed)
		doc := plantest.Parse(t, schema, o.Document)
		operation := doc.Operations[0]
		encoded, err := json.Marshal(o.Variables)
		if err != nil {
			t.Fatal(err)
		}
		variables := plantest.Coerced(t, schema, operation, string(encoded))
		d := plan.NewDocument(schema, doc)
		p := d.Plan(operation, variables)
		if d.Plan(operation, variables) != p {
			t.Error("the plan is not kept")
		}
		for _, consistent := range []bool{false, true} {
			b := p.Bind(variables, nil, consistent)
			worst := price.Of(b)
			viewer := testservice.Ada
			if other := price.Of(p.Bind(variables, &viewer, consistent)); other != worst {
				t.Errorf("the price is %+v, and %+v for a viewer", worst, other)
			}
			if fresh := price.Of(schema.Compile(doc, operation, variables).Bind(variables, nil, consistent)); fresh != worst {
				t.Errorf("the price is %+v, and %+v for a new plan", worst, fresh)
			}
			if err := price.Check(b, price.Limits{ReadUnits: worst.ReadUnits, Objects: worst.Objects}); err != nil {
				t.Errorf("the price %+v is above itself: %v", worst, err)
			}
			for _, half := range []price.Limits{{ReadUnits: worst.ReadUnits / 2}, {Objects: worst.Objects / 2}} {
				if err := price.Check(b, half); err == nil && half != (price.Limits{}) {
					t.Errorf("no error for %+v above %+v", worst, half)
				}
			}
			checkExplanation(t, price.Explain(b), worst)
		}
		p.CachePolicy()
	})
}

// checkExplanation fails unless an explanation adds up to the price, and each of its Reads is sent after those that it
// depends on.
func checkExplanation(t *testing.T, x price.Explanation, worst plan.Price) {
	t.Helper()
	units, requests := 0.0, 0
	waves := map[int]int{}
	for i, w := range x.Waves {
		units += w.ReadUnits
		requests += w.Requests
		for _, r := range w.Reads {
			waves[r.ID] = i
		}
	}
	if units != worst.ReadUnits || requests != worst.Requests {
		t.Errorf("%v read units and %d requests are explained, the price is %+v", units, requests, worst)
	}
	for i, w := range x.Waves {
		for _, r := range w.Reads {
			if r.Line < 1 || r.Column < 1 || len(r.Path) == 0 {
				t.Errorf("%+v is nowhere in the document", r)
			}
			for _, id := range r.DependsOn {
				if wave, found := waves[id]; !found || wave >= i {
					t.Errorf("%+v of wave %d depends on %d of wave %d", r, i, id, wave)
				}
			}
		}
	}
}
