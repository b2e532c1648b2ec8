package design

import (
	"slices"
	"strings"
)

// DynamoDB's limits for one transaction: actions, and bytes of all items together.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
const (
	MaxActions          = 100
	MaxTransactionBytes = 4 << 20
)

// Below returns the fields of a stored type whose objects are deleted with the object that has them.
func (d *Design) Below(t *Type) []*Field {
	var below []*Field
	for _, f := range d.Fields {
		if f.Cascades && f.Parent == t.Name {
			below = append(below, f)
		}
	}
	return below
}

// Cascades reports whether objects in the collection of a counter are deleted with the object that has it.
func (d *Design) Cascades(c *Counter) bool {
	f := d.Field(c.Parent, c.Field)
	return f != nil && f.Cascades
}

// HasBelow reports whether anything is deleted with another object.
func (d *Design) HasBelow() bool {
	return slices.ContainsFunc(d.Fields, func(f *Field) bool { return f.Cascades })
}

// ParentsOf returns the objects that must exist when an object of a type is created, or refers to them: those with
// which it is deleted, and those of fields with @exists. It lacks those that count it under that condition anyway.
func (d *Design) ParentsOf(t *Type) []*Counter {
	var parents []*Counter
	for _, a := range t.Attributes {
		if a.Exists && !slices.ContainsFunc(d.CountersOf(t), func(c *Counter) bool { return c.Requires(a) }) {
			parents = append(parents, &Counter{Parent: a.Ref, Field: a.Name, Type: t.Name, Identity: []string{a.Name}})
		}
	}
	for _, f := range d.Fields {
		if f.Cascades && d.CounterOf(f, t.Name) == "" {
			if p := d.ParentIn(f, t); p != nil {
				parents = append(parents, p)
			}
		}
	}
	return parents
}

// ParentIn returns how objects of a type name the object that has them in a field, as a Counter without an Attribute;
// nil if they do not.
func (d *Design) ParentIn(f *Field, t *Type) *Counter {
	parent := d.Type(f.Parent)
	for _, m := range f.matches {
		if parent == nil || m.Type != t {
			continue
		}
		if identity := m.identityOf(parent); identity != nil {
			return &Counter{Parent: parent.Name, Field: f.Name, Type: t.Name, Identity: identity}
		}
	}
	return nil
}

// CounterOf returns the attribute that counts all objects of a type in the collection of a field, or "".
func (d *Design) CounterOf(f *Field, typ string) string {
	for _, c := range d.Counters {
		if c.Parent == f.Parent && c.Field == f.Name && c.Type == typ && c.IsOfAll() {
			return c.Attribute
		}
	}
	return ""
}

// identityOf returns the attributes of the items of a match that have the values of their parent's identity; nil if
// they do not name it.
func (m *Match) identityOf(parent *Type) []string {
	names := make([]string, len(parent.Identity))
	for i, variable := range parent.Identity {
		for name, source := range m.Variables {
			if source == variable {
				names[i] = name
			}
		}
		if names[i] == "" {
			return nil
		}
	}
	return names
}

// IsSwept reports whether the deletion of an object of the type leaves what is below it to the sweep, because that may
// be more than one transaction can delete.
func (d *Design) IsSwept(t *Type) bool { return len(d.Below(t)) > 0 && !d.IsWhole(t) }

// IsWhole reports whether one transaction can delete an object of the type with all that is below it, and change one
// further item: that of a member, or of the object above it.
func (d *Design) IsWhole(t *Type) bool { return d.deletion(t, nil, nil).isPossible() }

// ActionsToDelete returns how many actions the deletion of an object in a collection needs at most, with all that is
// below it, beside that on the object with the collection.
func (d *Design) ActionsToDelete(t *Type, in *Field) int { return d.deletion(t, in, nil).actions }

// ActionsToSoftDelete is ActionsToDelete for one that becomes a tombstone, with its item in the list of the sweep.
func (d *Design) ActionsToSoftDelete(t *Type, in *Field) int {
	return 1 + len(t.Copies) + len(t.Uniques) + d.countersBeside(t, in) + 1
}

// deletion is the most that one transaction would have to delete.
type deletion struct{ actions, bytes int }

func (n deletion) isPossible() bool { return n.actions < MaxActions && n.bytes <= MaxTransactionBytes }

// deletion returns what the deletion of an object with all that is below it needs. in is the collection with it, nil
// for none, and above are the types of the objects above it.
func (d *Design) deletion(t *Type, in *Field, above []string) deletion {
	impossible := deletion{actions: MaxActions}
	if slices.Contains(above, t.Name) {
		return impossible
	}
	n := deletion{actions: 1 + len(t.Copies) + len(t.Uniques) + d.countersBeside(t, in)}
	n.bytes = n.actions * t.MaxBytes
	above = append(slices.Clip(above), t.Name)
	for _, f := range d.Below(t) {
		most := deletion{}
		for _, name := range f.Types {
			one := d.deletion(d.Type(name), f, above)
			most = deletion{max(most.actions, one.actions), max(most.bytes, one.bytes)}
		}
		n.actions += f.AtMost * most.actions
		n.bytes += f.AtMost * most.bytes
		if f.AtMost == 0 || n.actions >= MaxActions {
			return impossible
		}
	}
	return n
}

// countersBeside returns how many objects count one of a type, beside that with the collection that it is in.
func (d *Design) countersBeside(t *Type, in *Field) int {
	var above []string
	for _, c := range d.CountersOf(t) {
		parent := c.Parent + " " + strings.Join(c.Identity, " ")
		isIn := in != nil && c.Parent == in.Parent && slices.Equal(c.Identity, d.identityIn(in, t))
		if c.Number == "" && !isIn && !slices.Contains(above, parent) {
			above = append(above, parent)
		}
	}
	return len(above)
}

func (d *Design) identityIn(f *Field, t *Type) []string {
	if p := d.ParentIn(f, t); p != nil {
		return p.Identity
	}
	return nil
}
