package loaders

import (
	"context"
	"errors"
	"fmt"

	"github.com/partita/partita/internal/share"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/request"
	"github.com/partita/partita/write"
)

// The codes of a ReadError, as extensions.code of a GraphQL error.
const (
	// CodeThrottled: DynamoDB throttled a request until its retries were used up. The caller may try
	// again later.
	CodeThrottled = "THROTTLED"
	// CodeUnavailable: the table could not be reached. The message of a mutation has whether it
	// may have been written.
	CodeUnavailable = "UNAVAILABLE"
	// CodeTimeout: the deadline of the operation has passed. The message says whether the table or the gateway took most
	// of the time.
	CodeTimeout = "TIMEOUT"
	// CodeTooLarge: the operation has more Reads than Options.MaxReads, or more objects than
	// Options.MaxObjects, or the data of its answer has more bytes than it may have.
	CodeTooLarge = "OPERATION_TOO_LARGE"
	// CodeCollectionFull: what a mutation would write belongs to a collection that may not grow. The caller may delete
	// some of it.
	CodeCollectionFull = "COLLECTION_FULL"
	// CodeDamaged: the key or the type of an item of the table does not fit the schema, and the item is not shown. The
	// log has its key.
	CodeDamaged = "DAMAGED_ITEM"
	// CodeUnreadable: what is stored of a field does not fit its type. The log has the key of the item.
	CodeUnreadable = "UNREADABLE_FIELD"
	// CodeInternal: a bug or a wrong setting. The log has the cause.
	CodeInternal = "INTERNAL_SERVER_ERROR"
)

// ReadError is the error of a field that could not be read. Error returns a message for the caller,
// Unwrap the cause for the log.
type ReadError struct {
	code    string
	message string
	cause   error
}

func (e *ReadError) Error() string { return e.message }

// Code returns one of the Code constants.
func (e *ReadError) Code() string { return e.code }

func (e *ReadError) Unwrap() error { return e.cause }

var readMessages = map[string]string{
	CodeTimeout:     "the table did not answer in time; try again, or ask for less at once",
	CodeThrottled:   "the table is busy; try again in a moment",
	CodeUnavailable: "the table cannot be reached at the moment; try again",
	CodeInternal:    "this could not be read; the log of the gateway says why",
}

const busyMessage = "the gateway is busy: the operation has waited for its turn, and its time is over; " +
	"try again in a moment"

// NewReadError returns the ReadError of a request that has finally failed.
func NewReadError(err error) error {
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
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled), errors.Is(err, request.ErrTimeout),
		errors.Is(err, share.ErrFull), errors.Is(err, share.ErrCallerFull):
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

// AnswerTooLarge returns the ReadError of an operation whose data has more bytes than it may have.
func AnswerTooLarge(maxBytes int64) error {
	message := fmt.Sprintf("the answer has more than %d bytes; ask for smaller pages or fewer fields", maxBytes)
	return &ReadError{CodeTooLarge, message, nil}
}

// WriteError is the error of a mutation that could not be written. Error returns a message for the
// caller, Unwrap the cause for the log.
type WriteError struct {
	code    string
	message string
	cause   error
}

func (e *WriteError) Error() string { return e.message }

// Code returns one of the Code constants.
func (e *WriteError) Code() string { return e.code }

func (e *WriteError) Unwrap() error { return e.cause }

var writeMessages = map[string]string{
	CodeTooLarge:    tooLargeMessage,
	CodeTimeout:     "the table did not answer in time, and nothing was written; try again",
	CodeThrottled:   "the table is busy, and nothing was written; try again in a moment",
	CodeUnavailable: "the table cannot be reached at the moment, and nothing was written; try again",
	CodeInternal:    "this could not be written; the log of the gateway says why",

	CodeCollectionFull: "what this belongs to has no room for more, and nothing was written; delete some of it first",
}

const unansweredMessage = "the table did not answer, so this may have been written or not; look before you try again"

const tooManyActionsMessage = "this writes too much at once while the table goes from one design to another, and " +
	"nothing was written; write less, or try again when that has finished"

// writeError returns the WriteError of a transaction that has finally failed. If attempts were not answered, that
// counts more than why the others failed: nobody knows whether one was carried out.
func writeError(err error, unanswered int) error {
	if unanswered > 0 {
		cause := fmt.Errorf("loaders: %d attempts were not answered; the last error: %w", unanswered, err)
		return &WriteError{CodeUnavailable, unansweredMessage, cause}
	}
	code := codeOf(err)
	switch {
	case errors.Is(err, write.ErrConflict):
		code = CodeThrottled
	case errors.Is(err, write.ErrCollectionFull):
		code = CodeCollectionFull
	case errors.Is(err, write.ErrTooManyActions):
		return &WriteError{design.CodeNotReady, tooManyActionsMessage, err}
	}
	return &WriteError{code, writeMessages[code], err}
}

// ErrOmitted is the error of a list or a connection for each damaged item that it lacks. The rest is answered.
var ErrOmitted = &ReadError{
	CodeDamaged, "an item is missing here, because what is stored of it is damaged; report it with the request id", nil,
}

// ErrDamaged is the error of a field whose only item is damaged.
var ErrDamaged = &ReadError{
	CodeDamaged, "what is stored of this is damaged, so that it cannot be shown; report it with the request id", nil,
}

// ErrUnreadable is the error of a field whose attribute cannot be read, or whose key condition depends on one.
var ErrUnreadable = &ReadError{
	CodeUnreadable, "what is stored of this does not fit its type; leave the field out, or report it with the request id",
	nil,
}

// lostError is the error of a list or a connection for an item that it lacks, because a field of it is null that must
// not be.
func lostError(field string) error {
	message := fmt.Sprintf("an item is missing here, because what is stored of its %s does not fit; "+
		"leave the field out to see the item, or report it with the request id", field)
	return &ReadError{CodeUnreadable, message, nil}
}

// internal returns the ReadError of what should not happen.
func internal(cause error) error { return &ReadError{CodeInternal, readMessages[CodeInternal], cause} }

// errTooManyItems is the error of requests that are not sent because the operation has read
// Options.MaxObjects items already.
var errTooManyItems = errors.New("loaders: the operation has read too many items")
