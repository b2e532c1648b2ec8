package loaders

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"
)

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
		c.Reads = slices.Clone(r.Reads)
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
