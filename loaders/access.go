package loaders

import (
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/viewer"
)

// CodeForbidden is the code of an AccessError: a rule denies the viewer the field or the object
// that it would return. A missing object has the same code for viewers who may not know that it
// is missing.
const CodeForbidden = "FORBIDDEN"

// AccessError is the reason why a field has no value for a viewer. Its message does not depend on
// what is stored.
type AccessError struct{ message string }

func (e *AccessError) Error() string { return e.message }

// Code returns CodeForbidden.
func (e *AccessError) Code() string { return CodeForbidden }

var (
	errForbidden = &AccessError{"you may not see this, if it is there at all; sign in as someone who may"}
	errSignIn    = &AccessError{"sign in to do this"}
	errNotYours  = &AccessError{"you may not do this; sign in as someone who may"}
)

// decision is the result of a rule for a viewer. It is unknown if it depends on the owner and the
// owner has not been read.
type decision uint8

const (
	deny decision = iota
	unknown
	allow
)

// decide applies a rule to a viewer. owner is the raw id of the owner, and known is set if it has
// been read. If v is nil, the viewer may be anyone: the decision is unknown for a rule with an
// owner and allow for all others.
func decide(r *keys.Rule, v *viewer.Viewer, owner string, known bool) decision {
	switch {
	case r.IsPublic():
		return allow
	case v == nil:
		if r.Owner != "" {
			return unknown
		}
		return allow
	case v.IsAnonymous():
		return deny
	case r.SignedIn:
		return allow
	}
	for _, role := range r.Roles {
		if v.Has(role) {
			return allow
		}
	}
	switch {
	case r.Owner == "" || known && owner != v.ID:
		return deny
	case !known:
		return unknown
	default:
		return allow
	}
}

// decideField applies the rule of a condition's field. The decision is unknown if the owner is
// in the parent and the parent has not been read.
func (o boundOperation) decideField(c keys.Condition) decision {
	r := c.Field.Rule()
	if r.IsPublic() {
		return allow
	}
	owner, known := c.Owner()
	return decide(r, o.viewer, owner, known)
}

// decideObjects applies the rules of the types that a condition selects, with the owner that the
// condition contains: deny if no object may be read, allow if all may be, otherwise unknown.
func (o boundOperation) decideObjects(c keys.Condition) decision {
	if c.KeyOnly != nil {
		t := o.design.Type(c.KeyOnly.Type())
		owner, known := c.OwnerOf(t)
		return decide(t.Rule, o.viewer, owner, known)
	}
	none, all := true, true
	for _, name := range c.Field.Types {
		t := o.design.Type(name)
		owner, known := c.OwnerOf(t)
		d := decide(t.Rule, o.viewer, owner, known)
		none, all = none && d == deny, all && d == allow
	}
	switch {
	case all:
		return allow
	case none:
		return deny
	default:
		return unknown
	}
}

// decideItem applies the rule of an object's type. The item may be key-only.
func (o boundOperation) decideItem(t *keys.Type, it item.Item) decision {
	if t.Rule.IsPublic() {
		return allow
	}
	owner := it.Text(t.Rule.Owner)
	return decide(t.Rule, o.viewer, owner, owner != "")
}

// decideAttribute applies the rule of an object's field. The item may be key-only.
func (o boundOperation) decideAttribute(t *keys.Type, name string, it item.Item) decision {
	r := o.design.Rule(t.Name, name)
	if r.IsPublic() {
		return allow
	}
	owner := it.Text(r.Owner)
	return decide(r, o.viewer, owner, owner != "")
}

// allowsItems reports whether the viewer may read all of a condition's items. If the key names a
// type, the rule of that type decides, even if the item has another one: only viewers who may read
// the object learn that its item is damaged.
func (o boundOperation) allowsItems(c keys.Condition, items []item.Item) bool {
	if o.decideObjects(c) == allow {
		return true
	}
	for _, it := range items {
		t := o.design.Type(it.Type())
		if c.KeyOnly != nil {
			t = o.design.Type(c.KeyOnly.Type())
		}
		if t == nil || o.decideItem(t, it) != allow {
			return false
		}
	}
	return true
}

// authorize returns errForbidden for a condition that is denied before anything is read, otherwise
// invalid, the error with which the condition was built. A viewer who is denied learns nothing about
// the values.
func (o boundOperation) authorize(c keys.Condition, invalid error) error {
	if o.decideField(c) != allow || o.decideObjects(c) == deny {
		return errForbidden
	}
	return invalid
}
