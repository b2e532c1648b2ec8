package loaders

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/request"
	"github.com/partita/partita/write"
)

// Begin returns the context in which an operation is executed. All its requests are those of the viewer's tenant, if
// there is one.
func (e *Engine) Begin(ctx context.Context, b *plan.Bound) context.Context {
	if tenant := b.Tenant(); tenant != "" {
		ctx = request.WithTenant(ctx, tenant)
	}
	s := &session{}
	s.current.Store(e.newOperation(ctx, b, e.newExecutor(ctx, b)))
	return write.NewContext(context.WithValue(ctx, sessionKey{}, s), store{s})
}

// BeginEvent is Begin for an event of a subscription with a condition. What is selected below the item is read at the
// present time.
func (e *Engine) BeginEvent(ctx context.Context, b *plan.Bound, c *design.Condition, event Event) context.Context {
	o := &occasion{Event: event, condition: c}
	if event.Kind != CurrentEvent {
		if b = b.OfEvent(); e.source != nil {
			b.Now = e.source.Now()
		}
		o.page = &Page{Items: []item.Item{event.Item}, partition: event.Partition, condition: c}
	}
	ctx = e.Begin(ctx, b)
	OperationOf(ctx).live = o
	return ctx
}

// Prefetch reads what does not depend on Go code in a query, before gqlgen's resolvers run. It must not be called for a
// mutation, whose reads follow its writes.
func (e *Engine) Prefetch(ctx context.Context) { OperationOf(ctx).Read() }

// session has the current Operation of a GraphQL operation. A write replaces it by one that has read
// nothing.
type session struct{ current atomic.Pointer[Operation] }

type sessionKey struct{}

// sessionOf returns nil outside of an operation.
func sessionOf(ctx context.Context) *session {
	s, _ := ctx.Value(sessionKey{}).(*session)
	return s
}

// OperationOf returns the operation that is executed in a context; nil for none.
func OperationOf(ctx context.Context) *Operation {
	if s := sessionOf(ctx); s != nil {
		return s.current.Load()
	}
	return nil
}

// Cost returns the cost so far of the context's operation; zero if there is none.
func (e *Engine) Cost(ctx context.Context) Cost {
	op := OperationOf(ctx)
	if op == nil {
		return Cost{}
	}
	op.exec.mu.Lock()
	defer op.exec.mu.Unlock()
	cost := op.exec.cost
	cost.Objects = int(op.answered.Load()) + op.bound.Root.Weight + op.bound.Introspected()
	return cost
}

// SharedCost returns the cost of an operation that has the answer of the context's operation: nothing was read for it.
func (e *Engine) SharedCost(ctx context.Context) Cost {
	return Cost{Objects: e.Cost(ctx).Objects, ReusedReads: int(OperationOf(ctx).reads.Load())}
}

// Measured returns what the operation of a context consumed, by the Reads of its plan; nil if it is not measured.
func (e *Engine) Measured(ctx context.Context) *Measured {
	op := OperationOf(ctx)
	if op == nil || op.exec.measured == nil {
		return nil
	}
	op.exec.mu.Lock()
	defer op.exec.mu.Unlock()
	op.exec.measured.countItems()
	m := &Measured{Requests: make([]*MeasuredRequests, len(op.exec.measured.requests))}
	for i, r := range op.exec.measured.requests {
		c := *r
		c.Reads, c.Writes = slices.Clone(r.Reads), slices.Clone(r.Writes)
		m.Requests[i] = &c
	}
	slices.SortStableFunc(m.Requests, func(a, b *MeasuredRequests) int {
		return cmp.Or(a.Wave-b.Wave, slices.CompareFunc(a.Reads, b.Reads, compareIDs), cmp.Compare(a.Action, b.Action))
	})
	return m
}

// current returns the operation and the field that are being resolved.
func current(ctx context.Context) (*Operation, *graphql.FieldContext) {
	op := OperationOf(ctx)
	if op == nil {
		panic("loaders: a resolver ran outside of an operation of the Engine")
	}
	return op, graphql.GetFieldContext(ctx)
}
