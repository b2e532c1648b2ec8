package run

import (
	"context"
	"math"
	"sync"

	"golang.org/x/time/rate"
)

// limiter lets the units of a migration be consumed at a rate that may change.
type limiter struct {
	mu      sync.Mutex
	limiter *rate.Limiter
	// changed is closed when the rate changes, and failed is the error of all that wait afterwards.
	changed chan struct{}
	failed  error
	perSec  float64
}

func newLimiter(unitsPerSecond float64) *limiter {
	l := &limiter{limiter: rate.NewLimiter(rate.Inf, 1), changed: make(chan struct{}), perSec: -1}
	l.apply(unitsPerSecond, unitsPerSecond <= 0)
	return l
}

// set takes over the rate that is stored, 0 for a pause, or if none is, the process's own, 0 for no limit.
func (l *limiter) set(stored, own float64) {
	if stored >= 0 {
		l.apply(stored, false)
		return
	}
	l.apply(own, own <= 0)
}

func (l *limiter) apply(perSecond float64, unlimited bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if unlimited {
		perSecond = math.Inf(1)
	}
	if perSecond == l.perSec {
		return
	}
	l.perSec = perSecond
	limit := rate.Limit(perSecond)
	if unlimited {
		limit = rate.Inf
	}
	l.limiter = rate.NewLimiter(limit, max(1, int(math.Min(perSecond, 1e6))))
	close(l.changed)
	l.changed = make(chan struct{})
}

// fail ends all waiting.
func (l *limiter) fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.failed = err
	close(l.changed)
	l.changed = make(chan struct{})
}

func (l *limiter) get() (*rate.Limiter, chan struct{}, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.limiter, l.changed, l.failed
}

// spend waits until the rate allows for units that have been consumed.
func (l *limiter) spend(ctx context.Context, units float64) error {
	for left := int(math.Ceil(units)); left > 0; {
		now, changed, failed := l.get()
		if failed != nil {
			return failed
		}
		if now.Limit() == rate.Inf {
			return nil
		}
		n := min(left, now.Burst())
		waiting, cancel := context.WithCancel(ctx)
		stop := make(chan struct{})
		go func() {
			select {
			case <-changed:
				cancel()
			case <-stop:
			}
		}()
		err := l.wait(waiting, now, n)
		close(stop)
		cancel()
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil:
			left -= n
		}
	}
	_, _, failed := l.get()
	return failed
}

// wait waits for n units, for ever if there are none.
func (l *limiter) wait(ctx context.Context, now *rate.Limiter, n int) error {
	if now.Limit() == 0 {
		<-ctx.Done()
		return ctx.Err()
	}
	return now.WaitN(ctx, n)
}
