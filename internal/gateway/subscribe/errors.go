package subscribe

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"

	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/live"
)

// The codes of errors with which a subscription ends, beside those of operations.
const (
	codePositionExpired = "POSITION_EXPIRED" // the changes after the position are gone: subscribe without one
	codeChangesLost     = "CHANGES_LOST"     // changes may be missing: subscribe again
	codeSlowConsumer    = "SLOW_CONSUMER"    // the client reads its events too slowly
)

// indexBehind returns the error for a state that an index does not have yet.
func indexBehind() *response.Error {
	return response.Later(response.Errorf(http.StatusServiceUnavailable, response.CodeUnavailable,
		"An index of the table is behind its changes. Subscribe again in a moment."))
}

// feedError returns the error for a feed that cannot begin or has ended.
func feedError(cause error) *response.Error {
	switch {
	case errors.Is(cause, live.ErrExpired):
		return response.Errorf(http.StatusUnprocessableEntity, codePositionExpired,
			"The changes after this position are gone. Subscribe without a position: the first event is the present state.")
	case errors.Is(cause, live.ErrPosition):
		return response.Errorf(http.StatusUnprocessableEntity, codePositionExpired,
			"This is not a position of this API. Pass one exactly as extensions.live.position had it, or none.")
	case errors.Is(cause, live.ErrLost):
		return response.Errorf(http.StatusServiceUnavailable, codeChangesLost,
			"Changes may be missing. Subscribe again without a position: the first event is the present state.")
	case errors.Is(cause, live.ErrSlow):
		return response.Errorf(http.StatusTooManyRequests, codeSlowConsumer,
			"Events come faster than you read them. Read faster or select less, and subscribe again.")
	case errors.Is(cause, live.ErrClosed): // a gateway that stops has ended its subscriptions before
		return response.Later(response.Errorf(http.StatusServiceUnavailable, response.CodeUnavailable,
			"The gateway serves another schema now. Subscribe again."))
	case errors.Is(cause, context.Canceled), errors.Is(cause, context.DeadlineExceeded):
		return response.Errorf(http.StatusServiceUnavailable, response.CodeUnavailable, "The subscription was cancelled.")
	default:
		return response.Later(response.Errorf(http.StatusServiceUnavailable, response.CodeUnavailable,
			"The changes of the table are not being read at present. Subscribe again."))
	}
}

// Why a client ends a stream. They are the causes of its context.
var (
	ErrClientLeft = errors.New("gateway: the client has left")
	ErrClientGone = errors.New("gateway: the connection is lost")
	// ErrDone is for a client that has what it has asked for, and ErrLast is ErrDone after an answer that was sent.
	ErrDone = errors.New("gateway: the client has what it has asked for")
	ErrLast = fmt.Errorf("%w: the answer was the last one", ErrDone)
)

// Why the gateway ends a stream.
var (
	errStopping   = errors.New("gateway: the gateway is stopping")
	errExpired    = errors.New("gateway: the token has expired")
	errUntrusted  = errors.New("gateway: the token is not trusted any longer")
	errSlowClient = errors.New("gateway: the client reads too slowly")
)

// endError returns the error that a client gets for the end of a subscription by a cause of its context; nil if the
// client needs none.
func endError(cause error) *response.Error {
	switch {
	case errors.Is(cause, errExpired):
		return tokenExpired()
	case errors.Is(cause, errUntrusted):
		return response.Errorf(http.StatusUnauthorized, response.CodeUnauthenticated,
			"The token is not trusted any longer: its key was withdrawn. Get a new one, and subscribe with it.")
	case errors.Is(cause, errStopping):
		return response.Later(response.Errorf(http.StatusServiceUnavailable, response.CodeUnavailable,
			"The gateway is stopping. Subscribe again."))
	case errors.Is(cause, errSlowClient):
		return slowConsumer()
	default:
		return nil
	}
}

func tokenExpired() *response.Error {
	return response.Errorf(http.StatusUnauthorized, response.CodeUnauthenticated,
		"The token has expired. Get a new one, and subscribe with it.")
}

func slowConsumer() *response.Error { return feedError(live.ErrSlow) }

// withoutStreams returns the error of a gateway that cannot keep a connection open.
func withoutStreams() *response.Error {
	return response.Errorf(http.StatusNotImplemented, response.CodeUnavailable,
		"This gateway runs on AWS Lambda, which sends no streams: it has no subscriptions and no WebSockets. "+
			"Send subscriptions to a gateway that runs as a server.")
}

// sendError returns the cause for which a stream ends after an error of a connection.
func sendError(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.DeadlineExceeded):
		return errSlowClient
	default:
		return ErrClientGone
	}
}
