// Package viewer says who an operation is executed for. The gateway finds out
// and puts it into the operation's context; whatever decides by it takes it from
// there.
package viewer

import (
	"context"
	"slices"
)

// Viewer is who an operation is executed for. The zero Viewer is anonymous.
type Viewer struct {
	// ID names the viewer as ids in the table do, without a type: the raw value of
	// a global ID. It is empty for an anonymous caller.
	ID string
	// Roles are what the viewer may act as, such as ADMIN.
	Roles []string
}

// IsAnonymous reports whether nobody has signed in.
func (v Viewer) IsAnonymous() bool { return v.ID == "" }

// Has reports whether the viewer has the role.
func (v Viewer) Has(role string) bool { return slices.Contains(v.Roles, role) }

type contextKey struct{}

// NewContext is the context of an operation that is executed for the viewer.
func NewContext(ctx context.Context, v Viewer) context.Context {
	return context.WithValue(ctx, contextKey{}, v)
}

// FromContext is the viewer of an operation, anonymous when none was set.
func FromContext(ctx context.Context) Viewer {
	v, _ := ctx.Value(contextKey{}).(Viewer)
	return v
}
