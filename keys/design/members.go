package design

import (
	"fmt"
	"slices"
	"time"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/predicate"
)

// addMembers resolves the members of all rules, those of live fields included.
func (d *Design) addMembers() error {
	d.members = map[*Member]*membership{}
	for _, t := range d.Types {
		if err := d.addMembersOf(t.Rule, t.Name, nil); err != nil {
			return err
		}
	}
	for at, r := range d.rules {
		if err := d.addMembersOf(r, at.parent, nil); err != nil {
			return err
		}
	}
	for _, live := range d.Live {
		for _, r := range []*Rule{d.Rule(live.Parent, live.Name), live.ParentRule()} {
			if err := d.addMembersOf(r, live.Parent, live); err != nil {
				return err
			}
		}
	}
	return nil
}

// memberField is the name of the fields that read members. No field of a schema can have it.
const memberField = "@allow"

func (d *Design) addMembersOf(r *Rule, parent string, live *Field) error {
	if r == nil {
		return nil
	}
	for _, m := range r.Members {
		declared := &Field{
			Parent: parent, Name: memberField, Kind: Get, PK: m.PK, SK: m.SK, Types: []string{m.Type}, Arguments: m.Arguments,
		}
		if live != nil {
			declared.Arguments, declared.parent = live.Arguments, live.parent
		}
		get, err := Resolve(d.Types, declared)
		if err != nil {
			return err
		}
		resolved := &membership{get: get}
		if m.Where != "" {
			if resolved.where, err = predicate.Parse(m.Where); err != nil {
				return fmt.Errorf("%s of %s: where: %w", m.Word, parent, err)
			}
		}
		d.members[m] = resolved
	}
	return nil
}

// Member returns the key condition of a viewer's member from the values of its other variables. It reports whether
// they have one.
func (d *Design) Member(m *Member, viewer string, values func(string) keys.Value) (*Condition, bool) {
	c, err := d.members[m].get.Bind(func(name string) keys.Value {
		if name == keys.ViewerVariable {
			return keys.ViewerValue(viewer)
		}
		v := values(name)
		if _, isSingle := v.Single(); !isSingle || v.IsContested() {
			return keys.Value{} // An object whose key and attributes disagree belongs to nobody.
		}
		return v
	}).Condition()
	return &c, err == nil && !c.IsEmpty()
}

// MemberOf is Member for an object.
func (d *Design) MemberOf(m *Member, viewer string, it item.Item) (*Condition, bool) {
	return d.Member(m, viewer, func(name string) keys.Value { return keys.AttributeValue(it, name) })
}

// FieldMember is Member for the rule of the condition's field, and for its ParentRule.
func (d *Design) FieldMember(m *Member, viewer string, c *Condition) (*Condition, bool) {
	if c.values == nil {
		return nil, false
	}
	return d.Member(m, viewer, c.values)
}

// TypeMember is Member for the rule of a type that a condition selects. The key is known only if it follows from the
// condition for all objects.
func (d *Design) TypeMember(m *Member, viewer string, c *Condition, t *Type) (*Condition, bool) {
	if c.KeyOnly != nil {
		return d.MemberOf(m, viewer, c.KeyOnly)
	}
	if c.values == nil || c.Field.Kind != Query {
		return nil, false
	}
	var found *Condition
	for i := range c.Field.matches {
		match := &c.Field.matches[i]
		if match.Type != t {
			continue
		}
		of, isKnown := d.Member(m, viewer, func(name string) keys.Value { return match.valueOf(name, c.values) })
		if !isKnown || found != nil && found.Key != of.Key {
			return nil, false
		}
		found = of
	}
	return found, found != nil
}

// valueOf returns the value that a variable of the shape has in all items of a match, if the key shows it.
func (m *Match) valueOf(name string, values func(string) keys.Value) keys.Value {
	if _, isConstant := m.Constants[name]; !isConstant && m.Variables[name] == "" || !m.Shape.Has(name) {
		return keys.Value{}
	}
	return m.value(name, values)
}

// AllowsMember reports whether an item that the condition of a member has read allows the viewer: it is one of the
// member's type, its key and its attributes agree about it, and what the rule demands of it holds. An expired item and
// a tombstone are none.
func (d *Design) AllowsMember(m *Member, c *Condition, it item.Item, viewer string, now time.Time) bool {
	t := d.types[m.Type]
	if it.Type() != m.Type || c.Excludes(it) {
		return false
	}
	it, isValid := c.Field.Reconcile(t, it)
	if !isValid || slices.ContainsFunc(c.Field.matches, func(match Match) bool { return match.isContestedIn(it) }) {
		return false
	}
	return d.members[m].where.Holds(it, func(o predicate.Operand) item.Value {
		switch o.Text {
		case predicate.Viewer:
			return item.StringValue(viewer)
		case predicate.Now:
			return item.TimeValue(o.Time(now))
		}
		v, _ := it.Get(o.Text)
		return v
	})
}

// isContestedIn reports whether the key of an item and its attributes disagree about a variable of the match.
func (m *Match) isContestedIn(it item.Item) bool {
	for name := range m.Variables {
		if it.IsContested(name) {
			return true
		}
	}
	return false
}
