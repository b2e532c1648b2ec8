package keys

import "slices"

// Rule is who may see a type or a field, or call a mutation: whoever one of its
// parts admits. A nil Rule admits anyone.
type Rule struct {
	// Public admits anyone.
	Public bool
	// SignedIn admits anyone who has signed in.
	SignedIn bool
	// Owner is the stored field, or for a read the argument, that holds the id of
	// the viewer whom it admits, or "".
	Owner string
	// Roles admits viewers with one of them; sorted.
	Roles []string
}

// IsPublic reports whether the rule admits anyone.
func (r *Rule) IsPublic() bool { return r == nil || r.Public }

// FieldRule is the Rule of a field.
type FieldRule struct {
	Parent, Name string
	Rule         *Rule
}

// Rule is the field's own rule, or nil. That of the type that the field returns
// holds as well.
func (d *Design) Rule(parent, name string) *Rule { return d.rules[coordinate{parent, name}] }

// Rule is the field's own rule, or nil. Those of the types that it returns hold as
// well.
func (f *Field) Rule() *Rule { return f.rule }

// WithOwners lets the design tell whose a model is: owners gives the stored type
// of a model, "" for one that no rule is about, and the id that a field of it
// holds.
func (d *Design) WithOwners(owners func(object any, field string) (typ string, id ID)) *Design {
	d.owners = owners
	return d
}

// ModelOwner is the stored type of a model with a rule, or "", and the raw id that
// a field of it holds.
func (d *Design) ModelOwner(object any, field string) (typ, id string) {
	if d.owners == nil {
		return "", ""
	}
	typ, owner := d.owners(object, field)
	return typ, owner.Value()
}

// IDOrNone is the ID that is pointed to, or "".
func IDOrNone(id *ID) ID {
	if id == nil {
		return ""
	}
	return *id
}

// Owner is the id that the rule of the condition's field compares with the
// viewer's, in the raw form. It is unknown while the parent has not been read.
func (c Condition) Owner() (id string, known bool) { return c.owner.text, c.owner.text != "" }

// OwnerOf is the id that the type's rule compares with the viewer's, as far as
// the key condition tells it of all objects that it selects.
func (c Condition) OwnerOf(t *Type) (id string, known bool) {
	if t.Rule == nil || t.Rule.Owner == "" {
		return "", false
	}
	if c.Known != nil {
		v := AttributeValue(c.Known, t.Rule.Owner)
		return v.text, v.text != ""
	}
	for _, o := range c.owners {
		if o.of == t {
			return o.id, true
		}
	}
	return "", false
}

// owned is whose the objects of a type are that a condition selects.
type owned struct {
	of *Type
	id string
}

// fillOwners finds out whose the objects are, where the partition tells.
func (c *Condition) fillOwners(values func(name string) Value) {
	f := c.Field
	if f.rule != nil && f.rule.Owner != "" {
		if v := values(f.rule.Owner); v.err == nil && v.bounds == nil {
			c.owner = v
		}
	}
	if f.Kind != Query {
		return
	}
	for _, m := range f.matches {
		if m.Type.Rule != nil && m.Type.Rule.Owner != "" {
			c.addOwner(m, values)
		}
	}
	// A type of which the condition selects several forms has one owner only if
	// all of them tell the same.
	all := slices.Clone(c.owners)
	c.owners = slices.DeleteFunc(c.owners, func(o owned) bool {
		return o.id == "" || slices.ContainsFunc(all, func(other owned) bool { return other.of == o.of && other.id != o.id })
	})
}

func (c *Condition) addOwner(m Match, values func(name string) Value) {
	o := owned{of: m.Type}
	if source, ok := m.Variables[m.Type.Rule.Owner]; ok {
		if v := values(source); v.set && v.err == nil && v.bounds == nil {
			o.id = v.text
		}
	}
	c.owners = append(c.owners, o)
}

// ViewerVariable is the variable of a read's templates that stands for the id of
// whoever the operation is executed for.
const ViewerVariable = "viewer"

// ViewerValue is the Value of ViewerVariable: unset when nobody has signed in,
// so that nothing is read.
func ViewerValue(id string) Value {
	if id == "" {
		return Value{}
	}
	return StringValue(id)
}
