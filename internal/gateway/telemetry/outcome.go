package telemetry

import (
	"context"
	"errors"

	"github.com/partita/partita/request"
	"github.com/partita/partita/write"
)

// outcomeOf returns the outcome of a DynamoDB request: a word of a fixed set.
func outcomeOf(err error) string {
	if err == nil {
		return "ok"
	}
	if _, failed := errors.AsType[*write.ConditionError](err); failed {
		return "condition_failed"
	}
	switch {
	case errors.Is(err, write.ErrConflict):
		return "conflict"
	case errors.Is(err, request.ErrThrottled):
		return "throttled"
	case errors.Is(err, request.ErrUnavailable):
		return "unavailable"
	case errors.Is(err, context.Canceled):
		return "canceled"
	case errors.Is(err, request.ErrTimeout), errors.Is(err, context.DeadlineExceeded):
		return "timeout"
	case errors.Is(err, request.ErrAccessDenied):
		return "access_denied"
	default:
		return "error"
	}
}
