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
