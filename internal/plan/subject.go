package plan

import (
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// subject is what a rule decides about.
type subject struct {
	// owner is the raw id of the owner, and isOwned is set if it is known.
	owner   string
	isOwned bool
	// member returns the key condition of the viewer's member, and reports whether it is known.
	member func(m *design.Member) (*design.Condition, bool)
	// value returns the values of an object that has been read; nil for all others.
	value func(name string) keys.Value
}

// decide applies a rule. The decision is Unknown if it depends on a member, or for Go code on an object, that has not
// been read.
func (b *Bound) decide(r *design.Rule, s subject) Decision {
	d := b.decideByGo(r, s, Decide(r, b.Viewer, s.owner, s.isOwned))
	if d == Allow || !b.asksMembers(r) {
		return d
	}
	for _, m := range r.Members {
		if d = max(d, b.decideMember(m, s)); d == Allow {
			break
		}
	}
	return d
}

// decideByGo returns the decision of the Go code of a rule, or the one that there is without it, whichever allows more.
func (b *Bound) decideByGo(r *design.Rule, s subject, d Decision) Decision {
	if d == Allow || r == nil || len(r.Go) == 0 || b.Viewer == nil || b.Viewer.IsAnonymous() {
		return d
	}
	if s.value == nil {
		return Unknown
	}
	for _, g := range r.Go {
		if b.Schema.Design.AllowsByGo(g, b.Viewer.ID, b.Viewer.Roles, s.value) {
			return Allow
		}
	}
	return d
}

// asksMembers reports whether the members of a rule may allow the viewer.
func (b *Bound) asksMembers(r *design.Rule) bool {
	return r != nil && len(r.Members) > 0 && b.Viewer != nil && !b.Viewer.IsAnonymous()
}

func (b *Bound) decideMember(m *design.Member, s subject) Decision {
	c, isKnown := s.member(m)
	if !isKnown {
		return Unknown
	}
	it, isRead := b.Members.find(c.Key)
	switch {
	case !isRead:
		return Unknown
	case it == nil || !b.Schema.Design.AllowsMember(m, c, it, b.Viewer.ID, b.Now):
		return Deny
	default:
		return Allow
	}
}

// await appends the keys of the members that have not been read and that a rule's decision depends on.
func (b *Bound) await(to []keys.Key, r *design.Rule, s subject) []keys.Key {
	if !b.asksMembers(r) || b.decide(r, s) != Unknown {
		return to
	}
	for _, m := range r.Members {
		if c, isKnown := s.member(m); isKnown && !slices.Contains(to, c.Key) {
			if _, isRead := b.Members.find(c.Key); !isRead {
				to = append(to, c.Key)
			}
		}
	}
	return to
}

// Awaited returns the keys of the members on which the decision about a condition depends, as far as they are known
// before its items: for the rules of its field, and of the types that it selects.
func (b *Bound) Awaited(c *design.Condition) []keys.Key {
	to := b.await(nil, c.Field.Rule(), b.fieldSubject(c))
	to = b.await(to, c.Field.ParentRule(), b.parentSubject(c))
	for _, t := range b.selected(c) {
		to = b.await(to, t.Rule, b.typeSubject(c, t))
	}
	return to
}

// AwaitedByItems returns the keys of the members on which the decision about items of a condition depends.
func (b *Bound) AwaitedByItems(c *design.Condition, items []item.Item) []keys.Key {
	var to []keys.Key
	if b.DecideObjects(c) == Allow {
		return to
	}
	for _, it := range items {
		r := b.Schema.Design.Type(it.Type()).Rule
		to = b.await(to, r, b.itemSubject(r, it))
	}
	return to
}

// AwaitedByField returns the keys of the members on which the rule of a field of an object depends that is not read.
func (b *Bound) AwaitedByField(f *Field, it item.Item) []keys.Key {
	if f.Kind == ReadField || f.Kind == LiveField {
		return nil
	}
	return b.await(nil, f.Rule, b.itemSubject(f.Rule, it))
}

func (b *Bound) fieldSubject(c *design.Condition) subject {
	owner, isKnown := c.Owner()
	return subject{owner: owner, isOwned: isKnown, member: b.fieldMember(c)}
}

func (b *Bound) parentSubject(c *design.Condition) subject {
	owner, isKnown := c.ParentOwner()
	return subject{owner: owner, isOwned: isKnown, member: b.fieldMember(c)}
}

func (b *Bound) fieldMember(c *design.Condition) func(*design.Member) (*design.Condition, bool) {
	return func(m *design.Member) (*design.Condition, bool) {
		return b.Schema.Design.FieldMember(m, b.viewerID(), c)
	}
}

func (b *Bound) typeSubject(c *design.Condition, t *design.Type) subject {
	owner, isKnown := c.OwnerOf(t)
	return subject{owner: owner, isOwned: isKnown, member: func(m *design.Member) (*design.Condition, bool) {
		return b.Schema.Design.TypeMember(m, b.viewerID(), c, t)
	}}
}

// itemSubject returns the object of an item, of which a key-only one does not have the values for Go code.
func (b *Bound) itemSubject(r *design.Rule, it item.Item) subject {
	s := b.keySubject(r, it)
	s.value = func(name string) keys.Value { return keys.AttributeValue(it, name) }
	return s
}

// keySubject returns the object of an item that may be key-only. Nobody is the owner of an object whose key and
// attribute name different ones.
func (b *Bound) keySubject(r *design.Rule, it item.Item) subject {
	s := subject{member: func(m *design.Member) (*design.Condition, bool) {
		return b.Schema.Design.MemberOf(m, b.viewerID(), it)
	}}
	if r.IsPublic() || r.Owner == "" {
		return s
	}
	if s.isOwned = it.IsContested(r.Owner); !s.isOwned {
		s.owner = it.Text(r.Owner)
		s.isOwned = s.owner != ""
	}
	return s
}

// selected returns the types whose objects a condition selects.
func (b *Bound) selected(c *design.Condition) []*design.Type {
	if c.KeyOnly != nil {
		return []*design.Type{b.Schema.Design.Type(c.KeyOnly.Type())}
	}
	types := make([]*design.Type, len(c.Field.Types))
	for i, name := range c.Field.Types {
		types[i] = b.Schema.Design.Type(name)
	}
	return types
}

// SubjectOf returns a text that differs for conditions about which other members decide by the rule of the field.
func (b *Bound) SubjectOf(c *design.Condition) string {
	text := ""
	for _, r := range [...]*design.Rule{c.Field.Rule(), c.Field.ParentRule()} {
		if !b.asksMembers(r) {
			continue
		}
		for _, m := range r.Members {
			if of, isKnown := b.Schema.Design.FieldMember(m, b.viewerID(), c); isKnown {
				text += string(of.Key.PK) + "\x00" + string(of.Key.SK)
			}
			text += "\x00"
		}
	}
	return text
}

// IsSameSubject reports whether the rule of a field decides alike about two conditions of it.
func (b *Bound) IsSameSubject(one, other *design.Condition) bool {
	return b.SubjectOf(one) == b.SubjectOf(other)
}

// Concealing returns the keys of members that are read for an object that does not exist, because one that the viewer
// may not read would cost as much: they belong to no object.
func (b *Bound) Concealing(c *design.Condition) []keys.Key {
	if c.Field.Kind == design.Query || c.KeyOnly == nil {
		return nil
	}
	t := b.Schema.Design.Type(c.KeyOnly.Type())
	if !b.asksMembers(t.Rule) || b.decideType(c, t) != Unknown {
		return nil
	}
	var to []keys.Key
	for _, m := range t.Rule.Members {
		if _, isKnown := b.Schema.Design.MemberOf(m, b.viewerID(), c.KeyOnly); isKnown {
			continue
		}
		of, isKnown := b.Schema.Design.Member(m, b.viewerID(), func(name string) keys.Value {
			if v := keys.AttributeValue(c.KeyOnly, name); v.IsSet() {
				return v
			}
			return keys.StringValue("0")
		})
		if isKnown && !slices.Contains(to, of.Key) {
			to = append(to, of.Key)
		}
	}
	return to
}

// Model is an object that Go code has, or what a hand-written field is about, for the rules that are applied to fields
// when gqlgen resolves them.
type Model struct {
	// Owner is the raw id of the owner, and IsOwned is set if it is known.
	Owner   string
	IsOwned bool
	// Value returns the value of a variable of a member's key, or without a member, one that Go code gets.
	Value func(m *design.Member, name string) keys.Value
}

func (b *Bound) modelSubject(m Model) subject {
	s := subject{owner: m.Owner, isOwned: m.IsOwned}
	s.member = func(of *design.Member) (*design.Condition, bool) {
		return b.Schema.Design.Member(of, b.viewerID(), func(name string) keys.Value { return m.Value(of, name) })
	}
	s.value = func(name string) keys.Value { return m.Value(nil, name) }
	return s
}

// DecideModel applies a rule to a model.
func (b *Bound) DecideModel(r *design.Rule, m Model) Decision { return b.decide(r, b.modelSubject(m)) }

// AwaitedByModel appends the keys of the members on which the decision about a model depends.
func (b *Bound) AwaitedByModel(to []keys.Key, r *design.Rule, m Model) []keys.Key {
	return b.await(to, r, b.modelSubject(m))
}
