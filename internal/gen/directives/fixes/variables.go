package fixes

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/finding"
	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
)

// Replaced returns a template's text with another name for a variable. The format stays if the other one can have it,
// and a time bucket if one name is a misspelling of the other.
func Replaced(t keys.Template, variable, by string, width func(string) int) string {
	return reading.Rewrite(t, func(s keys.Segment) keys.Segment {
		if s.Variable != variable {
			return s
		}
		switch digits := width(by); {
		case digits == 0:
			s.Width = 0
		case s.Width == 0:
			s.Width = digits
		}
		if finding.Likely(variable, []string{by}) == "" {
			s.Bucket = 0
		}
		s.Variable = by
		return s
	})
}

// WriteVariable returns the fix that names another variable in a key.
func WriteVariable(pk, sk keys.Template, variable, by string, width func(string) int) string {
	var parts []string
	if slices.Contains(pk.Variables(), variable) {
		parts = append(parts, fmt.Sprintf("pk: %q", Replaced(pk, variable, by, width)))
	}
	if slices.Contains(sk.Variables(), variable) {
		parts = append(parts, fmt.Sprintf("sk: %q", Replaced(sk, variable, by, width)))
	}
	return "write " + strings.Join(parts, ", ")
}

// IdentityFor returns the identifying attribute of a type that a stored key does not name yet, or else the first.
func IdentityFor(t *reading.Type, f *reading.Key) string {
	for _, name := range t.Identity {
		if a := t.Attribute(name); a != nil && !slices.Contains(append(f.PK.Variables(), f.SK.Variables()...), name) {
			return name
		}
	}
	for _, name := range append(t.Identity, reading.AttributeNames(t.Type)...) {
		if t.Attribute(name) != nil {
			return name
		}
	}
	return ""
}

// UnionOf returns the fix that lets a field return objects of several types: a union that the schema has, or a
// new one.
func UnionOf(r *reading.Design, rd *reading.Read, names []string) string {
	names = slices.Clone(names)
	slices.Sort(names)
	for _, def := range r.Schema.Types {
		if def.Kind == ast.Union && slices.Equal(r.Possible(def.Name), names) {
			return "return " + rd.ResultOf(def.Name)
		}
	}
	name := strings.Join(names, "Or")
	return "add union " + name + " = " + strings.Join(names, " | ") + "\nreturn " + rd.ResultOf(name)
}

// Remove returns the fix that removes an argument of a field.
func Remove(rd *reading.Read, a *ast.ArgumentDefinition) string {
	return fmt.Sprintf("remove the argument %s of %s", a.Name, rd.Coordinate())
}

// RangeOf returns the input that is a range of a scalar or an enum: one of the schema, or a built-in one. It is ""
// if there are no ranges of it.
func RangeOf(r *reading.Design, scalar string) string {
	for _, name := range slices.Sorted(maps.Keys(r.Schema.Types)) {
		typ := ast.NamedType(name, nil)
		if end := r.RangeEnd(typ); end != nil && end.Name() == scalar && !r.IsPrefix(typ) {
			return name
		}
	}
	name, def := scalar+"Range", r.Schema.Types[scalar]
	isEnum := def != nil && def.Kind == ast.Enum && r.Schema.Types[name] == nil
	if isEnum || sdl.Types().Definitions.ForName(name) != nil {
		return name
	}
	return ""
}

// Before returns the beginning of a template up to a variable.
func Before(t keys.Template, variable string) string {
	var segments []keys.Segment
	for _, s := range t.Segments() {
		if s.Variable == variable {
			if s.Literal != "" {
				segments = append(segments, keys.Segment{Glued: s.Glued, Literal: s.Literal})
			}
			break
		}
		segments = append(segments, s)
	}
	return keys.Join(segments, t.Delimiter())
}
