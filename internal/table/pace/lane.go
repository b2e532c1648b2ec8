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
	// keyUnits is how many write units a second Amazon lets a partition key consume at most. It is less for keys that
	// share a partition with others.
	//
	// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html
	keyUnits = 1000
	// growth is by how many units a second the rate grows in each second: the same for all processes, so that those with
	// less get more of what becomes free, but slowGrowth of the rate at most.
	growth, slowGrowth = 0.03 * keyUnits, 0.1
	// decrease is what remains of the rate after a throttle.
	decrease = 0.85
	// leastRate lets a key go on that is throttled however little is sent: what is too much is not of this process.
	leastRate = 0.05 * keyUnits
	// settled is how long throttles after one are held to be of the same excess: the requests in flight.
	settled = 200 * time.Millisecond
	// window is about how long a time the rate of accepted units is measured for.
	window = time.Second
	// slack is how late a write may come and the next ones still be in time.
	slack = 100 * time.Millisecond
)

// lane is the way to one key.
type lane struct {
	// turns has one place: for the next write.
	turns *share.Pool

	mu sync.Mutex
	// rate is how many units may be sent in a second, as of grown.
	rate  float64
	grown time.Time
	// next is when the next write may be sent.
	next time.Time
	// units are those that were accepted, each counting less by its age, as of counted. There are some since begun.
	units          float64
	counted, begun time.Time
	// last is when the rate was reduced.
	last time.Time
}

func newLane() *lane {
	now := time.Now()
	return &lane{
		turns: share.NewPool(share.Limits{Size: 1, PerCaller: 1, Beside: 1, Waiting: math.MaxInt}),
		rate:  decrease * keyUnits, grown: now, next: now, counted: now, begun: now, last: now,
	}
}

// pass waits until a write of so many units may be sent.
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

// late returns the error of a write that could not be sent in time.
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
	l.next = l.next.Add(seconds(units / l.rate))
	return wait
}

// grow sets the rate for the present time, and returns that.
func (l *lane) grow() time.Time {
	now := time.Now()
	l.rate += min(growth, slowGrowth*l.rate) * now.Sub(l.grown).Seconds()
	l.grown = now
	return now
}

// accepted counts units.
func (l *lane) accepted(units float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.age(time.Now())
	l.units += units
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
	l.rate = max(leastRate, decrease*min(l.rate, l.units/whole))
	l.last = now
}

// isForgotten reports whether the key has not been throttled for long.
func (l *lane) isForgotten() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return time.Since(l.last) > forgotten
}

func seconds(n float64) time.Duration { return time.Duration(n * float64(time.Second)) }
