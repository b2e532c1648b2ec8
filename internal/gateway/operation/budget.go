package operation

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gateway/budget"
	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/replicas"
	"github.com/partita/partita/internal/share"
)

// WriteUnitWeight is the number of read units that a write unit counts as in a budget: the ratio of their on-demand
// prices.
//
// https://aws.amazon.com/dynamodb/pricing/on-demand/
const WriteUnitWeight = 5

// ObjectsPerUnit is the number of objects in answers that count as one read unit in a budget. An answer uses the
// gateway's CPU and memory even if its items were read only once.
const ObjectsPerUnit = 100

// Budgets are the budgets of all callers. A kind is nil if it is not limited.
type Budgets struct {
	*budget.Budgets
	store                          *replicas.Store // nil without one
	units, mutations, allMutations *budget.Kind
}

func newBudgets(c Consumption) Budgets {
	b := Budgets{Budgets: budget.New(c.Store), store: c.Store}
	if c.Budget.Maximum != 0 {
		b.units = budget.NewKind("units", budget.Limit(c.Budget))
	}
	if n := c.AnonymousMutations.PerMinute; n > 0 {
		b.mutations = budget.NewKind("mutations", perMinute(n))
	}
	if n := c.AnonymousMutations.TotalPerMinute; n > 0 {
		b.allMutations = budget.NewKind("allMutations", perMinute(n))
	}
	return b
}

// AreShared reports whether the budgets are in a store, which a reservation waits for.
func (b Budgets) AreShared() bool { return b.store != nil }

// Reservation is what an operation has taken out of a budget until it is committed. The zero reservation is for an
// operation without a budget.
type Reservation struct {
	store    *replicas.Store
	units    *budget.Kind
	reserved budget.Reservation
}

// Commit replaces the reserved amount by the consumed one, which may be greater. It returns nil if there is no budget.
func (r Reservation) Commit(ctx context.Context, consumed float64) *response.ThrottleStatus {
	if r.units == nil {
		return nil
	}
	defer awaitStore(ctx, r.store)()
	return throttleStatus(r.units.Limit(), r.reserved.Commit(ctx, consumed))
}

// awaitStore ends an operation's turn on the CPUs while it waits for the shared store, if there is one. The result
// begins it again; it does not if the operation's time is over.
func awaitStore(ctx context.Context, store *replicas.Store) (answered func()) {
	turn := share.TurnOf(ctx)
	if store == nil || !turn.End() {
		return func() {}
	}
	return func() { _ = turn.Begin(ctx) }
}

func throttleStatus(limit budget.Limit, available float64) *response.ThrottleStatus {
	return &response.ThrottleStatus{
		MaximumAvailable:   limit.Maximum,
		CurrentlyAvailable: math.Round(available*10) / 10,
		RestoreRate:        limit.Restore,
	}
}

// Reserve counts an operation's mutations, and reserves its estimate in the budget of the viewer, or of the network
// address of an anonymous caller.
func (b Budgets) Reserve(
	ctx context.Context, c share.Caller, bound *plan.Bound, estimate plan.Price,
) (Reservation, *response.Error) {
	defer awaitStore(ctx, b.store)()
	if c.Viewer == "" && bound.Operation.Operation == ast.Mutation {
		if err := b.countMutations(ctx, c, mutations(bound)); err != nil {
			return Reservation{}, err
		}
	}
	if b.units == nil {
		return Reservation{}, nil
	}
	if err := b.Check(c, estimate); err != nil {
		return Reservation{}, err
	}
	amount := InBudget(estimate.ReadUnits, estimate.WriteUnits, estimate.Objects)
	return b.reserveUnits(ctx, c, amount,
		"The operation may take up to %s read units, which are not there at the moment. "+
			"Send it again in %s, or ask for smaller pages.")
}

// Check returns an error for an estimate that is more than a caller can ever have.
func (b Budgets) Check(c share.Caller, estimate plan.Price) *response.Error {
	if b.units == nil {
		return nil
	}
	amount := InBudget(estimate.ReadUnits, estimate.WriteUnits, estimate.Objects)
	if b.units.Charge(c, amount).CanBeMade() {
		return nil
	}
	return response.Errorf(http.StatusUnprocessableEntity, response.CodeCostLimit,
		"The operation may take up to %s read units, a write unit counted as %d and %d objects in the answer as one; "+
			"%s is the most that a caller can have. Split it into smaller operations.",
		formatUnits(amount), WriteUnitWeight, ObjectsPerUnit, formatUnits(b.units.Limit().Maximum))
}

// ReservePage reserves what a page of a table may consume at worst, or all that a caller can have if that is less.
func (b Budgets) ReservePage(ctx context.Context, c share.Caller, amount float64) (Reservation, *response.Error) {
	if b.units == nil {
		return Reservation{}, nil
	}
	defer awaitStore(ctx, b.store)()
	return b.reserveUnits(ctx, c, b.Most(amount),
		"The page may take up to %s read units, which are not there at the moment. Try again in %s.")
}

// Most returns an amount, or all that a caller can have if that is less.
func (b Budgets) Most(amount float64) float64 {
	if b.units == nil {
		return amount
	}
	return min(amount, b.units.Limit().Maximum)
}

// reserveUnits reserves read units. The verbs of shortage are for them, and for the wait.
func (b Budgets) reserveUnits(
	ctx context.Context, c share.Caller, amount float64, shortage string,
) (Reservation, *response.Error) {
	reserved, lack := b.Budgets.Reserve(ctx, b.units.Charge(c, amount))
	wait := lack.Wait()
	if wait == 0 {
		return Reservation{b.store, b.units, reserved}, nil
	}
	err := rateLimited(wait, shortage, formatUnits(amount))
	err.Cost.ThrottleStatus = throttleStatus(b.units.Limit(), lack.Available)
	return Reservation{}, err
}

// rateLimited returns the error of an operation that can be sent again after the wait. The last verb of the format is
// for the wait.
func rateLimited(wait time.Duration, format string, args ...any) *response.Error {
	seconds := max(1, int(math.Ceil(wait.Seconds())))
	args = append(args, inSeconds(seconds))
	err := response.Errorf(http.StatusTooManyRequests, response.CodeRateLimited, format, args...)
	err.RetryAfter, err.Wait = strconv.Itoa(seconds), wait
	return err
}

// formatUnits formats units without an exponent.
func formatUnits(units float64) string { return strconv.FormatFloat(units, 'f', -1, 64) }

func inSeconds(n int) string {
	if n == 1 {
		return "1 second"
	}
	return fmt.Sprintf("%d seconds", n)
}

// InBudget returns the read units that a cost counts as in a budget.
func InBudget(readUnits, writeUnits, objects float64) float64 {
	return readUnits + WriteUnitWeight*writeUnits + objects/ObjectsPerUnit
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
