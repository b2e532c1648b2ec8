package plan

import (
	"iter"
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
	// One of these names the viewer's members: a condition, of a type or of its field; an item; a model.
	condition *design.Condition
	of        *design.Type
	item      item.Item
	model     *Model
	// isRead is set for an item and a model that have all values.
	isRead bool
}

// member returns the key condition of the viewer's member, and reports whether it is known.
func (b *Bound) member(m *design.Member, s *subject) (*design.Condition, bool) {
	switch d, model := b.Schema.Design, s.model; {
	case model != nil:
		return d.Member(m, b.viewerID(), func(name string) keys.Value { return model.Value(m, name) })
	case s.condition == nil:
		return d.MemberOf(m, b.viewerID(), s.item)
	case s.of != nil:
		return d.TypeMember(m, b.viewerID(), s.condition, s.of)
	default:
		return d.FieldMember(m, b.viewerID(), s.condition)
	}
}

// value returns a value of an object that has been read.
func (s *subject) value(name string) keys.Value {
	if s.model != nil {
		return s.model.Value(nil, name)
	}
	return keys.AttributeValue(s.item, name)
}

// decide applies a rule. The decision is Unknown if it depends on a member, or for Go code on an object, that has not
// been read.
func (b *Bound) decide(r *design.Rule, s *subject) Decision {
	d := b.decision(r, s)
	b.Witness.note(r, s, d)
	return d
}

func (b *Bound) decision(r *design.Rule, s *subject) Decision {
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
func (b *Bound) decideByGo(r *design.Rule, s *subject, d Decision) Decision {
	if d == Allow || r == nil || len(r.Go) == 0 || b.Viewer == nil || b.Viewer.IsAnonymous() {
		return d
	}
	if !s.isRead {
		return Unknown
	}
	of := *s // Only here, a subject leaves the stack.
	for _, g := range r.Go {
		if b.Schema.Design.AllowsByGo(g, b.Viewer.ID, b.Viewer.Roles, of.value) {
			return Allow
		}
	}
	return d
}

// asksMembers reports whether the members of a rule may allow the viewer.
func (b *Bound) asksMembers(r *design.Rule) bool {
	return r != nil && len(r.Members) > 0 && b.Viewer != nil && !b.Viewer.IsAnonymous()
}

func (b *Bound) decideMember(m *design.Member, s *subject) Decision {
	c, isKnown := b.member(m, s)
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
func (b *Bound) await(to []keys.Key, r *design.Rule, s *subject) []keys.Key {
	if !b.asksMembers(r) || b.decide(r, s) != Unknown {
		return to
	}
	for _, m := range r.Members {
		if c, isKnown := b.member(m, s); isKnown && !slices.Contains(to, c.Key) {
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
	to := b.await(nil, c.Field.Rule(), fieldSubject(c))
	to = b.await(to, c.Field.ParentRule(), parentSubject(c))
	for t := range b.selected(c) {
		to = b.await(to, t.Rule, typeSubject(c, t))
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
		s := itemSubject(r, it)
		to = b.await(to, r, &s)
	}
	return to
}

// AwaitsItems reports whether members may decide about items of a condition.
func (b *Bound) AwaitsItems(c *design.Condition) bool {
	for t := range b.selected(c) {
		if b.asksMembers(t.Rule) {
			return true
		}
	}
	return false
}

// AwaitedByField returns the keys of the members on which the rule of a field of an object depends that is not read.
func (b *Bound) AwaitedByField(f *Field, it item.Item) []keys.Key {
	if f.Kind == ReadField || f.Kind == LiveField {
		return nil
	}
	s := itemSubject(f.Rule, it)
	return b.await(nil, f.Rule, &s)
}

func fieldSubject(c *design.Condition) *subject {
	owner, isKnown := c.Owner()
	return &subject{owner: owner, isOwned: isKnown, condition: c}
}

func parentSubject(c *design.Condition) *subject {
	owner, isKnown := c.ParentOwner()
	return &subject{owner: owner, isOwned: isKnown, condition: c}
}

func typeSubject(c *design.Condition, t *design.Type) *subject {
	owner, isKnown := c.OwnerOf(t)
	return &subject{owner: owner, isOwned: isKnown, condition: c, of: t}
}

// itemSubject returns the object of an item, of which a key-only one does not have the values for Go code.
func itemSubject(r *design.Rule, it item.Item) subject {
	s := keySubject(r, it)
	s.isRead = true
	return s
}

// keySubject returns the object of an item that may be key-only. Nobody is the owner of an object whose key and
// attribute name different ones.
func keySubject(r *design.Rule, it item.Item) subject {
	s := subject{item: it}
	if r.IsPublic() || r.Owner == "" {
		return s
	}
	if s.isOwned = it.IsContested(r.Owner); !s.isOwned {
		s.owner = it.Text(r.Owner)
		s.isOwned = s.owner != ""
	}
	return s
}

// selected yields the types whose objects a condition selects.
func (b *Bound) selected(c *design.Condition) iter.Seq[*design.Type] {
	return func(yield func(*design.Type) bool) {
		if c.KeyOnly != nil {
			yield(b.Schema.Design.Type(c.KeyOnly.Type()))
			return
		}
		for _, name := range c.Field.Types {
			if !yield(b.Schema.Design.Type(name)) {
				return
			}
		}
	}
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

func modelSubject(m *Model) *subject {
	return &subject{owner: m.Owner, isOwned: m.IsOwned, model: m, isRead: true}
}

// DecideModel applies a rule to a model.
func (b *Bound) DecideModel(r *design.Rule, m Model) Decision { return b.decide(r, modelSubject(&m)) }

// AwaitedByModel appends the keys of the members on which the decision about a model depends.
func (b *Bound) AwaitedByModel(to []keys.Key, r *design.Rule, m Model) []keys.Key {
	return b.await(to, r, modelSubject(&m))
}
