package auth

import (
	"fmt"
	"net/http"
)

// Error is why the sender of a request could not be authenticated.
type Error struct {
	message string
	// bearerCode is the error code of RFC 6750, section 3.1; empty for an Error that is not the mistake of the sender.
	bearerCode string
	status     int
	cause      error
}

// Error returns a message for the sender. It contains no part of the token.
func (e *Error) Error() string { return e.message }

// Unwrap returns the cause, which is for the log only; nil without one.
func (e *Error) Unwrap() error { return e.cause }

// Code returns the value of extensions.code: UNAUTHENTICATED, BAD_REQUEST or UNAVAILABLE.
func (e *Error) Code() string {
	switch e.status {
	case http.StatusUnauthorized:
		return "UNAUTHENTICATED"
	case http.StatusBadRequest:
		return "BAD_REQUEST"
	default:
		return "UNAVAILABLE"
	}
}

// Challenge returns the WWW-Authenticate header (RFC 6750, section 3), or an empty string.
func (e *Error) Challenge() string {
	if e.bearerCode == "" {
		return ""
	}
	return fmt.Sprintf(`Bearer realm="graphql", error=%q, error_description=%q`, e.bearerCode, e.message)
}

func badToken(cause error, message string) *Error {
	return &Error{message: message, bearerCode: "invalid_token", status: http.StatusUnauthorized, cause: cause}
}

func badRequest(message string) *Error {
	return &Error{message: message, bearerCode: "invalid_request", status: http.StatusBadRequest}
}

func unavailable(cause error) *Error {
	return &Error{
		message: "The token cannot be checked at present: the keys of who signed it are out of reach. Try again.",
		status:  http.StatusServiceUnavailable, cause: cause,
	}
}
