package share

import (
	"context"
	"sync/atomic"
	"time"
)

// A Turn is an operation's place on the CPUs. That of an operation without a Pool, and nil, is always there. One
// goroutine at a time begins it.
type Turn struct {
	// CPUs has the places.
	CPUs *Pool
	// Caller is whose operation it is.
	Caller Caller
	// Arrived is when the operation had been received.
	Arrived time.Time

	taken atomic.Bool
}

// Begin waits for a place, unless the Turn has one. Its errors are those of [Pool.Acquire].
func (t *Turn) Begin(ctx context.Context) error {
	if t == nil || t.CPUs == nil || t.taken.Load() {
		return nil
	}
	if err := t.CPUs.Acquire(ctx, t.Caller); err != nil {
		return err
	}
	t.taken.Store(true)
	return nil
}

// End gives the place up. It reports whether the Turn had one.
func (t *Turn) End() bool {
	if t == nil || !t.taken.CompareAndSwap(true, false) {
		return false
	}
	t.CPUs.Release(t.Caller)
	return true
}

// Acquire waits for another place, for a part of the operation beside the others. Its errors are those of
// [Pool.Acquire].
func (t *Turn) Acquire(ctx context.Context) error {
	if t == nil || t.CPUs == nil {
		return nil
	}
	return t.CPUs.Acquire(ctx, t.Caller)
}

// Release gives up a place that was acquired.
func (t *Turn) Release() {
	if t != nil && t.CPUs != nil {
		t.CPUs.Release(t.Caller)
	}
}

type turnKey struct{}

// NewContext returns the context of an operation with its Turn.
func NewContext(ctx context.Context, t *Turn) context.Context {
	return context.WithValue(ctx, turnKey{}, t)
}

// TurnOf returns the Turn of the operation that is executed in a context; nil, which is always there, for none.
func TurnOf(ctx context.Context) *Turn {
	t, _ := ctx.Value(turnKey{}).(*Turn)
	return t
}
