package loaders

import (
	"context"
	"math"
	"testing"

	"github.com/partita/partita/loaders/request"
)

// observedUnits is an Observer of the read units of a request.
type observedUnits struct {
	Observer
	units float64
}

func (o *observedUnits) Request(ctx context.Context, _ Sent) (context.Context, func(request.Result, error)) {
	return ctx, func(res request.Result, _ error) { o.units = res.ReadUnits }
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
