package cache

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
)

// flights are Reads in flight, by what identifies them. All fields of a flight are protected by the lock.
type flights[K comparable] struct {
	mu   sync.Mutex
	byID map[K]*flight
	// most is how many flights are kept when they have an outcome; 0 for none.
	most int
	// isClosed is set if there are no more flights.
	isClosed bool
	now      func() int64
	// joined counts the Reads that were answered with the outcome of a flight.
	joined *atomic.Int64
}

// flight is a Read that its leader has sent.
type flight struct {
	// began is when the leader sent the Read, in nanoseconds of the Cache's clock.
	began int64
	// waiting is how many operations wait.
	waiting int
	// ended is closed when there is an outcome. lead has an element while there is no leader: the first that receives it
	// is the next one. Both are nil until an operation waits.
	ended, lead chan struct{}
	// outcome is nil while there is none, and remains nil if nobody needs it.
	outcome *outcome
}

// outcome is what a Read has returned.
type outcome struct {
	items []item.Item
	last  keys.Position
	err   error
	// unprocessed is set if DynamoDB has not processed the key.
	unprocessed bool
}

// role is what an operation does for a flight.
type role uint8

const (
	// leads: it sends the Read, and then calls end or handOver.
	leads role = iota
	// waits: it calls wait.
	waits
	// has: the flight has an outcome.
	has
)

func newFlights[K comparable](most int, now func() int64, joined *atomic.Int64) *flights[K] {
	return &flights[K]{byID: make(map[K]*flight), most: most, now: now, joined: joined}
}

// always is before the beginning of all flights.
const always = math.MinInt64

// enter is join with the lock.
func (g *flights[K]) enter(id K, after int64) (*flight, role) {
	now := g.now()
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.join(id, after, now, nil)
}

// join returns the flight of a Read if it began after a time, otherwise a new one, for which it uses fresh unless that
// is nil. A nil flight is one that nobody can join. The caller has the lock.
func (g *flights[K]) join(id K, after, now int64, fresh *flight) (*flight, role) {
	f := g.byID[id]
	switch {
	case f == nil || f.began <= after:
		if g.isClosed || g.most > 0 && len(g.byID) >= g.most {
			return nil, leads
		}
		if fresh == nil {
			fresh = new(flight)
		}
		fresh.began = now
		g.byID[id] = fresh
		return fresh, leads
	case f.outcome != nil:
		return f, has
	case f.ended == nil:
		f.ended, f.lead = make(chan struct{}), make(chan struct{}, 1)
	}
	f.waiting++
	return f, waits
}

// isNeeded reports whether somebody waits for the outcome of a flight, or may join it later. The caller has the lock.
func (g *flights[K]) isNeeded(f *flight) bool { return f != nil && (f.waiting > 0 || g.most > 0) }

// end passes the outcome to all that wait. The caller leads, and has the lock.
func (g *flights[K]) end(id K, f *flight, o outcome) {
	if f == nil {
		return
	}
	if g.isNeeded(f) {
		needed := o // o itself is not allocated
		f.outcome = &needed
	}
	if f.ended != nil {
		close(f.ended)
	}
	if g.most == 0 || o.err != nil || o.unprocessed {
		g.remove(id, f)
	}
}

// handOver ends the lead without an outcome. The caller leads, and has the lock.
func (g *flights[K]) handOver(id K, f *flight) {
	switch {
	case f == nil:
	case f.waiting > 0:
		f.lead <- struct{}{}
	default:
		g.remove(id, f)
	}
}

// takeOver makes an operation the leader that has waited. The caller has the lock, and has received from lead.
func (f *flight) takeOver(now int64) {
	f.waiting--
	f.began = now
}

// leave removes an operation that waits no longer. The caller has the lock.
func (g *flights[K]) leave(id K, f *flight) {
	f.waiting--
	if f.waiting == 0 && len(f.lead) > 0 {
		<-f.lead
		g.remove(id, f)
	}
}

func (g *flights[K]) remove(id K, f *flight) {
	if g.byID[id] == f {
		delete(g.byID, id)
	}
}

// close forgets all flights. Those that are under way have an outcome for those that wait already.
func (g *flights[K]) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.isClosed = true
	clear(g.byID)
}

// wait waits for the outcome of a flight. It reports whether the caller leads it from now on. The error is that of the
// context.
func (g *flights[K]) wait(ctx context.Context, id K, f *flight) (isLeader bool, err error) {
	select {
	case <-f.ended:
		return false, nil
	case <-f.lead:
		g.mu.Lock()
		defer g.mu.Unlock()
		f.takeOver(g.now())
		return true, nil
	case <-ctx.Done():
		g.mu.Lock()
		defer g.mu.Unlock()
		g.leave(id, f)
		return false, endOf(ctx)
	}
}

// endOf returns the error of a read whose context has ended while it waited.
func endOf(ctx context.Context) error {
	if err := ctx.Err(); !errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("cache: %w", err)
	}
	return fmt.Errorf("%w: %w", request.ErrTimeout, ctx.Err())
}

// one returns the result of a GetItem or a Query, which it sends unless there is a flight that began after a time.
func (g *flights[K]) one(
	ctx context.Context, id K, after int64, send func() (request.Result, error),
) (request.Result, error) {
	for {
		f, role := g.enter(id, after)
		if role == waits {
			isLeader, err := g.wait(ctx, id, f)
			if err != nil {
				return request.Result{Unsent: true}, err
			}
			if role = has; isLeader {
				role = leads
			}
		}
		switch {
		case role == leads:
			return g.lead(ctx, id, f, send)
		case !f.outcome.unprocessed:
			g.joined.Add(1)
			o := f.outcome
			return request.Result{Items: o.items, Last: o.last, Reused: 1, Unsent: true}, o.err
		}
	}
}

// lead sends the Read of a flight. If the context has ended, or if the Source has panicked, the flight is handed over.
func (g *flights[K]) lead(
	ctx context.Context, id K, f *flight, send func() (request.Result, error),
) (res request.Result, err error) {
	isOutcome := false
	defer func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		if isOutcome {
			g.end(id, f, outcome{items: res.Items, last: res.Last, err: err})
		} else {
			g.handOver(id, f)
		}
	}()
	res, err = send()
	res.Items = res.Items[:len(res.Items):len(res.Items)] // others append to it, too
	isOutcome = err == nil || ctx.Err() == nil
	return res, err
}
