package gateway

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// The values of extensions.code that the gateway itself gives. Packages behind it bring theirs; see [coded].
const (
	codeBadRequest       = "BAD_REQUEST"                  // not a well-formed GraphQL-over-HTTP request
	codeParseFailed      = "GRAPHQL_PARSE_FAILED"         // the document's syntax
	codeValidationFailed = "GRAPHQL_VALIDATION_FAILED"    // the document does not fit the schema
	codeOperation        = "OPERATION_RESOLUTION_FAILURE" // which operation to execute
	codeBadUserInput     = "BAD_USER_INPUT"               // a variable or an argument
	codeForbidden        = "FORBIDDEN"                    // not for this caller
	codeCostLimit        = "COST_LIMIT"                   // the operation may take more than one may
	codeRateLimited      = "RATE_LIMITED"                 // the caller's budget is used up
	codeTimeout          = "TIMEOUT"                      // the operation took too long
	codeUnavailable      = "UNAVAILABLE"                  // not at present
	codeInternal         = "INTERNAL_SERVER_ERROR"        // a bug or an unforeseen failure; the log says which
)

// statusOf gives the HTTP status of an operation that an extension refused before it was executed.
var statusOf = map[string]int{
	codeBadRequest:    http.StatusBadRequest,
	"UNAUTHENTICATED": http.StatusUnauthorized,
	codeForbidden:     http.StatusForbidden,
	"THROTTLED":       http.StatusTooManyRequests,
	codeTimeout:       http.StatusServiceUnavailable,
	codeUnavailable:   http.StatusServiceUnavailable,
	codeInternal:      http.StatusInternalServerError,
}

// maxErrors is how many errors a response spells out.
const maxErrors = 25

// A coded error is meant for the caller: its message is shown as it is, its code becomes extensions.code.
type coded interface {
	error
	Code() string
}

// A panicError stands for a panic that recovered has already logged.
type panicError struct{}

func (panicError) Error() string { return "panic" }

// recovered logs a resolver's panic with its stack; the panic becomes an error of the field.
func recovered(ctx context.Context, cause any) error {
	logger(ctx).ErrorContext(ctx, "panic in a resolver", "path", fieldPath(ctx).String(),
		"panic", fmt.Sprint(cause), "stack", string(debug.Stack()))
	return panicError{}
}

// present turns the error of a field into what the caller may see of it. Whatever does not declare itself fit for the
// caller is logged, and the caller gets the id of the log's line.
func present(ctx context.Context, err error) *gqlerror.Error {
	shown := &gqlerror.Error{Path: fieldPath(ctx)}
	argument := ""
	raised, isGraphQL := errors.AsType[*gqlerror.Error](err)
	if isGraphQL {
		shown.Locations = raised.Locations
		shown.Path, argument = splitArgument(ctx, raised.Path)
	}
	if field := graphql.GetFieldContext(ctx); len(shown.Locations) == 0 && field != nil && field.Field.Field != nil {
		shown.Locations = locationOf(field.Field.Position)
	}
	code, message := describe(ctx, err, raised, argument)
	shown.Message = message
	shown.Extensions = map[string]any{"code": code}
	hidden := hiddenCause(err)
	if code == codeInternal {
		id := requestID(ctx)
		shown.Message = fmt.Sprintf("Something went wrong here, not in your operation. Report it with the request id %s.", id)
		shown.Extensions["requestId"] = id
		if _, logged := errors.AsType[panicError](err); !logged && hidden == nil {
			hidden = err
		}
	}
	// Cancelled is what a client's operation is when the client has gone: no failure.
	if hidden != nil && !errors.Is(hidden, context.Canceled) {
		logFailure(ctx, shown.Path, code, hidden)
	}
	return shown
}

// hiddenCause is what a coded error keeps from the caller, or nil.
func hiddenCause(err error) error {
	if c, isCoded := errors.AsType[coded](err); isCoded {
		return errors.Unwrap(c)
	}
	return nil
}

// describe finds an error's code, and its message unless the code is codeInternal.
func describe(ctx context.Context, err error, raised *gqlerror.Error, argument string) (code, message string) {
	if c, isCoded := errors.AsType[coded](err); isCoded {
		message = c.Error()
		if argument != "" {
			message = argument + ": " + message
		}
		return c.Code(), message
	}
	if raised != nil {
		if code, isSet := raised.Extensions["code"].(string); isSet {
			return code, raised.Message
		}
	}
	switch {
	case argument != "":
		return codeBadUserInput, "The value of the argument " + argument + " is not one of its type" + argumentType(ctx, argument) + "."
	case errors.Is(err, context.DeadlineExceeded):
		return codeTimeout, "The operation took too long. Ask for less at once, or try again."
	case errors.Is(err, context.Canceled):
		return codeUnavailable, "The operation was cancelled before this field was answered. Try again."
	default:
		return codeInternal, ""
	}
}

// splitArgument tells a field's path from that of an argument below it: the executor raises an argument that its Go type
// refuses with a path that goes on from the field into the argument. A path that goes on with an index leads to an
// element of the field's list. An error that several fields share carries the path of the first; each is shown with
// its own.
func splitArgument(ctx context.Context, path ast.Path) (field ast.Path, argument string) {
	field = fieldPath(ctx)
	if field == nil {
		return path, ""
	}
	if len(path) <= len(field) || !slices.Equal(path[:len(field)], field) {
		return field, ""
	}
	if _, isIndex := path[len(field)].(ast.PathIndex); isIndex {
		return path, ""
	}
	return field, path[len(field):].String()
}

func argumentType(ctx context.Context, argument string) string {
	field := graphql.GetFieldContext(ctx)
	if field.Field.Field == nil || field.Field.Definition == nil {
		return ""
	}
	definition := field.Field.Definition.Arguments.ForName(argument)
	if definition == nil {
		return ""
	}
	return ", " + definition.Type.String()
}

func fieldPath(ctx context.Context) ast.Path {
	if field := graphql.GetFieldContext(ctx); field != nil {
		return field.Path()
	}
	return nil
}

func locationOf(position *ast.Position) []gqlerror.Location {
	if position == nil {
		return nil
	}
	return []gqlerror.Location{{Line: position.Line, Column: position.Column}}
}

// capErrors cuts a list of errors to maxErrors and says how many it left out.
func capErrors(errs gqlerror.List) gqlerror.List {
	if len(errs) <= maxErrors {
		return errs
	}
	more := &gqlerror.Error{
		Message:    fmt.Sprintf("And %d more errors.", len(errs)-maxErrors),
		Extensions: map[string]any{"code": errs[maxErrors].Extensions["code"]},
	}
	return append(errs[:maxErrors:maxErrors], more)
}

// codes gives the distinct codes of errors.
func codes(errs gqlerror.List) []string {
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
