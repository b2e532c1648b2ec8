package operation

import (
	"github.com/partita/partita/internal/gateway/budget"
	"github.com/partita/partita/internal/plan"
)

// AnonymousMutations limits how many mutations anonymous callers may send, beside what they cost: the error of a
// mutation may show which values are taken. Each field of the type Mutation that an operation selects counts, under any
// alias and whether it succeeds or not. 0 is no limit.
type AnonymousMutations struct {
	// PerMinute is how many mutations a network address may send at once, and in each minute.
	PerMinute int
	// TotalPerMinute is the same for all anonymous callers together.
	TotalPerMinute int
}

func perMinute(n int) budget.Limit {
	return budget.Limit{Maximum: float64(n), Restore: float64(n) / 60}
}

// mutations returns the number of mutations of an operation: fields with an alias of their own, after @skip and
// @include.
func mutations(bound *plan.Bound) (n int) {
	for _, f := range bound.Root.Fields {
		if f.Kind != plan.TypenameField {
			n++
		}
	}
	return n
}
