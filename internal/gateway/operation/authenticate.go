package operation

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/partita/partita/internal/gateway/logging"
	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/viewer"
)

// challenger is an error with a value for the header WWW-Authenticate (RFC 9110, section 11.6.1).
type challenger interface {
	response.Coded
	Challenge() string
}

// Authenticate adds the viewer to the context of a request, and decides whose share the request is part of.
func (e *Executor) Authenticate(r *http.Request) (*http.Request, *response.Error) {
	v, err := e.Callers.Authenticate(r)
	SeatOf(r.Context()).Sit(CallerOf(v, r, e.Callers.TrustedProxies))
	if err != nil {
		return r, authenticationError(r, err)
	}
	return r.WithContext(viewer.NewContext(r.Context(), v)), nil
}

func authenticationError(r *http.Request, cause error) *response.Error {
	c, is := errors.AsType[challenger](cause)
	if is && c.Challenge() != "" {
		// The caller's mistake. It is not logged as an error, or anybody could fill the log with errors.
		logging.Logger(r.Context()).InfoContext(r.Context(), "a token was rejected", "cause", errors.Unwrap(c))
		err := response.Errorf(response.StatusOf[c.Code()], c.Code(), "%s", c.Error())
		err.Challenge = c.Challenge()
		return err
	}
	shown := response.Present(r.Context(), cause)
	code, _ := shown.Extensions["code"].(string)
	return &response.Error{Status: cmp.Or(response.StatusOf[code], http.StatusBadRequest), Errors: gqlerror.List{shown}}
}

// CheckTenant returns an error for an operation that would use a table with tenants for a viewer without one, or whom
// nothing is ready for. Introspection uses no table, so that tools that show the schema need no token.
func (e *Executor) CheckTenant(ctx context.Context, req Request) *response.Error {
	err := e.Callers.Check(ctx)
	if err == nil || isIntrospection(req.Operation.SelectionSet) {
		return nil
	}
	return err
}

// Check returns an error for a viewer who gets nothing of the table.
func (c *Callers) Check(ctx context.Context) *response.Error {
	v := viewer.FromContext(ctx)
	if c.NeedsTenant && v.Tenant == "" {
		return tenantMissing()
	}
	if c.Ready != nil {
		if err := c.Ready(v); err != nil {
			return response.Errorf(http.StatusServiceUnavailable, design.CodeNotReady, "%s", err)
		}
	}
	return nil
}

// tenantMissing returns the error for viewers without a tenant.
func tenantMissing() *response.Error {
	err := response.Errorf(http.StatusUnauthorized, response.CodeUnauthenticated,
		"Only callers whose token names their tenant can send this operation. Send such a token in Authorization.")
	err.Challenge = `Bearer realm="graphql"` // without an error, because there was no token: RFC 6750, section 3.1
	return err
}

// isIntrospection reports whether all fields of an operation are meta-fields, whose names begin with two underscores,
// or the one with the schema of a subgraph.
func isIntrospection(set ast.SelectionSet) bool {
	return !slices.ContainsFunc(set, func(s ast.Selection) bool {
		switch s := s.(type) {
		case *ast.Field:
			return !strings.HasPrefix(s.Name, "__") && s.Name != design.ServiceField
		case *ast.InlineFragment:
			return !isIntrospection(s.SelectionSet)
		case *ast.FragmentSpread:
			return !isIntrospection(s.Definition.SelectionSet)
		default:
			return true
		}
	})
}
