package design

import (
	"slices"

	"github.com/partita/partita/keys"
)

// isMixed reports whether an item of another type than those of the field can be in its partition: a value there looks
// like a literal here, or the other way round, or types that an attribute tells apart have the same keys.
func (d *Design) isMixed(f *Field) bool {
	return slices.ContainsFunc(d.Types, func(t *Type) bool {
		if slices.Contains(f.Types, t.Name) {
			return false
		}
		return f.Index == "" && d.sharesKey(t, f.Types) || slices.ContainsFunc(t.shapesIn(f.Index), func(s keys.Shape) bool {
			return keys.Coincide(f.PK, s.PK) || keys.SamePartition(f.PK, s.PK) && d.isApart(t, f.Types)
		})
	})
}

// sharesKey reports whether an item of a type can have the key of one of other types.
func (d *Design) sharesKey(t *Type, others []string) bool {
	for _, name := range others {
		other := d.types[name]
		if other != nil && slices.ContainsFunc(other.shapesIn(""), func(s keys.Shape) bool {
			return slices.ContainsFunc(t.shapesIn(""), func(own keys.Shape) bool { return CanShareKey(t, own, other, s) })
		}) {
			return true
		}
	}
	return false
}

// isApart reports whether the constants of a type differ from those of one of other types.
func (d *Design) isApart(t *Type, others []string) bool {
	return slices.ContainsFunc(others, func(name string) bool { return d.types[name] != nil && d.types[name].IsApart(t) })
}

// unknownValues returns the variables of the field that Excludes compares: those whose value could also be another one
// beside it, and owners. A value in another case is the same for the library that wrote it.
func (f *Field) unknownValues() []verified {
	var unknown []verified
	for i := range f.matches {
		m := &f.matches[i]
		for _, t := range [...]*keys.Template{&m.Shape.PK, &m.Shape.SK} {
			for k := range t.Segments() {
				s := &t.Segments()[k]
				source, isRead := m.Variables[s.Variable]
				if !isRead || !s.IsUnknown() || m.Shape.Has(s.Variable) {
					continue
				}
				isExact := source == keys.ViewerVariable || f.rule != nil && f.rule.Owner == source
				if isExact || t.IsJoined(k) {
					unknown = append(unknown, verified{m.Type, s.Variable, source, s, isExact})
				}
			}
		}
	}
	return unknown
}
