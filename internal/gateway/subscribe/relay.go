package subscribe

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync/atomic"

	"github.com/partita/partita/internal/gateway/logging"
	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gateway/response"
)

// A relay passes the answers of a subscription to its client. It has a goroutine only while there may be one: most
// subscriptions wait most of the time, and a stack would be most of their memory.
type relay struct {
	ctx  context.Context
	feed Feed
	line *streamLine
	// send sends an answer. The error is the cause for which the subscription ends.
	send func(response.Result) error
	// ended is called once, with why the subscription has ended: an error for the client, or the cause of the context.
	ended func(err *response.Error, cause error)

	state atomic.Uint32
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
	r.feed.Notify(r.wake)
	r.forget = context.AfterFunc(r.ctx, r.wake)
	r.run()
}

// wake has the relay look for answers.
func (r *relay) wake() {
	for {
		switch r.state.Load() {
		case relayWaits:
			if r.state.CompareAndSwap(relayWaits, relayRuns) {
				go r.run()
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

// run passes answers until there are none.
func (r *relay) run() {
	for {
		isAny, isEnd, err, cause := r.pass()
		switch {
		case isEnd:
			r.state.Store(relayHasEnded)
			r.forget()
			r.ended(err, cause)
			return
		case isAny:
		case r.state.CompareAndSwap(relayRuns, relayWaits):
			return
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
	if cause != nil {
		return true, true, nil, cause
	}
	r.line.events++
	return true, false, nil, nil
}
