package tabletest

import (
	"context"
	"sync"
	"time"
)

// Deadline is a context whose deadline passes when a test says so, and not after a time that a busy machine may need
// for less.
type Deadline struct {
	value  func(key any) any
	passed chan struct{}
	once   sync.Once
}

// NewDeadline returns a context with the values of parent. It ends only by Pass.
func NewDeadline(parent context.Context) *Deadline {
	return &Deadline{value: parent.Value, passed: make(chan struct{})}
}

// Pass ends the context with context.DeadlineExceeded.
func (d *Deadline) Pass() { d.once.Do(func() { close(d.passed) }) }

// Deadline implements context.Context: the time is not known.
func (d *Deadline) Deadline() (at time.Time, ok bool) { return time.Time{}, false }

// Value implements context.Context.
func (d *Deadline) Value(key any) any { return d.value(key) }

// Done implements context.Context.
func (d *Deadline) Done() <-chan struct{} { return d.passed }

// Err implements context.Context.
func (d *Deadline) Err() error {
	select {
	case <-d.passed:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

// PassAtRequest passes the deadline once the nth request of the operation has arrived at the Proxy. The request stays
// there until its client no longer waits: an answer would be a race with the deadline.
func (d *Deadline) PassAtRequest(p *Proxy, operation string, n int) {
	var mu sync.Mutex
	seen := 0
	hold := p.Hold(func(r Request) bool {
		mu.Lock()
		defer mu.Unlock()
		if r.Operation != operation {
			return false
		}
		seen++
		return seen == n
	})
	go func() {
		select {
		case <-hold.Arrived():
		case <-hold.released: // the test has ended
		}
		d.Pass()
		select {
		case <-hold.Left():
		case <-hold.released:
		}
		hold.Release()
	}()
}
