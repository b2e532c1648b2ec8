package pace

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/partita/partita/internal/share"
	"github.com/partita/partita/request"
)

const (
	// growth is by which part of the limit the rate grows in each second: the same for all processes, so that those with
	// less get more of what becomes free, but slowGrowth of the rate at most.
	growth, slowGrowth = 0.03, 0.1
	// decrease is what remains of the rate after a throttle.
	decrease = 0.85
	// leastRate, a part of the limit, lets a key go on that is throttled however little is sent: what is too much is not
	// of this process.
	leastRate = 0.01
	// settled is how long throttles after one are held to be of the same excess: the requests in flight.
	settled = 200 * time.Millisecond
	// recovery is about how long a rate takes to become the one that was found.
	recovery = 2 * time.Second
	// window is about how long a time the rate of accepted units is measured for.
	window = time.Second
	// forgotten is after which time without a throttle a key has no lane any more. Its rate has grown by far more than a
	// key can take until then.
	forgotten = time.Minute
	// slack is how late a request may come and the next ones still be in time.
	slack = 100 * time.Millisecond
	// learned is which part of a factor is that of the latest request.
	learned = 0.1
)

// lane is the way to one key.
type lane struct {
	// limit is how many units a second a key may consume at most.
	limit float64
	// turns has one place: for the next request.
	turns *share.Pool

	mu sync.Mutex
	// rate is how many units may be sent in a second, as of grown.
	rate  float64
	grown time.Time
	// found is a rate that the key may well take, whatever the rate has become by several throttles at once.
	found float64
	// next is when the next request may be sent.
	next time.Time
	// factor is how many times what is known before requests consume.
	factor float64
	// units are those that were accepted, each counting less by its age, as of counted. There are some since begun.
	units          float64
	counted, begun time.Time
	// last is when the rate was reduced.
	last time.Time
}

func newLane(limit float64) *lane {
	now := time.Now()
	return &lane{
		limit: limit, factor: 1,
		turns: share.NewPool(share.Limits{Size: 1, PerCaller: 1, Beside: 1, Waiting: math.MaxInt}),
		rate:  decrease * limit, grown: now, next: now, counted: now, begun: now, last: now,
	}
}

// pass waits until a request may be sent that is known to consume so many units.
func (l *lane) pass(ctx context.Context, units float64) error {
	caller := share.CallerOf(ctx)
	if err := l.turns.Acquire(ctx, caller); err != nil {
		return late(err)
	}
	defer l.turns.Release(caller)
	timer := time.NewTimer(l.take(units))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return late(ctx.Err())
	}
}

// late returns the error of a request that could not be sent in time.
func late(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return fmt.Errorf("%w: no turn at a partition key at its limit: %w", request.ErrThrottled, err)
}

// take takes units of the rate, and returns how long to wait for them.
func (l *lane) take(units float64) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.grow()
	if earliest := now.Add(-slack); l.next.Before(earliest) {
		l.next = earliest
	}
	wait := l.next.Sub(now)
	l.next = l.next.Add(seconds(units * l.factor / l.rate))
	return wait
}

// grow sets the rate for the present time, and returns that.
func (l *lane) grow() time.Time {
	now := time.Now()
	elapsed := now.Sub(l.grown).Seconds()
	l.rate += max(0, l.found-l.rate) * -math.Expm1(-elapsed/recovery.Seconds())
	l.rate += min(growth*l.limit, slowGrowth*l.rate) * elapsed
	l.grown = now
	return now
}

// accepted counts the units of a request. What it has consumed beyond those that it has taken is missing to the next.
func (l *lane) accepted(known, consumed float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.age(time.Now())
	l.units += consumed
	l.next = l.next.Add(seconds((consumed - known*l.factor) / l.rate))
	l.factor += learned * (consumed/known - l.factor)
}

// age lets what was counted count less.
func (l *lane) age(now time.Time) {
	l.units *= math.Exp(-now.Sub(l.counted).Seconds() / window.Seconds())
	l.counted = now
}

// throttled reduces the rate, to less than what was accepted.
func (l *lane) throttled() {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.grow()
	if now.Sub(l.last) < settled {
		return
	}
	l.age(now)
	whole := window.Seconds() * -math.Expm1(-now.Sub(l.begun).Seconds()/window.Seconds())
	l.found = decrease * max(l.found, l.rate)
	l.rate = max(leastRate*l.limit, decrease*min(l.rate, l.units/whole))
	l.last = now
}

// isForgotten reports whether the key has not been throttled for long.
func (l *lane) isForgotten() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return time.Since(l.last) > forgotten
}

func seconds(n float64) time.Duration { return time.Duration(n * float64(time.Second)) }
