package directives

import (
	"fmt"
	"slices"
	"strings"

	"github.com/partita/partita/keys"
)

// checkVariables finds variables of stored keys that are not stored fields, and nullable fields in
// the key of an item.
func (r *checker) checkVariables() {
	for _, t := range r.sortedTypes() {
		var nullable []string
		for _, f := range t.storedKeys {
			seen := slices.Clone(nullable)
			for _, name := range append(f.PK.Variables(), f.SK.Variables()...) {
				if slices.Contains(seen, name) {
					continue
				}
				seen = append(seen, name)
				if a := t.Attribute(name); a != nil && !a.NonNull && f.index == "" {
					nullable = append(nullable, name) // The fix is the same for all keys.
				}
				r.checkVariable(f, name)
			}
		}
	}
}

func (r *checker) checkVariable(f *storedKey, name string) {
	t := f.of
	a := t.Attribute(name)
	field := t.def.Fields.ForName(name)
	switch {
	case a != nil && a.NonNull, a != nil && f.index != "":
	case a != nil:
		r.find(f.position(), t.Name, fmt.Sprintf("{%s} may be null, but every item needs its key", name),
			retype(t.Name, field, field.Type.String()+"!"))
	case field == nil && r.isMisspeltField(t, name), r.isReadScalar(field):
	case field == nil:
		what := fmt.Sprintf("{%s} names no field", name)
		fix := fmt.Sprintf("add %s: %s! to type %s", name, r.variableType(f, name), t.Name)
		if likely := Likely(name, attributeNames(t.Type)); likely != "" {
			what, fix = isLikely("{"+likely+"}", what), writeVariable(f.PK, f.SK, name, likely, t.width)
		} else if by := r.readAs(f, name); by != "" {
			fix = writeVariable(f.PK, f.SK, name, by, t.width)
		}
		r.find(f.position(), t.Name, what, fix)
	case name == "id" && len(t.Identity) == 0:
		r.find(f.position(), t.Name, "{id} is not stored: the key of a "+t.Name+" has no variables", r.identified(t))
	case name == "id":
		r.find(f.position(), t.Name,
			fmt.Sprintf("{id} is not stored: the id consists of {%s}", strings.Join(t.Identity, "}, {")),
			writeVariable(f.PK, f.SK, name, t.identityFor(f), t.width))
	default:
		r.find(f.position(), t.Name, fmt.Sprintf("{%s} names a field that is read, not stored", name),
			writeVariable(f.PK, f.SK, name, t.identityFor(f), t.width))
	}
}

// readAs returns the attribute that a variable of a stored key probably means: the one with the name of the argument
// with which a field looks for it, and that the key does not name. It is "" if there is none.
func (r *checker) readAs(f *storedKey, name string) string {
	for _, rd := range r.reads {
		m := rd.matchOf(f)
		if m == nil {
			continue
		}
		for _, variable := range rd.variables() {
			isNamed := slices.Contains(append(f.PK.Variables(), f.SK.Variables()...), variable)
			if attribute(*m, variable) == name && !isNamed && f.of.Attribute(variable) != nil && variable != "id" {
				return variable
			}
		}
	}
	return ""
}

// variableType returns the type of the field that a variable of a stored key needs: that of the values with which reads
// look for it, or of such a field of another type.
func (r *checker) variableType(f *storedKey, name string) string {
	if typ := r.evidence(f, name); typ != "" {
		return typ
	}
	for _, other := range r.sortedTypes() {
		if field := other.def.Fields.ForName(name); field != nil && hasText(r.kind(field.Type)) {
			return field.Type.Name()
		}
	}
	if name == "id" || strings.HasSuffix(name, "Id") {
		return "ID"
	}
	return "String"
}

// evidence returns the type that a variable of a stored key must have because of its format, or because of the values
// with which reads look for it, "" if nothing shows it.
func (r *checker) evidence(f *storedKey, name string) string {
	if typ := r.storedAs(f, name); typ != "" {
		return typ
	}
	return r.readType(f, name)
}

// readType returns the type of the values with which reads look for a variable of a stored key, "" if none does.
func (r *checker) readType(f *storedKey, name string) string {
	for _, rd := range r.reads {
		m := rd.matchOf(f)
		if m == nil {
			continue
		}
		for _, variable := range rd.variables() {
			if _, typ := r.sourceOf(rd, variable); typ != nil && attribute(*m, variable) == name && typ.Elem == nil &&
				hasText(r.kind(typ)) {
				return typ.Name()
			}
		}
		if a := rd.def.Arguments.ForName(name); a != nil {
			if end := r.rangeEnd(a.Type); end != nil && hasText(r.kind(end)) {
				return end.Name()
			}
		}
	}
	return ""
}

// storedAs returns the type that a variable of a stored key must have because of how it is stored, "" if that does not
// show it. Another type is a fault that checkFormats finds, or the check of the directive.
func (r *checker) storedAs(f *storedKey, name string) string {
	if field := f.of.def.Fields.ForName(name); field != nil {
		d := field.Directives.ForName("stored")
		if d != nil && d.Arguments.ForName("as") != nil {
			if as := keys.FormatOf(textArgument(d, "as")); as != keys.Set && !r.fits(as, field.Type) {
				return kindOf(as).String()
			}
		}
		if field.Directives.ForName("now") != nil && r.kind(field.Type) != keys.Date {
			return keys.Time.String()
		}
	}
	for _, k := range f.of.storedKeys {
		for _, s := range slices.Concat(k.PK.Segments(), k.SK.Segments()) {
			if s.Variable == name && s.Bucket > 0 {
				return keys.Time.String()
			}
		}
	}
	for _, s := range slices.Concat(f.PK.Segments(), f.SK.Segments()) {
		if s.Variable == name && s.Width > 0 {
			return keys.Int.String()
		}
	}
	return ""
}

// kindOf returns the type whose values a format is for.
func kindOf(as keys.Format) keys.Kind {
	switch as {
	case keys.NumberText:
		return keys.Int
	case keys.Number:
		return keys.String
	default:
		return keys.Time
	}
}

// isMisspeltField reports whether the definition of a field is probably misspelt, rather than a variable that names it:
// at least two keys of the type have the variable, and nothing names the field. This is one finding.
func (r *checker) isMisspeltField(t *storedType, variable string) bool {
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
func (r *checker) uses(t *storedType, variable string) int {
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
		if hasText(a.Kind) {
			names = append(names, a.Name)
		}
	}
	return names
}
