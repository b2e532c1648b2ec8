package answer

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/partita/partita/internal/plan"
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

// TestNumberOfFurtherErrors: the last error has the number of all that are not presented.
func TestNumberOfFurtherErrors(t *testing.T) {
	a := Answerer{
		MaxErrors: 2,
		Present:   func(_ context.Context, e FieldError) *gqlerror.Error { return gqlerror.WrapPath(e.Path, e.Err) },
		More: func(n int, first *gqlerror.Error) *gqlerror.Error {
			return gqlerror.Errorf("%d more from %v", n, first.Path)
		},
	}
	errs := fieldErrors{max: a.MaxErrors}
	for _, index := range []int{4, 10, 0, 2, 3} {
		errs.add([]segment{{alias: "a"}, {index: index}}, nil, errNull)
	}
	presented := a.present(t.Context(), &errs)
	if len(presented) != 3 || presented[0].Path.String() != "a[0]" || presented[1].Path.String() != "a[2]" ||
		presented[2].Message != "3 more from a[3]" {
		t.Errorf("the errors are %v", presented)
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
