package operation

import (
	"context"
	"net/http"

	"github.com/partita/partita/internal/gateway/budget"
	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/share"
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

// countMutations charges n mutations to an anonymous caller. They are not returned if the operation fails afterwards:
// the attempt counts.
func (b Budgets) countMutations(ctx context.Context, c share.Caller, n int) *response.Error {
	charges := make([]budget.Charge, 0, 2)
	if b.mutations != nil {
		charges = append(charges, b.mutations.Charge(c, float64(n)))
	}
	if b.allMutations != nil {
		charges = append(charges, b.allMutations.Charge(share.Caller{}, float64(n)))
	}
	for _, c := range charges {
		if !c.CanBeMade() {
			return response.Errorf(http.StatusUnprocessableEntity, response.CodeCostLimit,
				"The operation has %d mutations, which is too many without a token. Send them one by one, or sign in.", n)
		}
	}
	if len(charges) == 0 || n == 0 {
		return nil
	}
	shortage := b.Take(ctx, charges...)
	switch wait := shortage.Wait(); {
	case wait == 0:
		return nil
	case shortage.Is(b.mutations):
		return rateLimited(wait, "Your network has sent too many mutations without a token. "+
			"Send the operation again in %s, or sign in.")
	default:
		return rateLimited(wait, "Too many mutations are sent without a token at the moment. "+
			"Send the operation again in %s, or sign in.")
	}
}
