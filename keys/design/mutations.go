package design

import "iter"

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
			counter := f.Count
			for _, c := range d.CountersIn(t) {
				if c.Field == f.Name {
					counter = c.Attribute
				}
			}
			if counter != "" && !yield(counter, f) {
				return
			}
		}
	}
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
