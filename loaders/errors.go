package loaders

import (
	"context"
	"errors"

	"github.com/partita/partita/table"
)

// The codes of a ReadError, as extensions.code of a GraphQL error.
const (
	// CodeThrottled: the table refused requests for want of throughput until the
	// retries were used up. The caller may try again later.
	CodeThrottled = "THROTTLED"
	// CodeUnavailable: the table could not be reached.
	CodeUnavailable = "UNAVAILABLE"
	// CodeTimeout: the operation's deadline came first.
	CodeTimeout = "TIMEOUT"
	// CodeTooLarge: the operation has more Reads than Options.MaxReads, or more
	// objects than Options.MaxObjects.
	CodeTooLarge = "OPERATION_TOO_LARGE"
	// CodeInternal: a bug, a damaged item or a wrong setting; the log says which.
	CodeInternal = "INTERNAL_SERVER_ERROR"
)

// ReadError is why a field has no value. Error is a sentence for the caller;
// Unwrap gives the cause, for the log.
type ReadError struct {
	code    string
	message string
	cause   error
}

func (e *ReadError) Error() string { return e.message }

// Code is one of the Code constants.
func (e *ReadError) Code() string { return e.code }

func (e *ReadError) Unwrap() error { return e.cause }

// readError is the ReadError for a request that failed for good.
func readError(err error) error {
	switch {
	case errors.Is(err, errTooManyItems):
		return tooLarge()
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled), errors.Is(err, table.ErrTimeout):
		return &ReadError{CodeTimeout, "the table did not answer in time; try again, or ask for less at once", err}
	case errors.Is(err, table.ErrThrottled):
		return &ReadError{CodeThrottled, "the table is busy; try again in a moment", err}
	case errors.Is(err, table.ErrUnavailable):
		return &ReadError{CodeUnavailable, "the table cannot be reached at the moment; try again", err}
	default:
		return &ReadError{CodeInternal, "this could not be read; the log of the gateway says why", err}
	}
}

func tooLarge() error {
	return &ReadError{CodeTooLarge, "the operation asks for too many objects and pages; ask for smaller pages or fewer levels", nil}
}

func damaged(cause error) error {
	return &ReadError{CodeInternal, "what is stored here does not fit the schema; the log of the gateway says why", cause}
}
