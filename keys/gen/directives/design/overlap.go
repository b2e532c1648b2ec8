package directives

import (
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// valued is a segment of a template with the GraphQL type of its variable, nil if that is unknown.
type valued struct {
	keys.Segment
	typ *ast.Type
}

// segments returns the segments of a template, whose variables are fields of the type.
func (t *storedType) segments(template keys.Template) []valued {
	var segments []valued
	for _, s := range template.Segments() {
		v := valued{Segment: s}
		if f := t.def.Fields.ForName(s.Variable); f != nil {
			v.typ = f.Type
		}
		segments = append(segments, v)
	}
	return segments
}

// canBeEqual reports whether two templates can have the same text.
func (r *source) canBeEqual(a, b []valued) bool {
	if isOpen(a) || isOpen(b) {
		return keys.CanShare(plain(a), plain(b))
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

func isOpen(segments []valued) bool {
	return slices.ContainsFunc(segments, func(s valued) bool { return s.IsOpen() })
}

func plain(segments []valued) []keys.Segment {
	all := make([]keys.Segment, len(segments))
	for i, s := range segments {
		all[i] = s.Segment
	}
	return all
}

// canBeSame reports whether two segments can have the same text.
func (r *source) canBeSame(a, b valued) bool {
	switch {
	case a.Variable == "" && b.Variable == "":
		return a.Literal == b.Literal
	case a.Variable == "":
		return len(a.Literal) > len(b.Literal) && r.canBegin(b, a.Literal, true)
	case b.Variable == "":
		return len(b.Literal) > len(a.Literal) && r.canBegin(a, b.Literal, true)
	case a.Literal == b.Literal:
		return r.haveCommon(a, b)
	}
	return strings.HasPrefix(a.Literal, b.Literal) || strings.HasPrefix(b.Literal, a.Literal)
}

// canBegin reports whether a segment can begin with a text, or with whole can be that text.
func (r *source) canBegin(s valued, text string, whole bool) bool {
	if s.Variable == "" || len(text) <= len(s.Literal) {
		return strings.HasPrefix(s.Literal, text)
	}
	value, ok := strings.CutPrefix(text, s.Literal)
	if !ok || s.typ == nil {
		return ok
	}
	switch r.kind(s.typ) {
	case keys.Int, keys.Int64, keys.Float, keys.Time, keys.Date:
		return strings.IndexByte("-0123456789", value[0]) >= 0
	case keys.Boolean, keys.Enum:
		return slices.ContainsFunc(r.namesOf(s.typ), func(name string) bool {
			return name == value || !whole && strings.HasPrefix(name, value)
		})
	}
	return true
}

// haveCommon reports whether two variables can have the same value.
func (r *source) haveCommon(a, b valued) bool {
	if a.typ == nil || b.typ == nil {
		return true
	}
	if a.Width > 0 && b.Width > 0 && a.Width != b.Width {
		return false
	}
	names, others := r.namesOf(a.typ), r.namesOf(b.typ)
	switch {
	case names == nil && others == nil:
		return true
	case names == nil:
		return !r.isNumeric(a.typ)
	case others == nil:
		return !r.isNumeric(b.typ)
	}
	return slices.ContainsFunc(names, func(name string) bool { return slices.Contains(others, name) })
}

// namesOf returns the values of an enum or of Boolean, nil for any other type.
func (r *source) namesOf(t *ast.Type) []string {
	switch r.kind(t) {
	case keys.Boolean:
		return []string{"false", "true"}
	case keys.Enum:
		names := []string{}
		for _, v := range r.schema.Types[t.Name()].EnumValues {
			names = append(names, v.Name)
		}
		return names
	}
	return nil
}

// isNumeric reports whether values of the type begin with a digit or a sign.
func (r *source) isNumeric(t *ast.Type) bool {
	switch r.kind(t) {
	case keys.Int, keys.Int64, keys.Float, keys.Time, keys.Date:
		return true
	}
	return false
}
