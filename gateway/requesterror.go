package gateway

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/partita/partita/gateway/logging"
)

// A requestError is why a request is not executed: a request error result of the GraphQL specification, section 7.1,
// with what HTTP adds to it. It does not implement error, so that a nil *requestError cannot become an error that is
// not nil.
type requestError struct {
	status int
	errors gqlerror.List
	cost   Cost // as far as it is known
	// allow is the header Allow, with the status 405.
	allow string
	// challenge is the header WWW-Authenticate, with the status 401 or for a token that is malformed.
	challenge string
	// retryAfter is the header Retry-After, in seconds, with the status 429 or 503.
	retryAfter string
	// wait is after what time a budget has what the operation lacked; zero for other errors.
	wait time.Duration
	// closes reports whether the rest of the request is left unread, so that the connection is of no further use.
	closes bool
	// lenient reports whether the status is 200 for all clients that accept application/json, see forClient.
	lenient bool
	// asEvent reports whether the error is sent as an event, because the client reads nothing else. Errors of requests
	// that are not well-formed have a status.
	asEvent bool
	// malformed reports whether the parameters are not those of a GraphQL request. A protocol may have a way to say so.
	malformed bool
}

// result returns the content of the response.
func (err *requestError) result() result {
	return result{media: mediaGraphQL, errors: capErrors(err.errors), cost: err.cost}
}

// requestErrorf returns an error with one message.
func requestErrorf(status int, code, format string, args ...any) *requestError {
	return requestErrorOf(status, code, gqlerror.List{{Message: fmt.Sprintf(format, args...)}})
}

// requestErrorAt returns an error of a document's validation, with its place in the document.
func requestErrorAt(position *ast.Position, format string, args ...any) *requestError {
	return requestErrorOf(http.StatusUnprocessableEntity, codeValidationFailed,
		gqlerror.List{gqlerror.ErrorPosf(position, format, args...)})
}

// requestErrorOf returns the errors of the parser, the validator or the coercion of variables, and sets their code.
func requestErrorOf(status int, code string, errs gqlerror.List) *requestError {
	for _, err := range errs {
		err.Extensions = map[string]any{"code": code}
	}
	return &requestError{status: status, errors: errs}
}

// internalError returns the error for a bug, whose cause is in the log under the request id.
func internalError(ctx context.Context) *requestError {
	id := logging.ID(ctx)
	err := requestErrorf(http.StatusInternalServerError, codeInternal,
		"Something went wrong here, not in your request. Report it with the request id %s.", id)
	err.errors[0].Extensions["requestId"] = id
	return err
}

func methodNotAllowed(allow, message string) *requestError {
	err := requestErrorf(http.StatusMethodNotAllowed, codeBadRequest, "%s", message)
	err.allow = allow
	return err
}

// badParameter returns an error for a request that is not well-formed GraphQL over HTTP (HTTP spec, Status Codes: 422).
func badParameter(format string, args ...any) *requestError {
	return requestErrorf(http.StatusUnprocessableEntity, codeBadRequest, format, args...)
}

// malformedParameter returns an error for parameters that are not those of a GraphQL request.
func malformedParameter(format string, args ...any) *requestError {
	err := badParameter(format, args...)
	err.malformed = true
	return err
}

func badEncoding(part string) *requestError {
	err := requestErrorf(http.StatusBadRequest, codeBadRequest, "The %s is not valid UTF-8.", part)
	err.malformed = true
	return err
}

func malformedBody() *requestError {
	err := requestErrorf(http.StatusBadRequest, codeBadRequest, "The request body is not one valid JSON value.")
	err.malformed = true
	return err
}

// later adds that the client should wait before it tries again.
func later(err *requestError) *requestError {
	err.retryAfter = "1"
	return err
}
