package response

import (
	"fmt"
	"net/http"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/partita/partita/keys/design"
)

// The values of extensions.code for the gateway's own errors. Errors of other packages have their own; see [Coded].
const (
	CodeBadRequest       = "BAD_REQUEST"                  // not a well-formed GraphQL-over-HTTP request
	CodeParseFailed      = "GRAPHQL_PARSE_FAILED"         // the document has a syntax error
	CodeValidationFailed = "GRAPHQL_VALIDATION_FAILED"    // the document does not fit the schema
	CodeOperation        = "OPERATION_RESOLUTION_FAILURE" // the operation to execute is unknown
	CodeBadUserInput     = "BAD_USER_INPUT"               // a variable or an argument has a wrong value
	CodeUnauthenticated  = "UNAUTHENTICATED"              // the operation needs a token
	CodeForbidden        = "FORBIDDEN"                    // the caller may not do this
	CodeCostLimit        = "COST_LIMIT"                   // the operation may exceed the limit of its cost
	CodeRateLimited      = "RATE_LIMITED"                 // the caller's budget is used up
	codeTimeout          = "TIMEOUT"                      // the operation took too long
	CodeUnavailable      = "UNAVAILABLE"                  // not available at present
	CodeInternal         = "INTERNAL_SERVER_ERROR"        // a bug or an unforeseen failure, explained in the log
)

// StatusOf is the HTTP status for the code of an error that is returned before the operation is executed.
var StatusOf = map[string]int{
	CodeBadRequest:      http.StatusBadRequest,
	CodeUnauthenticated: http.StatusUnauthorized,
	CodeForbidden:       http.StatusForbidden,
	"THROTTLED":         http.StatusTooManyRequests,
	codeTimeout:         http.StatusServiceUnavailable,
	CodeUnavailable:     http.StatusServiceUnavailable,
	design.CodeNotReady: http.StatusServiceUnavailable,
	CodeInternal:        http.StatusInternalServerError,
}

// MaxErrors is the number of errors in a response, beside one with the number of the others.
const MaxErrors = 25

// CapErrors cuts a list of errors to maxErrors, and adds an error with the number of the others.
func CapErrors(errs gqlerror.List) gqlerror.List {
	if len(errs) <= MaxErrors {
		return errs
	}
	return append(errs[:MaxErrors:MaxErrors], MoreErrors(len(errs)-MaxErrors, errs[MaxErrors]))
}

// MoreErrors returns the error that replaces n errors.
func MoreErrors(n int, first *gqlerror.Error) *gqlerror.Error {
	return &gqlerror.Error{
		Message:    fmt.Sprintf("And %d more errors.", n),
		Extensions: map[string]any{"code": first.Extensions["code"]},
	}
}

// Codes returns the distinct codes of errors, in their order.
func Codes(errs gqlerror.List) []string {
	var distinct []string
	seen := map[string]bool{}
	for _, err := range errs {
		code, _ := err.Extensions["code"].(string)
		if !seen[code] {
			seen[code] = true
			distinct = append(distinct, code)
		}
	}
	return distinct
}
