package plan

import (
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/viewer"
)

// CodeForbidden is the code of an AccessError: a rule denies the viewer the field or the object that it would return. A
// missing object has the same code for viewers who may not know that it is missing.
const CodeForbidden = "FORBIDDEN"

// AccessError is the reason why a field has no value for a viewer. Its message does not depend on what is stored.
type AccessError struct{ message string }

// Error returns the message for the caller.
func (e *AccessError) Error() string { return e.message }

// Code returns CodeForbidden.
func (e *AccessError) Code() string { return CodeForbidden }

// The AccessErrors: of a read, and of a mutation for anonymous and other viewers.
var (
	ErrForbidden = &AccessError{"you may not see this, if it is there at all; sign in as someone who may"}
	ErrSignIn    = &AccessError{"sign in to do this"}
	ErrNotYours  = &AccessError{"you may not do this; sign in as someone who may"}
)

// Decision is the result of a rule for a viewer. It is Unknown if it depends on the owner or a member, and that has not
// been read.
type Decision uint8

// The decisions.
const (
	Deny Decision = iota
	Unknown
	Allow
)

// Decide applies a rule to a viewer. owner is the raw id of the owner, and known is set if it has been read. If v is
// nil, the viewer may be anyone: the decision is Unknown for a rule with an owner or members and Allow for all others.
// Members and Go code allow nobody here: see Bound.
func Decide(r *design.Rule, v *viewer.Viewer, owner string, known bool) Decision {
	switch {
	case r.IsPublic():
		return Allow
	case v == nil:
		if r.DependsOnObject() {
			return Unknown
		}
		return Allow
	case v.IsAnonymous():
		return Deny
	case r.SignedIn:
		return Allow
	}
	for _, role := range r.Roles {
		if v.Has(role) {
			return Allow
		}
	}
	switch {
	case r.Owner == "" || known && owner != v.ID:
		return Deny
	case !known:
		return Unknown
	default:
		return Allow
	}
}
