package reading

import (
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// Valued is a segment of a template with the GraphQL type of its variable, nil if that is unknown.
type Valued struct {
	keys.Segment
	Typ *ast.Type
}

// Segments returns the segments of a template, whose variables are fields of the type.
func (t *Type) Segments(template keys.Template) []Valued {
	var segments []Valued
	for _, s := range template.Segments() {
		v := Valued{Segment: s}
		if f := t.Def.Fields.ForName(s.Variable); f != nil {
			v.Typ = f.Type
		}
		segments = append(segments, v)
	}
	return segments
}

// CanBeEqual reports whether two templates can have the same text.
func (r *Source) CanBeEqual(a, b []Valued) bool {
	if IsOpen(a) || IsOpen(b) {
		return keys.CanShare(Plain(a), Plain(b))
	}
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !r.canBeSame(a[i], b[i]) {
			return false
		}
	}
	return true
}

// IsOpen reports whether the text of segments does not show where each of them ends.
func IsOpen(segments []Valued) bool {
	return slices.ContainsFunc(segments, func(s Valued) bool { return s.IsOpen() })
}

// Plain returns segments without the types of their variables.
func Plain(segments []Valued) []keys.Segment {
	all := make([]keys.Segment, len(segments))
	for i, s := range segments {
		all[i] = s.Segment
	}
	return all
}

// canBeSame reports whether two segments can have the same text.
func (r *Source) canBeSame(a, b Valued) bool {
	switch {
	case a.Variable == "" && b.Variable == "":
		return a.Literal == b.Literal
	case a.Variable == "":
		return len(a.Literal) > len(b.Literal) && r.CanBegin(b, a.Literal, true)
	case b.Variable == "":
		return len(b.Literal) > len(a.Literal) && r.CanBegin(a, b.Literal, true)
	case a.Literal == b.Literal:
		return r.haveCommon(a, b)
	}
	return strings.HasPrefix(a.Literal, b.Literal) || strings.HasPrefix(b.Literal, a.Literal)
}

// CanBegin reports whether a segment can begin with a text, or with whole can be that text.
func (r *Source) CanBegin(s Valued, text string, whole bool) bool {
	if s.Variable == "" || len(text) <= len(s.Literal) {
		return strings.HasPrefix(s.Literal, text)
	}
	value, ok := strings.CutPrefix(text, s.Literal)
	if !ok || s.Typ == nil {
		return ok
	}
	if r.isNumeric(s) {
		return strings.IndexByte("-0123456789", value[0]) >= 0
	}
	names := r.namesOf(s)
	return names == nil || slices.ContainsFunc(names, func(name string) bool {
		return name == value || !whole && strings.HasPrefix(name, value)
	})
}

// haveCommon reports whether two variables can have the same value.
func (r *Source) haveCommon(a, b Valued) bool {
	if a.Typ == nil || b.Typ == nil {
		return true
	}
	if a.Width > 0 && b.Width > 0 && a.Width != b.Width {
		return false
	}
	names, others := r.namesOf(a), r.namesOf(b)
	switch {
	case names == nil && others == nil:
		return true
	case names == nil:
		return !r.isNumeric(a)
	case others == nil:
		return !r.isNumeric(b)
	}
	return slices.ContainsFunc(names, func(name string) bool { return slices.Contains(others, name) })
}

// namesOf returns the values of an enum or of Boolean, nil for any other variable.
func (r *Source) namesOf(s Valued) []string {
	switch r.Kind(s.Typ) {
	case keys.Boolean:
		return []string{"false", "true"}
	case keys.Enum:
		if s.Width == 0 {
			return placesOf(r.Schema.Types[s.Typ.Name()]).Names()
		}
	}
	return nil
}

// isNumeric reports whether values of the variable begin with a digit or a sign.
func (r *Source) isNumeric(s Valued) bool {
	switch r.Kind(s.Typ) {
	case keys.Int, keys.Int64, keys.Float, keys.Time, keys.Date:
		return true
	}
	return s.Width > 0
}
