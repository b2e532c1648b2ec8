package share

import (
	"context"
	"errors"
	"maps"
	"math"
	"sync"
	"time"
)

// Limits are those of a Pool. All are positive.
type Limits struct {
	// Size is the number of places.
	Size int
	// PerCaller is how many of them one caller may have.
	PerCaller int
	// Beside is the same limit while another caller is active: while it has come within the last [ActiveFor]. One who
	// has used much less than the other lately may have more, and one who has used much more has one place.
	Beside int
	// Waiting is how many operations of one caller may wait for a place.
	Waiting int
}

// ActiveFor is how long a caller counts as active after it has asked for a place. That is long compared with the time
// between two steps of an operation, and short enough for a caller to have all places soon after others have left.
const ActiveFor = 100 * time.Millisecond

// The errors of [Pool.Acquire].
var (
	// ErrCallerFull is the error of a caller who has as many places as one caller may, if as many others of its
	// operations wait as may, or if none of the places was released in time.
	ErrCallerFull = errors.New("share: the caller has as many places as one caller may")
	// ErrFull is the same error if no place at all is left.
	ErrFull = errors.New("share: all places are taken")
)

// rank is what an operation needs a place for. The operations of a caller that wait with a lower rank are served first.
type rank int

const (
	// ofAnswer: to parse an answer, for which operations of others may wait as well, and which has a request in flight
	// until then. A caller has as many of these places again as of all others.
	ofAnswer rank = iota
	// ofBegun: to go on with what has begun, and has much in memory.
	ofBegun
	// ofNew: to begin.
	ofNew
	ranks
)

// Pool is a number of places. Its methods may be called concurrently.
type Pool struct {
	limits Limits

	mu   sync.Mutex
	held int
	// members are the callers who have places or wait for one, and some who have left: most come again.
	members map[Caller]*member
	left    int // how many have left
	// next is the member that is served next, in a ring of those that wait; nil if there is none.
	next *member
	// recent are the two callers who have come last, the last one first.
	recent [2]visit
}

type visit struct {
	caller Caller
	at     time.Time
}

// A member is a caller with its places and waiters.
type member struct {
	caller Caller
	held   int
	// answers is how many of the places are those of answers.
	answers int
	waiting int
	// used is how many places the caller has had for how long lately, in seconds, when that was counted.
	used           float64
	counted        time.Time
	waiters        [ranks]queue
	before, behind *member // in the ring; nil if nobody waits
}

// queue are the waiters of a rank, in the order in which they came.
type queue struct{ first, last *waiter }

// A waiter waits for a place.
type waiter struct {
	rank           rank
	ready          chan struct{} // closed when it has the place
	served         bool
	before, behind *waiter
}

// NewPool returns a Pool without a caller.
func NewPool(limits Limits) *Pool {
	return &Pool{limits: limits, members: map[Caller]*member{}}
}

// Size returns the number of places.
func (p *Pool) Size() int { return p.limits.Size }

// Acquire waits for a place, which the caller must release, until the context's deadline. It returns the error of a
// context that is cancelled.
func (p *Pool) Acquire(ctx context.Context, caller Caller) error {
	return p.acquire(ctx, caller, ofNew)
}

func (p *Pool) acquire(ctx context.Context, caller Caller, of rank) error {
	p.mu.Lock()
	c := p.visited(caller)
	if first := c.first(); (first == nil || first.rank > of) && p.admits(c, of) {
		p.take(c, of)
		p.mu.Unlock()
		return nil
	}
	if c.waiting >= p.limits.Waiting {
		err := p.full(c)
		p.drop(c)
		p.mu.Unlock()
		return err
	}
	w := &waiter{rank: of, ready: make(chan struct{})}
	p.enqueue(c, w)
	p.serve() // a limit may have ended since the last release, because time has passed
	p.mu.Unlock()
	return p.await(ctx, c, w)
}

// await waits until the waiter is served. A limit may end without a release, because others are active no more.
func (p *Pool) await(ctx context.Context, c *member, w *waiter) error {
	again := time.NewTicker(ActiveFor)
	defer again.Stop()
	for {
		select {
		case <-w.ready:
			return nil
		case <-ctx.Done():
			return p.leave(ctx, c, w)
		case <-again.C:
			p.mu.Lock()
			p.serve()
			p.mu.Unlock()
		}
	}
}

// leave ends the wait of a waiter, unless it has got a place at the same time.
func (p *Pool) leave(ctx context.Context, c *member, w *waiter) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if w.served {
		return nil
	}
	p.dequeue(c, w)
	defer p.drop(c)
	if err := ctx.Err(); !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return p.full(c)
}

// full returns the error of a caller who cannot have a place.
func (p *Pool) full(c *member) error {
	if c.held >= p.limits.PerCaller {
		return ErrCallerFull
	}
	return ErrFull
}

// take takes a place for a caller.
func (p *Pool) take(c *member, of rank) {
	if of == ofAnswer {
		c.answers++
	}
	c.held++
	p.held++
}

// Release gives up a place of the caller.
func (p *Pool) Release(caller Caller) { p.release(caller, ofNew) }

func (p *Pool) release(caller Caller, of rank) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := p.members[caller]
	c.account(time.Now())
	if of == ofAnswer {
		c.answers--
	}
	c.held--
	p.held--
	p.serve()
	p.drop(c)
}

// visited returns the member for a caller who comes now.
func (p *Pool) visited(caller Caller) *member {
	now := time.Now()
	if p.recent[0].caller != caller {
		p.recent[1] = p.recent[0]
	}
	p.recent[0] = visit{caller, now}
	c := p.members[caller]
	switch {
	case c == nil:
		c = &member{caller: caller}
		p.members[caller] = c
	case c.isUnused():
		p.left--
	}
	c.account(now)
	return c
}

func (c *member) isUnused() bool { return c.held == 0 && c.waiting == 0 }

// maxLeft limits the memory for members that have left.
const maxLeft = 1024

// drop counts a member as left if it has no places and waits for none.
func (p *Pool) drop(c *member) {
	if !c.isUnused() {
		return
	}
	if p.left++; p.left > maxLeft {
		maps.DeleteFunc(p.members, func(_ Caller, c *member) bool { return c.isUnused() })
		p.left = 0
	}
}

// admits reports whether a caller may have another place.
func (p *Pool) admits(c *member, of rank) bool {
	held := c.held - c.answers
	if of == ofAnswer {
		held = c.answers
	}
	switch {
	case p.held >= p.limits.Size, c.held >= p.limits.PerCaller:
		return false
	case held < p.limits.Beside && !p.isHeavy(c):
		return true
	case held == 0 || p.isAlone(c):
		return true
	}
	return p.isLight(c)
}

// lightness is how many times less than another caller one uses who may have more places than Limits.Beside.
const lightness = 4

// isLight reports whether another caller uses much more than this one, and isHeavy whether this one uses much more.
func (p *Pool) isLight(c *member) bool {
	other := p.other(c)
	return other != nil && c.used*lightness < other.used
}

func (p *Pool) isHeavy(c *member) bool {
	other := p.other(c)
	return p.limits.Beside < p.limits.PerCaller && other != nil && other.used*lightness < c.used && !p.isAlone(c)
}

// other returns the caller who has come last besides this one; nil if it has been forgotten.
func (p *Pool) other(c *member) *member {
	if p.recent[0].caller != c.caller {
		return p.members[p.recent[0].caller]
	}
	return p.members[p.recent[1].caller]
}

// account adds to what a caller has used since it was last counted. What it had used before counts for half after
// ActiveFor.
func (c *member) account(now time.Time) {
	since := now.Sub(c.counted)
	c.counted = now
	c.used = c.used*math.Exp2(-since.Seconds()/ActiveFor.Seconds()) + float64(c.held)*since.Seconds()
}

// isNeeded reports whether a place of a caller is needed by others: one of them waits, or the caller has more than it
// may have beside them.
func (p *Pool) isNeeded(caller Caller) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := p.members[caller]
	if c == nil || c.held == 0 {
		return false
	}
	if n := p.next; n != nil && p.held >= p.limits.Size && (n.caller != caller || n.behind != n) {
		return true
	}
	return c.held-c.answers > p.limits.Beside && !p.isAlone(c)
}

// IsAlone reports whether no other caller is active.
func (p *Pool) IsAlone(caller Caller) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := p.members[caller]
	return c == nil || p.isAlone(c)
}

// isAlone reports whether no other caller is active.
func (p *Pool) isAlone(c *member) bool {
	other := p.recent[0]
	if other.caller == c.caller {
		other = p.recent[1]
	}
	return other.at.IsZero() || time.Since(other.at) > ActiveFor
}

// serve gives free places to those who wait, one caller after the other. It looks at no more callers than have places,
// because one without a place can have any.
func (p *Pool) serve() {
	skipped := 0
	for c := p.next; c != nil && p.held < p.limits.Size; c = p.next {
		p.next = c.behind
		w := c.first()
		if !p.admits(c, w.rank) {
			if skipped++; c.behind == c || skipped > p.held {
				return
			}
			continue
		}
		skipped = 0
		p.dequeue(c, w)
		c.account(time.Now())
		p.take(c, w.rank)
		w.served = true
		close(w.ready)
	}
}

// first returns the waiter of a caller who is served next; nil if there is none.
func (c *member) first() *waiter {
	for _, q := range c.waiters {
		if q.first != nil {
			return q.first
		}
	}
	return nil
}

// enqueue adds a waiter behind the others of its caller and rank, and its caller behind the others.
func (p *Pool) enqueue(c *member, w *waiter) {
	c.waiting++
	q := &c.waiters[w.rank]
	if w.before = q.last; q.last == nil {
		q.first = w
	} else {
		q.last.behind = w
	}
	q.last = w
	switch {
	case c.behind != nil:
	case p.next == nil:
		c.before, c.behind = c, c
		p.next = c
	default:
		c.before, c.behind = p.next.before, p.next
		c.before.behind, c.behind.before = c, c
	}
}

// dequeue removes a waiter, and its caller if nobody else waits there.
func (p *Pool) dequeue(c *member, w *waiter) {
	c.waiting--
	q := &c.waiters[w.rank]
	if w.before == nil {
		q.first = w.behind
	} else {
		w.before.behind = w.behind
	}
	if w.behind == nil {
		q.last = w.before
	} else {
		w.behind.before = w.before
	}
	if c.waiting > 0 {
		return
	}
	switch {
	case c.behind == c:
		p.next = nil
	default:
		if p.next == c {
			p.next = c.behind
		}
		c.before.behind, c.behind.before = c.behind, c.before
	}
	c.before, c.behind = nil, nil
}
