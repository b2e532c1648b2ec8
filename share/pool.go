package share

import (
	"context"
	"errors"
	"maps"
	"sync"
	"time"
)

// Limits are those of a Pool. All are positive.
type Limits struct {
	// Size is the number of places.
	Size int
	// PerCaller is how many of them one caller may have.
	PerCaller int
	// Beside is the same limit while another caller is active: while it has come within the last [ActiveFor].
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
	caller         Caller
	held           int
	waiting        int
	first, last    *waiter // in the order in which they came
	before, behind *member // in the ring; nil if nobody waits
}

// A waiter waits for a place.
type waiter struct {
	ready          chan struct{} // closed when it has the place
	served         bool
	before, behind *waiter
}

// NewPool returns a Pool without a caller.
func NewPool(limits Limits) *Pool {
	return &Pool{limits: limits, members: map[Caller]*member{}}
}

// Acquire waits for a place, which the caller must release, until the context's deadline. It returns the error of a
// context that is cancelled.
func (p *Pool) Acquire(ctx context.Context, caller Caller) error {
	p.mu.Lock()
	c := p.visited(caller)
	if c.first == nil && p.admits(c) {
		c.held++
		p.held++
		p.mu.Unlock()
		return nil
	}
	if c.waiting >= p.limits.Waiting {
		err := p.full(c)
		p.drop(c)
		p.mu.Unlock()
		return err
	}
	w := &waiter{ready: make(chan struct{})}
	p.enqueue(c, w)
	p.serve() // a limit may have ended since the last release, because time has passed
	p.mu.Unlock()
	select {
	case <-w.ready:
		return nil
	case <-ctx.Done():
		return p.leave(ctx, c, w)
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

// Release gives up a place of the caller.
func (p *Pool) Release(caller Caller) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := p.members[caller]
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
func (p *Pool) admits(c *member) bool {
	switch {
	case p.held >= p.limits.Size, c.held >= p.limits.PerCaller:
		return false
	case c.held < p.limits.Beside:
		return true
	}
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
		if !p.admits(c) {
			if skipped++; c.behind == c || skipped > p.held {
				return
			}
			continue
		}
		skipped = 0
		w := c.first
		p.dequeue(c, w)
		c.held++
		p.held++
		w.served = true
		close(w.ready)
	}
}

// enqueue adds a waiter behind the others of its caller, and its caller behind the others.
func (p *Pool) enqueue(c *member, w *waiter) {
	c.waiting++
	if w.before = c.last; c.last != nil {
		c.last.behind = w
		c.last = w
		return
	}
	c.first, c.last = w, w
	if p.next == nil {
		c.before, c.behind = c, c
		p.next = c
		return
	}
	c.before, c.behind = p.next.before, p.next
	c.before.behind, c.behind.before = c, c
}

// dequeue removes a waiter, and its caller if nobody else waits there.
func (p *Pool) dequeue(c *member, w *waiter) {
	c.waiting--
	if w.before == nil {
		c.first = w.behind
	} else {
		w.before.behind = w.behind
	}
	if w.behind == nil {
		c.last = w.before
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
