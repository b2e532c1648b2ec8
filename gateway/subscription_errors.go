package gateway

import (
	"context"
	"errors"
	"net/http"

	"github.com/partita/partita/live"
)

// The codes of errors with which a subscription ends, beside those of operations.
const (
	codePositionExpired = "POSITION_EXPIRED" // the changes after the position are gone: subscribe without one
	codeChangesLost     = "CHANGES_LOST"     // changes may be missing: subscribe again
	codeSlowConsumer    = "SLOW_CONSUMER"    // the client reads its events too slowly
)

// indexBehind returns the error for a state that an index does not have yet.
func indexBehind() *requestError {
	return later(requestErrorf(http.StatusServiceUnavailable, codeUnavailable,
		"An index of the table is behind its changes. Subscribe again in a moment."))
}

// feedError returns the error for a feed that cannot begin or has ended.
func feedError(cause error) *requestError {
	switch {
	case errors.Is(cause, live.ErrExpired):
		return requestErrorf(http.StatusUnprocessableEntity, codePositionExpired,
			"The changes after this position are gone. Subscribe without a position: the first event is the present state.")
	case errors.Is(cause, live.ErrPosition):
		return requestErrorf(http.StatusUnprocessableEntity, codePositionExpired,
			"This is not a position of this API. Pass one exactly as extensions.live.position had it, or none.")
	case errors.Is(cause, live.ErrLost):
		return requestErrorf(http.StatusServiceUnavailable, codeChangesLost,
			"Changes may be missing. Subscribe again without a position: the first event is the present state.")
	case errors.Is(cause, live.ErrSlow):
		return requestErrorf(http.StatusTooManyRequests, codeSlowConsumer,
			"Events come faster than you read them. Read faster or select less, and subscribe again.")
	case errors.Is(cause, live.ErrClosed): // a gateway that stops has ended its subscriptions before
		return later(requestErrorf(http.StatusServiceUnavailable, codeUnavailable,
			"The gateway serves another schema now. Subscribe again."))
	case errors.Is(cause, context.Canceled), errors.Is(cause, context.DeadlineExceeded):
		return requestErrorf(http.StatusServiceUnavailable, codeUnavailable, "The subscription was cancelled.")
	default:
		return later(requestErrorf(http.StatusServiceUnavailable, codeUnavailable,
			"The changes of the table are not being read at present. Subscribe again."))
	}
}
