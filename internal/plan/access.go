package plan

import (
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/viewer"
)

// Authorize returns ErrForbidden for a condition that is denied before anything is read, otherwise invalid, the error
// with which the condition was built. A viewer who is denied learns nothing about the values. A condition that Awaited
// members decide about is not denied yet.
func (b *Bound) Authorize(c *design.Condition, invalid error) error {
	if b.isDenied(c.Field.Rule(), fieldSubject(c)) || b.isDenied(c.Field.ParentRule(), parentSubject(c)) ||
		b.DecideObjects(c) == Deny {
		return ErrForbidden
	}
	return invalid
}

// isDenied reports whether the rule of a condition's field, or for live data of an object's field the rule of the
// object, does not allow the viewer and no member that has not been read may. So does a rule whose owner is in the
// parent, while the parent has not been read.
func (b *Bound) isDenied(r *design.Rule, s *subject) bool {
	if r.IsPublic() {
		return false
	}
	d := b.decide(r, s)
	return d == Deny || d == Unknown && len(b.await(nil, r, s)) == 0
}

// DecideObjects applies the rules of the types that a condition selects, with the owner and the members that follow
// from the condition: Deny if no object may be read, Allow if all may be, otherwise Unknown.
func (b *Bound) DecideObjects(c *design.Condition) Decision {
	if c.KeyOnly != nil {
		return b.decideType(c, b.Schema.Design.Type(c.KeyOnly.Type()))
	}
	none, all := true, true
	for _, name := range c.Field.Types {
		d := b.decideType(c, b.Schema.Design.Type(name))
		none, all = none && d == Deny, all && d == Allow
	}
	switch {
	case all:
		return Allow
	case none:
		return Deny
	default:
		return Unknown
	}
}

func (b *Bound) decideType(c *design.Condition, t *design.Type) Decision {
	if t.Rule.IsPublic() {
		return Allow
	}
	return b.decide(t.Rule, typeSubject(c, t))
}

// DecideItem applies a rule to an object, or to one of its fields.
func (b *Bound) DecideItem(r *design.Rule, it item.Item) Decision {
	if r.IsPublic() {
		return Allow
	}
	s := itemSubject(r, it)
	return b.decide(r, &s)
}

// DecideKeyOnly is DecideItem for a key-only item.
func (b *Bound) DecideKeyOnly(r *design.Rule, keyOnly item.Item) Decision {
	if r.IsPublic() {
		return Allow
	}
	s := keySubject(r, keyOnly)
	return b.decide(r, &s)
}

// FieldError returns why the viewer cannot have a field of an item: ErrForbidden, or the error of the Read of a member
// that would decide it.
func (b *Bound) FieldError(f *Field, it item.Item) error {
	if b.AllowsField(f, it) {
		return nil
	}
	for _, key := range b.AwaitedByField(f, it) {
		if err := b.Members.err(key); err != nil {
			return err
		}
	}
	return ErrForbidden
}

// AllowsField reports whether the viewer may have a field of an item. What is read, or live, has been authorized with
// its condition. The rules of fields of a nested object depend on nothing of it, so that its item may be nil.
func (b *Bound) AllowsField(f *Field, it item.Item) bool {
	return f.Kind == ReadField || f.Kind == LiveField || b.DecideItem(f.Rule, it) == Allow
}

// DecideMutation applies the rule of a mutation; without one, it is denied to everyone. The error of a denial is
// ErrSignIn or ErrNotYours.
func DecideMutation(r *design.Rule, v *viewer.Viewer, owner string, known bool) (Decision, error) {
	if r == nil {
		r = &design.Rule{}
	}
	return DenyMutation(Decide(r, v, owner, known), v)
}

// DenyMutation returns a decision about a mutation, and the error of a denial.
func DenyMutation(d Decision, v *viewer.Viewer) (Decision, error) {
	switch {
	case d != Deny:
		return d, nil
	case v.IsAnonymous():
		return d, ErrSignIn
	default:
		return d, ErrNotYours
	}
}

// AllowsItems reports whether the viewer may read all of a condition's items, and may know of those that are damaged: a
// list with any other item is denied as a whole. A damaged item whose owner or type is unknown does not deny a list,
// because those who may read its field may know whether it has items.
func (b *Bound) AllowsItems(c *design.Condition, items, damaged []item.Item) bool {
	if b.DecideObjects(c) == Allow {
		return true
	}
	for _, it := range items {
		if b.DecideItem(b.Schema.Design.Type(it.Type()).Rule, it) != Allow {
			return false
		}
	}
	isList := c.Field.Kind == design.Query && c.Field.Result != design.One
	for _, it := range damaged {
		if d := b.decideDamaged(c, it); d == Deny || d == Unknown && !isList {
			return false
		}
	}
	return true
}

// decideDamaged decides who may know of a damaged item: its owner by the condition, or by its attribute. If the key
// names a type, the rule of that type decides, even if the item has another one.
func (b *Bound) decideDamaged(c *design.Condition, it item.Item) Decision {
	name := it.Type()
	if c.KeyOnly != nil {
		name = c.KeyOnly.Type()
	}
	if !declares(c, name) {
		return Unknown
	}
	t := b.Schema.Design.Type(name)
	return max(b.decideType(c, t), b.DecideKeyOnly(t.Rule, it))
}

// declares reports whether the design declares that a condition selects items of the type. Those of a Get are of one
// type, which follows from its key.
func declares(c *design.Condition, typeName string) bool {
	if c.KeyOnly != nil {
		return typeName == c.KeyOnly.Type()
	}
	return slices.Contains(c.Field.Types, typeName)
}
