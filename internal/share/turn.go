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
	// begun reports whether the operation has had a place.
	begun bool
}

// Arrive begins another operation, which has been received now.
func (t *Turn) Arrive() { t.Arrived, t.begun = time.Now(), false }

// Begin waits for a place, unless the Turn has one. An operation that goes on comes before those of its caller that
// have not begun: so few are in memory at a time. The errors are those of [Pool.Acquire].
func (t *Turn) Begin(ctx context.Context) error {
	if t == nil || t.CPUs == nil || t.taken.Load() {
		return nil
	}
	of := ofNew
	if t.begun {
		of = ofBegun
	}
	if err := t.CPUs.acquire(ctx, t.Caller, of); err != nil {
		return err
	}
	t.begun = true
	t.taken.Store(true)
	return nil
}

// Yield gives the place up, and waits for another one, if another caller needs it. An operation calls it while it
// computes for a long time. Without another place, because the operation's time is over, it goes on: what it does then
// is to end.
func (t *Turn) Yield(ctx context.Context) {
	if t == nil || t.CPUs == nil || !t.taken.Load() || !t.CPUs.isNeeded(t.Caller) {
		return
	}
	if t.End() {
		_ = t.Begin(ctx)
	}
}

// End gives the place up. It reports whether the Turn had one.
func (t *Turn) End() bool {
	if t == nil || !t.taken.CompareAndSwap(true, false) {
		return false
	}
	t.CPUs.Release(t.Caller)
	return true
}

// Acquire waits for another place, to parse an answer, for which operations of other callers may wait as well: it does
// not wait for what the caller computes. Its errors are those of [Pool.Acquire].
func (t *Turn) Acquire(ctx context.Context) error {
	if t == nil || t.CPUs == nil {
		return nil
	}
	return t.CPUs.acquire(ctx, t.Caller, ofAnswer)
}

// Release gives up a place that was acquired.
func (t *Turn) Release() {
	if t != nil && t.CPUs != nil {
		t.CPUs.release(t.Caller, ofAnswer)
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

// CallerOf returns whose operation is executed in a context; the zero Caller for none.
func CallerOf(ctx context.Context) Caller {
	if t := TurnOf(ctx); t != nil {
		return t.Caller
	}
	return Caller{}
}
