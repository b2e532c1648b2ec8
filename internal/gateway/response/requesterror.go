package response

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/partita/partita/internal/gateway/logging"
)

// A Error is why a request is not executed: a request error result of the GraphQL specification, section 7.1,
// with what HTTP adds to it. It does not implement error, so that a nil *requestError cannot become an error that is
// not nil.
type Error struct {
	Status int
	Errors gqlerror.List
	Cost   Cost // as far as it is known
	// allow is the header Allow, with the status 405.
	allow string
	// challenge is the header WWW-Authenticate, with the status 401 or for a token that is malformed.
	Challenge string
	// retryAfter is the header Retry-After, in seconds, with the status 429 or 503.
	RetryAfter string
	// wait is after what time a budget has what the operation lacked; zero for other errors.
	Wait time.Duration
	// closes reports whether the rest of the request is left unread, so that the connection is of no further use.
	Closes bool
	// lenient reports whether the status is 200 for all clients that accept application/json, see forClient.
	Lenient bool
	// asEvent reports whether the error is sent as an event, because the client reads nothing else. Errors of requests
	// that are not well-formed have a status.
	AsEvent bool
	// malformed reports whether the parameters are not those of a GraphQL request. A protocol may have a way to say so.
	Malformed bool
}

// Errorf returns an error with one message.
func Errorf(status int, code, format string, args ...any) *Error {
	return ErrorOf(status, code, gqlerror.List{{Message: fmt.Sprintf(format, args...)}})
}

// ErrorAt returns an error of a document's validation, with its place in the document.
func ErrorAt(position *ast.Position, format string, args ...any) *Error {
	return ErrorOf(http.StatusUnprocessableEntity, CodeValidationFailed,
		gqlerror.List{gqlerror.ErrorPosf(position, format, args...)})
}

// ErrorOf returns the errors of the parser, the validator or the coercion of variables, and sets their code.
func ErrorOf(status int, code string, errs gqlerror.List) *Error {
	for _, err := range errs {
		err.Extensions = map[string]any{"code": code}
	}
	return &Error{Status: status, Errors: errs}
}

// Internal returns the error for a bug, whose cause is in the log under the request id.
func Internal(ctx context.Context) *Error {
	id := logging.ID(ctx)
	err := Errorf(http.StatusInternalServerError, CodeInternal,
		"Something went wrong here, not in your request. Report it with the request id %s.", id)
	err.Errors[0].Extensions["requestId"] = id
	return err
}

// MethodNotAllowed returns an error with the methods that are allowed.
func MethodNotAllowed(allow, message string) *Error {
	err := Errorf(http.StatusMethodNotAllowed, CodeBadRequest, "%s", message)
	err.allow = allow
	return err
}

// BadParameter returns an error for a request that is not well-formed GraphQL over HTTP (HTTP spec, Status Codes: 422).
func BadParameter(format string, args ...any) *Error {
	return Errorf(http.StatusUnprocessableEntity, CodeBadRequest, format, args...)
}

// MalformedParameter returns an error for parameters that are not those of a GraphQL request.
func MalformedParameter(format string, args ...any) *Error {
	err := BadParameter(format, args...)
	err.Malformed = true
	return err
}

// BadEncoding returns the error for a part of a request that is not UTF-8.
func BadEncoding(part string) *Error {
	err := Errorf(http.StatusBadRequest, CodeBadRequest, "The %s is not valid UTF-8.", part)
	err.Malformed = true
	return err
}

// MalformedBody returns the error for a body that is not JSON.
func MalformedBody() *Error {
	err := Errorf(http.StatusBadRequest, CodeBadRequest, "The request body is not one valid JSON value.")
	err.Malformed = true
	return err
}

// Later adds that the client should wait before it tries again.
func Later(err *Error) *Error {
	err.RetryAfter = "1"
	return err
}
