package directives

import (
	"fmt"
	"slices"
	"strings"

	"github.com/partita/partita/keys"
)

// checkVariables finds variables of stored keys that are not stored fields, and nullable fields in
// the key of an item.
func (r *reader) checkVariables() {
	for _, t := range r.sortedTypes() {
		for _, f := range t.storedKeys {
			var seen []string
			for _, name := range append(f.PK.Variables(), f.SK.Variables()...) {
				if slices.Contains(seen, name) {
					continue
				}
				seen = append(seen, name)
				r.checkVariable(f, name)
			}
		}
	}
}

func (r *reader) checkVariable(f *storedKey, name string) {
	t := f.of
	a := t.Attribute(name)
	field := t.def.Fields.ForName(name)
	switch {
	case a != nil && a.NonNull, a != nil && f.index != "":
	case a != nil:
		r.find(f.position(), t.Name, fmt.Sprintf("{%s} may be null, but every item needs its key", name),
			retype(t.Name, field, field.Type.String()+"!"))
	case field == nil && r.isMisspeltField(t, name):
	case field == nil:
		what, fix := fmt.Sprintf("{%s} names no field", name), fmt.Sprintf("add %s: String! to type %s", name, t.Name)
		if likely := Likely(name, attributeNames(t.Type)); likely != "" {
			what, fix = isLikely("{"+likely+"}", what), writeVariable(f.PK, f.SK, name, likely, t.width)
		}
		r.find(f.position(), t.Name, what, fix)
	case name == "id":
		r.find(f.position(), t.Name,
			fmt.Sprintf("{id} is not stored: the id consists of {%s}", strings.Join(t.Identity, "}, {")),
			writeVariable(f.PK, f.SK, name, t.identityFor(f), t.width))
	default:
		r.find(f.position(), t.Name, fmt.Sprintf("{%s} names a field that is read, not stored", name),
			writeVariable(f.PK, f.SK, name, t.identityFor(f), t.width))
	}
}

// isMisspeltField reports whether the definition of a field is probably misspelt, rather than a variable that names it:
// at least two keys of the type have the variable, and nothing names the field. This is one finding.
func (r *reader) isMisspeltField(t *storedType, variable string) bool {
	likely := Likely(variable, attributeNames(t.Type))
	field := t.def.Fields.ForName(likely)
	if field == nil || r.uses(t, variable) < 2 || r.uses(t, likely) > 0 {
		return false
	}
	coordinate := t.Name + "." + likely
	if !slices.ContainsFunc(r.findings, func(f Finding) bool { return f.Coordinate == coordinate }) {
		r.find(field.Position, coordinate,
			isLikely(variable, fmt.Sprintf("{%s} names no field, and %s is used nowhere", variable, likely)),
			fmt.Sprintf("rename %s to %s in type %s", likely, variable, t.Name))
	}
	return true
}

// uses returns how many keys of a type, and reads of its fields, name a variable.
func (r *reader) uses(t *storedType, variable string) int {
	n := 0
	for _, f := range t.storedKeys {
		n += boolInt(slices.Contains(append(f.PK.Variables(), f.SK.Variables()...), variable))
	}
	for _, rd := range r.reads {
		n += boolInt(rd.parent == t && rd.def.Arguments.ForName(variable) == nil &&
			slices.Contains(rd.variables(), variable))
	}
	return n
}

// attributeNames returns the attributes that a key may contain.
func attributeNames(t *keys.Type) []string {
	var names []string
	for _, a := range t.Attributes {
		if a.Kind != keys.Other {
			names = append(names, a.Name)
		}
	}
	return names
}
