package design

import (
	"iter"
	"slices"
)

// Mutation returns the mutation of that name, or nil.
func (d *Design) Mutation(name string) *Mutation {
	for _, m := range d.Mutations {
		if m.Name == name {
			return m
		}
	}
	return nil
}

// CountersOf returns the counters that count objects of a type.
func (d *Design) CountersOf(t *Type) []*Counter {
	var of []*Counter
	for _, c := range d.Counters {
		if c.Type == t.Name {
			of = append(of, c)
		}
	}
	return of
}

// Counted returns the fields of a stored type whose collections are counted, by the attributes that do: those of
// @counts and those that @query names.
func (d *Design) Counted(t *Type) iter.Seq2[string, *Field] {
	return func(yield func(string, *Field) bool) {
		for _, f := range d.Fields {
			if f.Parent != t.Name {
				continue
			}
			for _, counter := range d.countersOfField(t, f) {
				if !yield(counter, f) {
					return
				}
			}
		}
	}
}

// countersOfField returns the attributes that count the collection of a field.
func (d *Design) countersOfField(t *Type, f *Field) []string {
	var names []string
	named := f.Count
	for _, c := range d.CountersIn(t) {
		if c.Field != f.Name || c.Number != "" {
			continue
		}
		if c.IsOfAll() {
			named = ""
		}
		if !slices.Contains(names, c.Attribute) {
			names = append(names, c.Attribute)
		}
	}
	if named != "" {
		names = append(names, named)
	}
	return names
}

// Counter returns the counter of objects of a type in an attribute of a stored type; nil if all of them count that are
// in the collection, by the name in its @query alone.
func (d *Design) Counter(t *Type, attribute, of string) *Counter {
	for _, c := range d.CountersIn(t) {
		if c.Attribute == attribute && c.Type == of {
			return c
		}
	}
	return nil
}

// CountersIn returns the counters that objects of a type have as attributes.
func (d *Design) CountersIn(t *Type) []*Counter {
	var in []*Counter
	for _, c := range d.Counters {
		if c.Parent == t.Name {
			in = append(in, c)
		}
	}
	return in
}
