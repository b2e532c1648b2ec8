package subscribe

import (
	"cmp"
	"context"
	"net/http"

	"github.com/partita/partita/internal/gateway/httpserver"
	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/share"
)

// Follower is how a transport passes on the answers of a subscription.
type Follower struct {
	// Transport is its name in the log and in metrics, one of Transports.
	Transport string
	// Position is after which it subscribes if the request has none itself; "" for the present.
	Position string
	// Allowance is what the answers may consume; nil for no limit but the budget of the caller.
	Allowance Allowance
	// Begun is called when the subscription has begun. Send sends an answer; its error is the cause for which the
	// subscription ends. Ended is called once after all answers, with why the subscription has ended: an error for the
	// client, the cause, or neither.
	Begun func() (send func(response.Result) error, ended func(err *response.Error, cause error))
}

// An Allowance is what the answers of a subscription may consume beside the budget of its caller.
type Allowance interface {
	// Check returns an error for a price that is more than is left.
	Check(price plan.Price) *response.Error
	// Reserve reserves a price until commit is called with what was consumed: read units, a write unit counted as
	// operation.WriteUnitWeight, and objects in the answer.
	Reserve(price plan.Price) (commit func(units, objects float64), err *response.Error)
}

type allowanceKey struct{}

// IsLive reports whether there are subscriptions.
func (s *Server) IsLive() bool {
	return !s.settings.Disabled && (s.settings.Live != nil || s.settings.Begin != nil)
}

// Follow answers a subscription until it ends: one that has the connection of the request for itself. With an error, it
// has not begun.
func (s *Server) Follow(r *http.Request, req operation.Request, line *operation.Line, by Follower) *response.Error {
	last := &streamLine{start: line.Start, transport: by.Transport, name: line.Name}
	defer func() { // when its places have been given back
		if last.end != "" {
			s.log.write(r.Context(), subscriptionEnded, last)
		}
	}()
	caller := share.TurnOf(r.Context()).Caller
	disconnect, err := s.connect(r.Context(), caller)
	if err != nil {
		return err
	}
	defer disconnect()
	disconnected := s.Observer.Connection(by.Transport)
	defer func() { disconnected(cmp.Or(last.end, endRejected)) }()
	unsubscribe, err := s.subscribe(r.Context(), caller)
	if err != nil {
		return err
	}
	defer unsubscribe()
	ctx, cancel := context.WithCancelCause(r.Context())
	defer cancel(nil)
	resume(&req, by.Position)
	subscription, err := s.begin(context.WithValue(ctx, allowanceKey{}, by.Allowance), req)
	if err != nil {
		return err
	}
	defer subscription.Close(ctx)
	operation.SeatOf(ctx).Leave() // it is not an operation in flight any more
	line.Begun(ctx)
	defer httpserver.OnStop(ctx, func() { cancel(errStopping) })()
	defer s.whileTrusted(r, func(cause error) { cancel(cause) })()
	send, ended := by.Begun()
	done := make(chan struct{})
	passing := relay{
		ctx: ctx, feed: subscription, of: &relays{}, line: last, send: send,
		ended: func(err *response.Error, cause error) {
			if err == nil {
				err = endError(cause)
			}
			ended(err, cause)
			last.ended(err, cause)
			close(done)
		},
	}
	passing.start()
	<-done
	return nil
}
