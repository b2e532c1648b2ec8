package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/partita/partita/internal/gen/directives/finding"
	"github.com/partita/partita/internal/gen/directives/fixes"
	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
)

// checkVariables finds variables of stored keys that are not stored fields, and nullable fields in
// the key of an item.
func checkVariables(r *checker) {
	for _, t := range r.SortedTypes() {
		var nullable []string
		for _, f := range t.StoredKeys {
			seen := slices.Clone(nullable)
			for _, name := range append(f.PK.Variables(), f.SK.Variables()...) {
				if slices.Contains(seen, name) {
					continue
				}
				seen = append(seen, name)
				if a := t.Attribute(name); a != nil && !a.NonNull && f.Index == "" {
					nullable = append(nullable, name) // The fix is the same for all keys.
				}
				checkVariable(r, f, name)
			}
		}
	}
}

func checkVariable(r *checker, f *reading.Key, name string) {
	t := f.Of
	a := t.Attribute(name)
	field := t.Def.Fields.ForName(name)
	switch {
	case a != nil && a.NonNull, a != nil && f.Index != "":
	case a != nil:
		r.find(f.Position(), t.Name, fmt.Sprintf("{%s} may be null, but every item needs its key", name),
			sdl.Retype(t.Name, field, field.Type.String()+"!"))
	case field == nil && isMisspeltField(r, t, name), r.IsReadScalar(field):
	case field == nil:
		width := func(name string) int {
			if a := t.Attribute(name); a != nil && a.IsNumber() && r.Names().IsKey(a.StoredName()) {
				return 0 // DynamoDB compares Numbers.
			}
			return t.Width(name)
		}
		what := fmt.Sprintf("{%s} names no field", name)
		fix := fmt.Sprintf("add %s: %s! to type %s", name, variableType(r, f, name), t.Name)
		if likely := finding.Likely(name, reading.AttributeNames(t.Type)); likely != "" {
			what, fix = finding.IsLikely("{"+likely+"}", what), fixes.WriteVariable(f.PK, f.SK, name, likely, width)
		} else if by := readAs(r, f, name); by != "" {
			fix = fixes.WriteVariable(f.PK, f.SK, name, by, width)
		}
		r.find(f.Position(), t.Name, what, fix)
	case name == "id" && len(t.Identity) == 0:
		r.find(f.Position(), t.Name, "{id} is not stored: the key of a "+t.Name+" has no variables",
			fixes.Identified(r.Design, t))
	case name == "id":
		r.find(f.Position(), t.Name,
			fmt.Sprintf("{id} is not stored: the id consists of {%s}", strings.Join(t.Identity, "}, {")),
			fixes.WriteVariable(f.PK, f.SK, name, fixes.IdentityFor(t, f), t.Width))
	default:
		r.find(f.Position(), t.Name, fmt.Sprintf("{%s} names a field that is read, not stored", name),
			fixes.WriteVariable(f.PK, f.SK, name, fixes.IdentityFor(t, f), t.Width))
	}
}

// readAs returns the attribute that a variable of a stored key probably means: the one with the name of the argument
// with which a field looks for it, and that the key does not name. It is "" if there is none.
func readAs(r *checker, f *reading.Key, name string) string {
	for _, rd := range r.Reads {
		m := rd.MatchOf(f)
		if m == nil {
			continue
		}
		for _, variable := range rd.Variables() {
			isNamed := slices.Contains(append(f.PK.Variables(), f.SK.Variables()...), variable)
			if reading.Attribute(*m, variable) == name && !isNamed && f.Of.Attribute(variable) != nil && variable != "id" {
				return variable
			}
		}
	}
	return ""
}

// variableType returns the type of the field that a variable of a stored key needs: that of the values with which reads
// look for it, or of such a field of another type.
func variableType(r *checker, f *reading.Key, name string) string {
	if typ := r.Evidence(f, name); typ != "" {
		return typ
	}
	for _, other := range r.SortedTypes() {
		if field := other.Def.Fields.ForName(name); field != nil && reading.HasText(r.Kind(field.Type)) {
			return field.Type.Name()
		}
	}
	if name == "id" || strings.HasSuffix(name, "Id") {
		return "ID"
	}
	return "String"
}

// isMisspeltField reports whether the definition of a field is probably misspelt, rather than a variable that names it:
// at least two keys of the type have the variable, and nothing names the field. This is one finding.
func isMisspeltField(r *checker, t *reading.Type, variable string) bool {
	likely := finding.Likely(variable, reading.AttributeNames(t.Type))
	field := t.Def.Fields.ForName(likely)
	if field == nil || uses(r, t, variable) < 2 || uses(r, t, likely) > 0 {
		return false
	}
	coordinate := t.Name + "." + likely
	if !slices.ContainsFunc(r.findings, func(f finding.Finding) bool { return f.Coordinate == coordinate }) {
		r.find(field.Position, coordinate,
			finding.IsLikely(variable, fmt.Sprintf("{%s} names no field, and %s is used nowhere", variable, likely)),
			fmt.Sprintf("rename %s to %s in type %s", likely, variable, t.Name))
	}
	return true
}

// uses returns how many keys of a type, and reads of its fields, name a variable.
func uses(r *checker, t *reading.Type, variable string) int {
	n := 0
	for _, f := range t.StoredKeys {
		n += sdl.BoolInt(slices.Contains(append(f.PK.Variables(), f.SK.Variables()...), variable))
	}
	for _, rd := range r.Reads {
		n += sdl.BoolInt(rd.ParentType == t && rd.Def.Arguments.ForName(variable) == nil &&
			slices.Contains(rd.Variables(), variable))
	}
	return n
}

// checkOptional finds a variable that may be unset in the key of an item, in shards, in one of several attributes, or
// where nothing would be left of the key.
func checkOptional(r *checker, f *reading.Key, name string, template keys.Template) {
	segments := template.Segments()
	i := slices.IndexFunc(segments, isUnset)
	if i < 0 {
		return
	}
	ix := r.Names().Index(f.Index)
	var what string
	switch {
	case f.Index == "":
		what = "the key of an item needs each of its values"
	case f.IsSpread():
		what = "a key in shards needs each of its values"
	case len(ix.PK) > 1 || len(ix.SK) > 1:
		what = fmt.Sprintf("index %s has several attributes in a key, and each needs a value", f.Index)
	case i == 0 && segments[0].Literal == "":
		what = "without the value, nothing is left of the key, and DynamoDB stores no empty key"
	default:
		return
	}
	r.find(f.Position(), f.Of.Name, fmt.Sprintf("%s %q: {%s} may be unset, but %s", name, template, segments[i].Variable,
		what),
		fmt.Sprintf("write %s: %q", name, needed(template)))
}

// checkRefs finds IDs that could be those of several types.
func checkRefs(r *checker) {
	for _, u := range r.Unclear {
		r.find(u.Of.Def.Fields.ForName(u.Variable).Position, u.Of.Name+"."+u.Variable,
			fmt.Sprintf("the id could be that of %s: their @item have the same partition key", sdl.OneOf(u.Names)),
			separateIDs(r, u.Names))
	}
}

// separateIDs returns the fix that leaves {id} in the partition key of one type only: of the one whose whole key it is,
// if there is one.
func separateIDs(r *checker, names []string) string {
	owner := names[len(names)-1]
	for _, name := range names {
		if r.Types[name].Item.SK.String() == r.Types[name].Item.PK.String() {
			owner = name
		}
	}
	var lines []string
	variable := sdl.LowerFirst(owner) + "Id"
	for _, name := range names {
		t := r.Types[name]
		if name == owner || t.StoredKeys[0].Directive == nil {
			continue
		}
		source := t.StoredKeys[0].Source()
		lines = append(lines, fmt.Sprintf("on type %s replace %s\nwith %s",
			name, source, strings.ReplaceAll(source, "{id}", "{"+variable+"}")))
		if t.Def.Fields.ForName(variable) == nil {
			lines = append(lines, fmt.Sprintf("add %s: ID! to type %s", variable, name))
		}
	}
	return strings.Join(lines, "\n")
}
