package plan_test

import (
	"encoding/json"
	"testing"

	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/plan"
)

// FuzzCompile compiles, binds and prices random valid operations of the test service.
func FuzzCompile(f *testing.F) {
	for seed := range uint64(64) {
		f.Add(seed)
	}
	schema, g := serviceSchema(), testservice.Schema().Generator()
	g.Valid, g.HandWritten = true, true
	f.Fuzz(func(t *testing.T, seed uint64) {
		o := g.Seeded(seed)
		doc := parse(t, schema, o.Document)
		operation := doc.Operations[0]
		encoded, err := json.Marshal(o.Variables)
		if err != nil {
			t.Fatal(err)
		}
		variables := coerced(t, schema, operation, string(encoded))
		d := plan.NewDocument(schema, doc)
		p := d.Plan(operation, variables)
		if d.Plan(operation, variables) != p {
			t.Error("the plan is not kept")
		}
		for _, consistent := range []bool{false, true} {
			b := p.Bind(variables, nil, consistent)
			price := b.Price()
			viewer := testservice.Ada
			if other := p.Bind(variables, &viewer, consistent).Price(); other != price {
				t.Errorf("the price is %+v, and %+v for a viewer", price, other)
			}
			if fresh := schema.Compile(doc, operation, variables).Bind(variables, nil, consistent).Price(); fresh != price {
				t.Errorf("the price is %+v, and %+v for a new plan", price, fresh)
			}
			if err := b.CheckPrice(plan.PriceLimits{ReadUnits: price.ReadUnits, Objects: price.Objects}); err != nil {
				t.Errorf("the price %+v is above itself: %v", price, err)
			}
			for _, half := range []plan.PriceLimits{{ReadUnits: price.ReadUnits / 2}, {Objects: price.Objects / 2}} {
				if err := b.CheckPrice(half); err == nil && half != (plan.PriceLimits{}) {
					t.Errorf("no error for %+v above %+v", price, half)
				}
			}
			checkExplanation(t, b.Explain(), price)
		}
		p.CachePolicy()
	})
}

// checkExplanation fails unless an explanation adds up to the price, and each of its Reads is sent after those that it
// depends on.
func checkExplanation(t *testing.T, x plan.Explanation, price plan.Price) {
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
	if units != price.ReadUnits || requests != price.Requests {
		t.Errorf("%v read units and %d requests are explained, the price is %+v", units, requests, price)
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
