package design

import (
	"slices"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/stored"
)

// NewDesign returns the design of types, fields and the rules of fields, in a table with the layout; nil is
// DefaultLayout. It does not modify them: the design's Fields are resolved copies. The error is that of
// Resolve. All other checks are made by the generator.
func NewDesign(layout *stored.Layout, types []*Type, fields []*Field, rules ...*FieldRule) (*Design, error) {
	existing := layout != nil
	if !existing {
		layout = stored.DefaultLayout()
	}
	layout = layout.WithNumbers(Numbers(types))
	types = formatted(layout, types)
	d := &Design{
		Layout: layout,
		Types:  types,
		Fields: make([]*Field, len(fields)),
		types:  make(map[string]*Type, len(types)),
		shapes: make(map[string][]keys.Shape, len(types)),
		fields: make(map[coordinate]*Field, len(fields)),
		Rules:  rules,
		rules:  make(map[coordinate]*Rule, len(rules)),
	}
	d.otherWriters = existing
	for _, r := range rules {
		d.rules[coordinate{r.Parent, r.Name}] = r.Rule
	}
	for _, t := range types {
		d.types[t.Name], d.shapes[t.Name] = t, t.Shapes()
		d.formerIDs = t.formerIDs(d.formerIDs, t.FormerIDs)
	}
	for i, declared := range fields {
		f, err := Resolve(types, declared)
		if err != nil {
			return nil, err
		}
		d.Fields[i], d.fields[coordinate{f.Parent, f.Name}] = f, f
	}
	if err := d.addLive(); err != nil {
		return nil, err
	}
	if err := d.addMembers(); err != nil {
		return nil, err
	}
	for _, f := range slices.Concat(d.Fields, d.Live) {
		d.relate(f)
	}
	for _, m := range d.members {
		d.relate(m.get)
	}
	for _, t := range types {
		if err := t.compile(); err != nil {
			return nil, err
		}
		t.mixed = d.isMixed(&Field{PK: t.Item.PK, Types: []string{t.Name}})
	}
	d.joins, d.singles = findJoins(types), findSingles(types)
	for _, t := range types {
		d.largest = max(d.largest, t.MaxBytes)
	}
	if existing || slices.ContainsFunc(types, (*Type).isStoredOtherwise) {
		d.stored = newTranslation(d)
	}
	return d, nil
}

// MustDesign is NewDesign for generated code. It panics on an error.
func MustDesign(layout *stored.Layout, types []*Type, fields []*Field, rules ...*FieldRule) *Design {
	d, err := NewDesign(layout, types, fields, rules...)
	if err != nil {
		panic("keys: bug in generated code: " + err.Error())
	}
	return d
}

// relate sets the parts of a resolved field that depend on the rest of the design.
func (d *Design) relate(f *Field) {
	f.rule = d.Rule(f.Parent, f.Name)
	f.local, f.sorted = d.Layout.Index(f.Index).Local, d.Layout.HasSortKey()
	if f.Kind.IsByID() {
		return
	}
	f.ruled = f.rule.DependsOnObject() || f.ParentRule().DependsOnObject()
	for _, m := range f.matches {
		f.ruled = f.ruled || m.Type.Rule.DependsOnObject()
	}
	f.reference = !f.hasSeveralTypes() && d.isReference(f, f.matches[0])
	f.verified = f.unknownValues()
	f.mixed, f.projected = d.isMixed(f), d.IsProjected(f.Index)
}

// isReference reports whether the target's identity is one value that the parent has in an
// attribute for ids of the target's type.
func (d *Design) isReference(f *Field, m Match) bool {
	if f.Kind != Get || len(m.Type.Identity) != 1 || !m.Type.Item.Has(m.Type.Identity[0]) {
		return false
	}
	parent := d.itemTypeOf(f.Parent)
	source, ok := m.Variables[m.Type.Identity[0]]
	if parent == nil || !ok || f.Argument(source) != nil {
		return false
	}
	a := parent.Attribute(source)
	return a != nil && a.Ref == m.Type.Name && !(parent == m.Type && slices.Contains(parent.Identity, source))
}

// WithMutations sets the mutations and the counters that they maintain, and returns the design.
func (d *Design) WithMutations(mutations []*Mutation, counters []*Counter) *Design {
	d.Mutations, d.Counters = mutations, counters
	d.setRoom()
	for _, m := range mutations {
		if err := d.addMembersOf(&Rule{Members: m.Members}, m.Type, nil); err != nil {
			panic("design: bug: " + err.Error())
		}
		for _, of := range m.Members {
			d.relate(d.members[of].get)
		}
	}
	return d
}
