package loaders

import (
	"context"
	"errors"

	"github.com/partita/partita/loaders/request"
	"github.com/partita/partita/write"
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

var readMessages = map[string]string{
	CodeTimeout:     "the table did not answer in time; try again, or ask for less at once",
	CodeThrottled:   "the table is busy; try again in a moment",
	CodeUnavailable: "the table cannot be reached at the moment; try again",
	CodeInternal:    "this could not be read; the log of the gateway says why",
}

// readError is the ReadError for a request that failed for good.
func readError(err error) error {
	code := codeOf(err)
	if code == CodeTooLarge {
		return tooLarge()
	}
	return &ReadError{code, readMessages[code], err}
}

func codeOf(err error) string {
	switch {
	case errors.Is(err, errTooManyItems):
		return CodeTooLarge
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled), errors.Is(err, request.ErrTimeout):
		return CodeTimeout
	case errors.Is(err, request.ErrThrottled):
		return CodeThrottled
	case errors.Is(err, request.ErrUnavailable):
		return CodeUnavailable
	default:
		return CodeInternal
	}
}

const tooLargeMessage = "the operation asks for too many objects and pages; ask for smaller pages or fewer levels"

func tooLarge() error {
	return &ReadError{CodeTooLarge, tooLargeMessage, nil}
}

// WriteError is why a mutation has no answer. Error is a sentence for the
// caller; Unwrap gives the cause, for the log.
type WriteError struct {
	code    string
	message string
	cause   error
}

func (e *WriteError) Error() string { return e.message }

// Code is one of the Code constants.
func (e *WriteError) Code() string { return e.code }

func (e *WriteError) Unwrap() error { return e.cause }

var writeMessages = map[string]string{
	CodeTooLarge:    tooLargeMessage,
	CodeTimeout:     "the table did not answer in time, so this may have been written or not; look before you try again",
	CodeThrottled:   "the table is busy; try again in a moment, after a look at what is there",
	CodeUnavailable: "the table cannot be reached at the moment, so this may have been written or not; look before you try again",
	CodeInternal:    "this could not be written; the log of the gateway says why",
}

// writeError is the WriteError for a transaction that failed for good.
func writeError(err error) error {
	code := codeOf(err)
	if errors.Is(err, write.ErrConflict) {
		code = CodeThrottled
	}
	return &WriteError{code, writeMessages[code], err}
}

func damaged(cause error) error {
	return &ReadError{CodeInternal, "what is stored here does not fit the schema; the log of the gateway says why", cause}
}
