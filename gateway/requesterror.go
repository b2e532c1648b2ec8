package gateway

import (
	"fmt"
	"net/http"

	"github.com/vektah/gqlparser/v2/gqlerror"
)

// A refusal is the answer to a request that is not executed: a GraphQL request error result.
type refusal struct {
	status int
	errors gqlerror.List
	allow  string // the Allow header, where the status is 405
	closes bool   // whether what remains of the request is left unread
	// challenge is the WWW-Authenticate header, where the status is 401 or the token could not be read
	challenge string
	cost      Cost // what is known of it
	// retryAfter is the header of that name, in seconds, where the status is 429.
	retryAfter string
	// lenient is for clients that look into answers with status 200 only.
	lenient bool
}

func refuse(status int, code, format string, args ...any) *refusal {
	return &refusal{status: status, errors: gqlerror.List{{
		Message:    fmt.Sprintf(format, args...),
		Extensions: map[string]any{"code": code},
	}}}
}

// to is the refusal of a client that accepts the media types: a lenient one has status 200 wherever that stands for nothing else, in
// application/json (HTTP spec, Body).
func (no *refusal) to(accept []string) *refusal {
	if no.lenient && takesJSON(accept) {
		no.status = http.StatusOK
	}
	return no
}

func refuseMethod(allow, format string, args ...any) *refusal {
	r := refuse(http.StatusMethodNotAllowed, codeBadRequest, format, args...)
	r.allow = allow
	return r
}

// refuseErrors refuses with errors of the parser or the validator, which carry messages and locations
// but no code.
func refuseErrors(status int, code string, errs gqlerror.List) *refusal {
	for _, err := range errs {
		err.Extensions = map[string]any{"code": code}
	}
	return &refusal{status: status, errors: errs}
}
