package gateway_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/partita/partita/gateway/internal/testschema"
)

type executable = graphql.ExecutableSchema

// operationContext is an extension that puts something into each operation's context, as the engine of loaders does.
type operationContext func(ctx context.Context) context.Context

func (operationContext) ExtensionName() string                   { return "OperationContext" }
func (operationContext) Validate(graphql.ExecutableSchema) error { return nil }

func (f operationContext) InterceptOperation(
	ctx context.Context, next graphql.OperationHandler,
) graphql.ResponseHandler {
	return next(f(ctx))
}

// rejecting is an extension that returns an error for each operation before its execution.
type rejecting struct{ err error }

func (rejecting) ExtensionName() string                   { return "Rejecting" }
func (rejecting) Validate(graphql.ExecutableSchema) error { return nil }

func (r rejecting) MutateOperationContext(context.Context, *graphql.OperationContext) *gqlerror.Error {
	return gqlerror.Wrap(r.err)
}

func TestExtensionRejectsAnOperation(t *testing.T) {
	for code, status := range map[string]int{
		"THROTTLED":       http.StatusTooManyRequests,
		"UNAUTHENTICATED": http.StatusUnauthorized,
		"FORBIDDEN":       http.StatusForbidden,
		"UNAVAILABLE":     http.StatusServiceUnavailable,
		"BAD_USER_INPUT":  http.StatusUnprocessableEntity,
	} {
		c, _ := config(t)
		c.Extensions = []graphql.HandlerExtension{rejecting{testschema.CodedError{Text: "No.", ErrorCode: code}}}
		a := post(t, serve(t, c), `{ __typename }`, nil)
		if a.status != status || a.code() != code || a.result.Data != nil || a.result.Errors[0].Message != "No." {
			t.Errorf("%s: got %d %s, want %d", code, a.status, a.body, status)
		}
	}
}
