package auth

import (
	"fmt"
	"net/http"
)

// Error says why a request is not answered for the one who sent it, in a sentence for that person.
type Error struct {
	message string
	// scheme is the error code of RFC 6750, section 3.1; empty for an Error that is not the caller's.
	scheme string
	status int
	cause  error
}

// Error is the sentence.
func (e *Error) Error() string { return e.message }

// Unwrap is what the caller is not told.
func (e *Error) Unwrap() error { return e.cause }

// Code is for extensions.code.
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

// Challenge is the WWW-Authenticate header (RFC 6750, section 3), or empty.
func (e *Error) Challenge() string {
	if e.scheme == "" {
		return ""
	}
	return fmt.Sprintf(`Bearer realm="graphql", error=%q, error_description=%q`, e.scheme, e.message)
}

func badToken(cause error, message string) *Error {
	return &Error{message: message, scheme: "invalid_token", status: http.StatusUnauthorized, cause: cause}
}

func badRequest(message string) *Error {
	return &Error{message: message, scheme: "invalid_request", status: http.StatusBadRequest}
}

func unavailable(cause error) *Error {
	return &Error{
		message: "The token cannot be checked at present: the keys of who signed it are out of reach. Try again.",
		status:  http.StatusServiceUnavailable, cause: cause,
	}
}
