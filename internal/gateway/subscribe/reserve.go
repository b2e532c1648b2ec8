package subscribe

import (
	"context"
	"time"

	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/plan"
)

// reservation is what an answer has taken out of the budget of its caller, and of its allowance if there is one.
type reservation struct {
	ofCaller  operation.Reservation
	allowance func(units, objects float64)
}

// Commit replaces what was reserved by what was consumed: read units, a write unit counted as
// operation.WriteUnitWeight, and objects. It returns nil if the caller has no budget.
func (r reservation) Commit(ctx context.Context, units, objects float64) *response.ThrottleStatus {
	if r.allowance != nil {
		r.allowance(units, objects)
	}
	return r.ofCaller.Commit(ctx, operation.InBudget(units, 0, objects))
}

// reserve reserves a price in the allowance, whose shortage is an error, and in the budget of the caller; see
// reserveOfCaller.
func (s *Subscription) reserve(
	ctx context.Context, price plan.Price, isFirst bool, waits func(),
) (reserved reservation, err *response.Error) {
	if s.allowance != nil {
		if reserved.allowance, err = s.allowance.Reserve(price); err != nil {
			err.Cost = response.EstimateOf(price)
			return reservation{}, err
		}
	}
	if reserved.ofCaller, err = s.reserveOfCaller(ctx, price, isFirst, waits); err != nil && s.allowance != nil {
		reserved.allowance(0, 0)
	}
	return reserved, err
}

// reserveOfCaller reserves a price in the budget of the caller. If it is short, the first state is an error, and an
// event waits: those after it are kept meanwhile, as far as the feed has room. Of all events of a caller that wait, one
// asks again, when the budget may have what it needs. waits is called before; nil for nothing.
func (s *Subscription) reserveOfCaller(
	ctx context.Context, price plan.Price, isFirst bool, waits func(),
) (operation.Reservation, *response.Error) {
	if s.streams.Budgets.AreShared() {
		s.blocks()
	}
	reserved, err := s.streams.Budgets.Reserve(ctx, s.caller, s.bound, price)
	if err == nil {
		return reserved, nil
	}
	if err.Wait > 0 && !isFirst {
		if s.blocks(); waits != nil {
			waits()
		}
		waiting := s.streams.Shares.Shortages
		if waiting.Acquire(ctx, s.caller) != nil {
			return operation.Reservation{}, feedError(ctx.Err())
		}
		defer waiting.Release(s.caller)
	}
	for err != nil && err.Wait > 0 && !isFirst {
		select {
		case <-time.After(err.Wait):
		case <-ctx.Done():
			return operation.Reservation{}, feedError(ctx.Err())
		}
		reserved, err = s.streams.Budgets.Reserve(ctx, s.caller, s.bound, price)
	}
	if err != nil {
		budget := err.Cost.ThrottleStatus
		err.Cost = response.EstimateOf(price)
		err.Cost.ThrottleStatus = budget
		return operation.Reservation{}, err
	}
	return reserved, nil
}
