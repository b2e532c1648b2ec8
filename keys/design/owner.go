package design

import (
	"slices"

	"github.com/partita/partita/keys"
)

// Owner returns the raw id that the rule of the condition's field compares with the viewer's. It is
// unknown while the parent has not been read.
func (c Condition) Owner() (id string, known bool) { return c.owner, c.owner != "" }

// ParentOwner returns the raw id that the ParentRule of the condition's field compares with the viewer's.
func (c Condition) ParentOwner() (id string, known bool) { return c.parentOwner, c.parentOwner != "" }

// OwnerOf returns the raw id that the type's rule compares with the viewer's. It is known only if
// it follows from the key condition for all objects that the condition selects.
func (c Condition) OwnerOf(t *Type) (id string, known bool) {
	if t.Rule == nil || t.Rule.Owner == "" {
		return "", false
	}
	if c.KeyOnly != nil {
		v := keys.AttributeValue(c.KeyOnly, t.Rule.Owner)
		return v.Text(), v.Text() != ""
	}
	for _, o := range c.owners {
		if o.of == t {
			return o.id, true
		}
	}
	return "", false
}

// fillOwners sets owner, parentOwner and owners, as far as they follow from the values.
func (c *Condition) fillOwners(values func(name string) keys.Value) {
	f := c.Field
	c.values = values
	c.owner, c.parentOwner = ownerIn(f.rule, values), ownerIn(f.ParentRule(), values)
	if f.Kind != Query {
		return
	}
	for _, m := range f.matches {
		if m.Type.Rule != nil && m.Type.Rule.Owner != "" {
			c.addOwner(m, values)
		}
	}
	// If the condition selects several stored items of a type, their owners must be the same.
	all := slices.Clone(c.owners)
	c.owners = slices.DeleteFunc(c.owners, func(o owned) bool {
		differs := func(other owned) bool { return other.of == o.of && other.id != o.id }
		return o.id == "" || slices.ContainsFunc(all, differs)
	})
}

// contestedOwner is the raw id of nobody: no value of a key may contain it.
const contestedOwner = "\x00"

// ownerIn returns the raw id of a rule's owner, or "".
func ownerIn(r *Rule, values func(name string) keys.Value) string {
	if r == nil || r.Owner == "" {
		return ""
	}
	v := values(r.Owner)
	if v.IsContested() {
		return contestedOwner
	}
	if id, ok := v.Single(); ok {
		return id
	}
	return ""
}

func (c *Condition) addOwner(m Match, values func(name string) keys.Value) {
	o := owned{of: m.Type}
	if source, ok := m.Variables[m.Type.Rule.Owner]; ok && m.Shape.Has(m.Type.Rule.Owner) {
		if id, ok := values(source).Single(); ok {
			o.id = id
		}
	}
	c.owners = append(c.owners, o)
}
