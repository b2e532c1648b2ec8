package check

import (
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/write"
)

// Scope restricts a run to some violations. The zero Scope has all.
type Scope struct {
	// Only are kinds of violations, Types types of the design, and Indexes indexes: a violation is in the scope if each of
	// these is empty or has that of the violation. Only INDEX_ENTRY_WRONG has an index.
	Only    []Kind   `json:"only,omitempty"`
	Types   []string `json:"types,omitempty"`
	Indexes []string `json:"indexes,omitempty"`
}

// hasType reports whether violations of items of a type may be in the scope.
func (s Scope) hasType(name string) bool { return len(s.Types) == 0 || slices.Contains(s.Types, name) }

func (s Scope) has(v Violation) bool {
	return (len(s.Only) == 0 || slices.Contains(s.Only, v.Kind)) &&
		(len(s.Indexes) == 0 || slices.Contains(s.Indexes, v.index))
}

// Equal reports whether two scopes are the same.
func (s Scope) Equal(other Scope) bool {
	return slices.Equal(s.Only, other.Only) && slices.Equal(s.Types, other.Types) &&
		slices.Equal(s.Indexes, other.Indexes)
}

// within returns the violations that are in the scope. What other programs may have meant is repaired only if its kind
// is named: they write to a table that the schema declares with @table.
func (in *inspector) within(found []Violation) []Violation {
	found = slices.DeleteFunc(found, func(v Violation) bool { return !in.scope.has(v) })
	for i := range found {
		v := &found[i]
		if v.Fix != "" && !v.isLossless && in.design.HasOtherWriters() && !slices.Contains(in.scope.Only, v.Kind) {
			v.Needs, v.Actions = "--only="+string(v.Kind), nil
		}
	}
	return found
}

// typeOf returns the type that an item is about: its own, or that of the object for which it claims a value.
func (in *inspector) typeOf(it item.Item) string {
	if in.design.Type(it.Type()) == nil {
		if of, _ := write.ClaimOf(in.design, it); of != nil {
			return of.Name
		}
	}
	return it.Type()
}

// entries returns the indexes in whose keys two items differ, with the names of these attributes, and the other names.
func (in *inspector) entries(names []string) (indexes map[string][]string, others []string) {
	indexes = map[string][]string{}
	for _, name := range names {
		others = append(others, name)
		for _, ix := range in.design.IndexNames() {
			if name == keys.IndexPK(ix) || name == keys.IndexSK(ix) {
				indexes[ix] = append(indexes[ix], name)
				others = others[:len(others)-1]
				break
			}
		}
	}
	return indexes, others
}

// withValues returns an item with the values that another one has for some attributes.
func withValues(it, of item.Item, names []string) item.Item {
	changed := slices.DeleteFunc(slices.Clone(it), func(a item.Attribute) bool { return slices.Contains(names, a.Name) })
	for _, a := range of {
		if slices.Contains(names, a.Name) {
			changed = append(changed, a)
		}
	}
	return changed
}
