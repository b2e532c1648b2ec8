package answer

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/partita/partita/plan"
)

// TestFirstErrorsAreKept: whatever the order in which fields fail, the first errors by path are kept, and equal paths
// keep their order.
func TestFirstErrorsAreKept(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		errs := fieldErrors{max: 5}
		type failure struct {
			path []segment
			err  error
		}
		var all []failure
		for n := range random.IntN(20) {
			path := []segment{{alias: "list"}, {index: random.IntN(12)}, {alias: string(rune('a' + random.IntN(3)))}}
			err := fmt.Errorf("error %d", n)
			all = append(all, failure{path, err})
			errs.add(path, &plan.Field{}, err)
		}
		slices.SortStableFunc(all, func(a, b failure) int { return slices.CompareFunc(a.path, b.path, segment.compare) })
		if errs.count != len(all) || len(errs.first) != min(6, len(all)) {
			t.Fatalf("%d errors of %d are kept, and %d are counted", len(errs.first), len(all), errs.count)
		}
		for i, e := range errs.first {
			if !errors.Is(e.err, all[i].err) {
				t.Fatalf("error %d is %v at %v, want %v at %v", i, e.err, e.path, all[i].err, all[i].path)
			}
		}
	}
}

func TestErrorsThatAreNotKeptCostNothing(t *testing.T) {
	errs := fieldErrors{max: 3}
	path := []segment{{alias: "a"}, {index: 1}}
	for range 4 {
		errs.add(path, nil, errNull)
	}
	if n := testing.AllocsPerRun(100, func() { errs.add(path, nil, errNull) }); n != 0 {
		t.Errorf("%v allocations for an error that is not kept", n)
	}
}
