package subscribe

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/partita/partita/internal/gateway/logging"
	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gateway/response"
)

// relays are those of a connection whose subscriptions may have answers. One goroutine runs them one after the other,
// as their answers are sent; one that waits for something else lets another goroutine go on.
type relays struct {
	mu        sync.Mutex
	ready     []*relay
	isRunning bool
}

// add has a relay run.
func (q *relays) add(r *relay) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ready = append(q.ready, r)
	if !q.isRunning {
		q.isRunning = true
		go q.run()
	}
}

func (q *relays) run() {
	for {
		r := q.next()
		if r == nil {
			return
		}
		if r.isApart = false; !r.run() {
			return
		}
	}
}

// next returns the relay to run; nil for none.
func (q *relays) next() *relay {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.ready) == 0 {
		q.ready, q.isRunning = nil, false
		return nil
	}
	r := q.ready[0]
	q.ready = q.ready[1:]
	return r
}

// goOn has another goroutine run the others.
func (q *relays) goOn() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.isRunning = len(q.ready) > 0; q.isRunning {
		go q.run()
	}
}

// A relay passes the answers of a subscription to its client. It has a goroutine only while there may be one: most
// subscriptions wait most of the time, and a stack would be most of their memory.
type relay struct {
	ctx  context.Context //nolint:containedctx // it is that of the operation
	feed Feed
	of   *relays
	line *streamLine
	// send sends an answer. The error is the cause for which the subscription ends.
	send func(response.Result) error
	// ended is called once, with why the subscription has ended: an error for the client, or the cause of the context.
	ended func(err *response.Error, cause error)

	state atomic.Uint32
	// isApart is set if the goroutine runs no other relay.
	isApart bool
	// forget ends the wait for the end of the context.
	forget func() bool
}

// The states of a relay.
const (
	relayWaits uint32 = iota
	relayRuns
	// relayRunsAgain: there may be more than what it has seen.
	relayRunsAgain
	relayHasEnded
)

// start passes what there is. The rest follows without the caller.
func (r *relay) start() {
	r.state.Store(relayRuns)
	r.isApart = true
	r.feed.Notify(r.wake, r.blocks)
	r.forget = context.AfterFunc(r.ctx, r.wake)
	r.run()
}

// wake has the relay look for answers.
func (r *relay) wake() {
	for {
		switch r.state.Load() {
		case relayWaits:
			if r.state.CompareAndSwap(relayWaits, relayRuns) {
				r.of.add(r)
				return
			}
		case relayRuns:
			if r.state.CompareAndSwap(relayRuns, relayRunsAgain) {
				return
			}
		default:
			return
		}
	}
}

// blocks lets another goroutine run the other relays.
func (r *relay) blocks() {
	if !r.isApart {
		r.isApart = true
		r.of.goOn()
	}
}

// run passes answers until there are none. It reports whether its goroutine goes on with others.
func (r *relay) run() (goesOn bool) {
	for {
		isAny, isEnd, err, cause := r.pass()
		isApart := r.isApart
		switch {
		case isEnd:
			r.state.Store(relayHasEnded)
			r.forget()
			r.blocks()
			r.ended(err, cause)
			return false
		case isAny:
		case r.state.CompareAndSwap(relayRuns, relayWaits): // from here on, another goroutine may run it
			return !isApart
		default:
			r.state.Store(relayRuns)
		}
	}
}

// pass passes an answer, if there is one, or returns why the subscription has ended. The answer counts as bytes of the
// caller until it has been sent.
func (r *relay) pass() (isAny, isEnd bool, err *response.Error, cause error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			logging.Logger(r.ctx).ErrorContext(r.ctx, "panic", "panic", fmt.Sprint(panicked), "stack", string(debug.Stack()))
			isEnd, err, cause = true, response.Internal(r.ctx), nil
		}
	}()
	answer, isAny, err := r.feed.Next(r.ctx)
	switch {
	case r.ctx.Err() != nil:
		return false, true, nil, context.Cause(r.ctx)
	case err != nil:
		return false, true, err, nil
	case !isAny:
		return false, false, nil, nil
	}
	seat := operation.SeatOf(r.ctx)
	cause = errSlowClient
	if seat.Take(len(answer.Data)) == nil {
		seat.Turn.End() // the client may be slow
		cause = r.send(answer)
	}
	seat.Leave()
	r.line.readUnits += answer.Cost.ReadUnits
	if cause == nil || errors.Is(cause, ErrLast) {
		r.line.events++
	}
	return true, cause != nil, nil, cause
}
