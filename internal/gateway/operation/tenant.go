package operation

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/viewer"
)

// CheckTenant returns an error for an operation that would use a table with tenants for a viewer without one.
// Introspection uses no table, so that tools that show the schema need no token.
func (e *Executor) CheckTenant(ctx context.Context, req Request) *response.Error {
	if !e.Callers.NeedsTenant || viewer.FromContext(ctx).Tenant != "" || isIntrospection(req.Operation.SelectionSet) {
		return nil
	}
	return TenantMissing()
}

// TenantMissing returns the error for viewers without a tenant.
func TenantMissing() *response.Error {
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
