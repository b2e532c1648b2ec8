// Package viewer identifies the caller of an operation. The gateway authenticates the caller and
// puts the Viewer into the operation's context, from which authorization reads it.
package viewer

import (
	"context"
	"slices"
	"time"
)

// Viewer is the caller for whom an operation is executed. The zero Viewer is anonymous.
type Viewer struct {
	// ID is the raw value of the viewer's global ID, as ids are stored in the table. It is "" for an
	// anonymous caller.
	ID string
	// Roles are the viewer's roles, such as ADMIN.
	Roles []string
	// Tenant is the tenant that the viewer belongs to, "" if the table has no tenants or the caller is anonymous. Viewers
	// of two tenants with the same ID are two viewers.
	Tenant string
	// Until is when the trust in the viewer's token ends; zero if it does not, and for an anonymous caller. What takes
	// longer than an operation, such as a subscription, ends then.
	Until time.Time
}

// IsAnonymous reports whether the caller is not authenticated.
func (v Viewer) IsAnonymous() bool { return v.ID == "" }

// Has reports whether the viewer has the role.
func (v Viewer) Has(role string) bool { return slices.Contains(v.Roles, role) }

type contextKey struct{}

// NewContext returns the context of an operation that is executed for the viewer.
func NewContext(ctx context.Context, v Viewer) context.Context {
	return context.WithValue(ctx, contextKey{}, v)
}

// FromContext returns the viewer of an operation, anonymous when none was set.
func FromContext(ctx context.Context) Viewer {
	v, _ := ctx.Value(contextKey{}).(Viewer)
	return v
}
