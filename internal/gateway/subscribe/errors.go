package subscribe

import (
	"context"
	"errors"
	"net/http"

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
