package loaders

import (
	"context"
	"maps"
	"math"
	"testing"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/request"
)

// observedUnits is an Observer of the read units of a request.
type observedUnits struct {
	Observer
	units float64
}

func (o *observedUnits) Request(ctx context.Context, _ Sent) (context.Context, func(request.Result, error)) {
	return ctx, func(res request.Result, _ error) { o.units = res.ReadUnits }
}

// observedReads is an Observer of which Queries are strongly consistent, by their indexes.
type observedReads struct {
	Observer
	consistent map[string]bool
}

func (o observedReads) Request(ctx context.Context, s Sent) (context.Context, func(request.Result, error)) {
	o.consistent[s.Index] = s.Consistent
	return ctx, func(request.Result, error) {}
}

// TestObservedConsistency: Queries of the table and of a local index are observed as strongly consistent, as they are
// sent, and those of a global index are not.
func TestObservedConsistency(t *testing.T) {
	s := source{query: func(context.Context, request.Query) (request.Result, error) { return request.Result{}, nil }}
	x := executorOf(s, 1, places(1))
	x.layout = &stored.Layout{Indexes: []stored.IndexLayout{{Name: "global"}, {Name: "local", Local: true}}}
	for _, consistent := range []bool{false, true} {
		observer := observedReads{consistent: map[string]bool{}}
		x.observer, x.consistent = observer, consistent
		for _, index := range []string{"", "global", "local"} {
			r := queryFor(stateOf(plan.Read{Kind: plan.Range, Query: request.Query{Index: index, PK: "P", Limit: 1}}))
			x.query(t.Context(), &r)
		}
		want := map[string]bool{"": consistent, "global": false, "local": consistent}
		if !maps.Equal(observer.consistent, want) {
			t.Errorf("%v, want %v", observer.consistent, want)
		}
	}
}

// TestUnitsThatCannotBeConsumed: no number from an endpoint can spoil a sum, a budget or a counter.
func TestUnitsThatCannotBeConsumed(t *testing.T) {
	for units, want := range map[float64]float64{
		math.NaN(): 0, math.Inf(1): 0, math.Inf(-1): 0, -0.5: 0, 1e300: 0, 0: 0, 0.5: 0.5, 4e6: 4e6,
	} {
		send := func(context.Context) (request.Result, error) {
			return request.Result{ReadUnits: units, WriteUnits: units}, nil
		}
		observer := &observedUnits{}
		for _, x := range []*executor{{}, {observer: observer}} {
			res, err := x.observe(t.Context(), Sent{}, send)
			if err != nil || res.ReadUnits != want || res.WriteUnits != want {
				t.Errorf("%v units count as %v and %v, %v", units, res.ReadUnits, res.WriteUnits, err)
			}
		}
		if observer.units != want {
			t.Errorf("%v units are observed as %v", units, observer.units)
		}
	}
}
