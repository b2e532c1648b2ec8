package keys

import "slices"

// Rule is who may read a type or a field, or call a mutation: everybody whom at least one of its
// parts allows. A nil Rule allows everybody.
type Rule struct {
	// Public allows everybody.
	Public bool
	// SignedIn allows all viewers who are not anonymous.
	SignedIn bool
	// Owner is the stored field, or for a read the argument, with the id of the viewer who is allowed,
	// or "".
	Owner string
	// Roles allows viewers with one of them; sorted.
	Roles []string
}

// IsPublic reports whether the rule allows everybody.
func (r *Rule) IsPublic() bool { return r == nil || r.Public }

// FieldRule is the Rule of a field.
type FieldRule struct {
	Parent, Name string
	Rule         *Rule
}

// Rule returns the field's own rule, or nil. The rule of the type that the field returns applies as
// well.
func (d *Design) Rule(parent, name string) *Rule { return d.rules[coordinate{parent, name}] }

// Rule returns the field's own rule, or nil. The rules of the types that it returns apply as well.
func (f *Field) Rule() *Rule { return f.rule }

// WithOwners sets the function that ModelOwner uses, and returns the design. owners returns the
// stored type of a model, "" for one without a rule, and the id in a field of the model.
func (d *Design) WithOwners(owners func(object any, field string) (typ string, id ID)) *Design {
	d.owners = owners
	return d
}

// ModelOwner returns the stored type of a model with a rule, or "", and the raw id in a field of
// the model.
func (d *Design) ModelOwner(object any, field string) (typ, id string) {
	if d.owners == nil {
		return "", ""
	}
	typ, owner := d.owners(object, field)
	return typ, owner.Value()
}

// IDOrNone returns *id, or "" for nil.
func IDOrNone(id *ID) ID {
	if id == nil {
		return ""
	}
	return *id
}

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
		v := AttributeValue(c.KeyOnly, t.Rule.Owner)
		return v.Text(), v.Text() != ""
	}
	for _, o := range c.owners {
		if o.of == t {
			return o.id, true
		}
	}
	return "", false
}

// owned is the owner of all objects of a type that a condition selects.
type owned struct {
	of *Type
	id string
}

// fillOwners sets owner, parentOwner and owners, as far as they follow from the values.
func (c *Condition) fillOwners(values func(name string) Value) {
	f := c.Field
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
func ownerIn(r *Rule, values func(name string) Value) string {
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

func (c *Condition) addOwner(m Match, values func(name string) Value) {
	o := owned{of: m.Type}
	if source, ok := m.Variables[m.Type.Rule.Owner]; ok && m.Shape.Has(m.Type.Rule.Owner) {
		if id, ok := values(source).Single(); ok {
			o.id = id
		}
	}
	c.owners = append(c.owners, o)
}

// ViewerVariable is the variable of a read's templates that is the id of the viewer.
const ViewerVariable = "viewer"

// ViewerValue returns the Value of ViewerVariable. It is unset for an anonymous viewer, so that
// nothing is read.
func ViewerValue(id string) Value {
	if id == "" {
		return Value{}
	}
	return StringValue(id)
}
