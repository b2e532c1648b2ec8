package loaders

import (
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/viewer"
)

// CodeForbidden means that a rule keeps the field, or the object that it would
// return, from the viewer; or that there is no such object, which only those may
// know who could see it.
const CodeForbidden = "FORBIDDEN"

// AccessError is why a field has no value for a viewer. It tells nothing of what
// is there.
type AccessError struct{ message string }

func (e *AccessError) Error() string { return e.message }

// Code is CodeForbidden.
func (e *AccessError) Code() string { return CodeForbidden }

var (
	errForbidden = &AccessError{"you may not see this, if it is there at all; sign in as someone who may"}
	errSignIn    = &AccessError{"sign in to do this"}
	errNotYours  = &AccessError{"you may not do this; sign in as someone who may"}
)

// verdict is what a rule says of a viewer.
type verdict uint8

// undecided is the verdict while it is not known who the owner is, and it matters.
const (
	denied verdict = iota
	undecided
	admitted
)

// judge says whether a rule admits the viewer; owner is the raw id of the owner,
// where that is known. Without a viewer, who is then any, only a rule that hangs
// on the owner is undecided, and all others admit.
func judge(r *keys.Rule, v *viewer.Viewer, owner string, known bool) verdict {
	switch {
	case r.IsPublic():
		return admitted
	case v == nil:
		if r.Owner != "" {
			return undecided
		}
		return admitted
	case v.IsAnonymous():
		return denied
	case r.SignedIn:
		return admitted
	}
	for _, role := range r.Roles {
		if v.Has(role) {
			return admitted
		}
	}
	switch {
	case r.Owner == "" || known && owner != v.ID:
		return denied
	case !known:
		return undecided
	default:
		return admitted
	}
}

// judgeField says whether the rule of a condition's field admits the viewer. It is
// undecided while the parent, which tells the owner, has not been read.
func (o outline) judgeField(c keys.Condition) verdict {
	r := c.Field.Rule()
	if r.IsPublic() {
		return admitted
	}
	owner, known := c.Owner()
	return judge(r, o.viewer, owner, known)
}

// judgeObjects says whether the viewer may see the objects that a condition
// selects, as far as their key tells: none of them, some or not known which, all
// of them.
func (o outline) judgeObjects(c keys.Condition) verdict {
	if c.Known != nil {
		t := o.design.Type(c.Known.Type())
		owner, known := c.OwnerOf(t)
		return judge(t.Rule, o.viewer, owner, known)
	}
	none, all := true, true
	for _, name := range c.Field.Types {
		t := o.design.Type(name)
		owner, known := c.OwnerOf(t)
		v := judge(t.Rule, o.viewer, owner, known)
		none, all = none && v == denied, all && v == admitted
	}
	switch {
	case all:
		return admitted
	case none:
		return denied
	default:
		return undecided
	}
}

// judgeItem says whether the viewer may see an object, of which the item may be
// only what its key tells.
func (o outline) judgeItem(t *keys.Type, it item.Item) verdict {
	if t.Rule.IsPublic() {
		return admitted
	}
	owner := it.Text(t.Rule.Owner)
	return judge(t.Rule, o.viewer, owner, owner != "")
}

// sees reports whether the viewer may see all of a condition's items. What a key
// names is judged as the type that it ought to be: that it is of another one is not
// told to others.
func (o outline) sees(c keys.Condition, items []item.Item) bool {
	if o.judgeObjects(c) == admitted {
		return true
	}
	for _, it := range items {
		t := o.design.Type(it.Type())
		if c.Known != nil {
			t = o.design.Type(c.Known.Type())
		}
		if t == nil || o.judgeItem(t, it) != admitted {
			return false
		}
	}
	return true
}

// judgeAttribute says whether the viewer may see a field of an object, of which
// only some attributes may be known.
func (o outline) judgeAttribute(t *keys.Type, name string, known item.Item) verdict {
	r := o.design.Rule(t.Name, name)
	if r.IsPublic() {
		return admitted
	}
	owner := known.Text(r.Owner)
	return judge(r, o.viewer, owner, owner != "")
}

// authorize returns errForbidden for a condition that is denied before anything is read,
// otherwise the error with which the condition was built: a viewer who is denied learns
// nothing of the values.
func (o outline) authorize(c keys.Condition, invalid error) error {
	if o.judgeField(c) != admitted || o.judgeObjects(c) == denied {
		return errForbidden
	}
	return invalid
}
