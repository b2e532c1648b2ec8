package wire

import (
	"context"
	"os"
	"slices"
	"sync"
	"time"
)

// pool has the connections. Each call of get is followed by one of put or discard.
type pool struct {
	// dial opens a connection: dialer.dial.
	dial        func(context.Context, address, time.Time) (*conn, error)
	idleTimeout time.Duration
	// slots has an element for each connection in use or being opened. A connection is opened only while there is
	// no idle one, or in place of one, so that the limit holds for all together.
	slots chan struct{}

	mu     sync.Mutex
	idle   []*conn     // the one that was used last is at the end
	expiry *time.Timer // closes idle connections, once there was one
	closed bool
}

// get returns a connection with the deadline, an idle one if there is one and the caller does not ask for a new
// one. It waits until the deadline, or until the context ends.
func (p *pool) get(ctx context.Context, to address, deadline time.Time, fresh bool) (*conn, error) {
	if err := p.enter(ctx, deadline); err != nil {
		return nil, err
	}
	for {
		c := p.pop()
		if c == nil {
			break
		}
		if !fresh && c.address == to && c.reuse(deadline) {
			return c, nil
		}
		_ = c.Close()
		if fresh {
			break
		}
	}
	c, err := p.dial(ctx, to, deadline)
	if err != nil {
		<-p.slots
		return nil, err
	}
	return c, nil
}

// enter waits for a slot.
func (p *pool) enter(ctx context.Context, deadline time.Time) error {
	select {
	case p.slots <- struct{}{}:
		return nil
	default:
	}
	timer := time.NewTimer(time.Until(deadline))
	defer timer.Stop()
	select {
	case p.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return os.ErrDeadlineExceeded
	}
}

// pop returns the idle connection that was used last, nil if there is none.
func (p *pool) pop() *conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.idle)
	if n == 0 {
		return nil
	}
	c := p.idle[n-1]
	p.idle[n-1] = nil
	p.idle = p.idle[:n-1]
	return c
}

// put makes a connection idle. It has read all that was received.
func (p *pool) put(c *conn) {
	if !p.push(c) {
		_ = c.Close()
	}
	<-p.slots
}

func (p *pool) push(c *conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return false
	}
	c.idleSince = time.Now()
	p.idle = append(p.idle, c)
	if p.expiry == nil {
		p.expiry = time.AfterFunc(p.idleTimeout, p.expire)
	} else if len(p.idle) == 1 {
		p.expiry.Reset(p.idleTimeout)
	}
	return true
}

// discard closes a connection.
func (p *pool) discard(c *conn) {
	_ = c.Close()
	<-p.slots
}

// expire closes the connections that have been idle for too long.
func (p *pool) expire() {
	for _, c := range p.expired() {
		_ = c.Close()
	}
}

// expired removes these connections, which are at the beginning.
func (p *pool) expired() []*conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	n := 0
	for n < len(p.idle) && now.Sub(p.idle[n].idleSince) >= p.idleTimeout {
		n++
	}
	expired := slices.Clone(p.idle[:n])
	p.idle = slices.Delete(p.idle, 0, n)
	if len(p.idle) > 0 {
		p.expiry.Reset(p.idle[0].idleSince.Add(p.idleTimeout).Sub(now))
	}
	return expired
}

// close closes the idle connections, and from now on those that are put back.
func (p *pool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	if p.expiry != nil {
		p.expiry.Stop()
	}
	for _, c := range p.idle {
		_ = c.Close()
	}
	p.idle = nil
}
