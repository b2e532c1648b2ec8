package design

import (
	"strings"

	"github.com/partita/partita/keys"
)

// FindMatches returns the shapes that a declared field's condition selects: those in the same index
// with the same partition key, and for a Get with the same sort key, for a Query with a sort key
// that begins with the field's SK.
func FindMatches(types []*Type, f *Field) []Match {
	var found []Match
	try := func(t *Type, s keys.Shape, shards int) {
		// Most shapes differ in their first literal, and no map is made for them.
		if !mayMatch(f.PK.Segments(), s.PK.Segments()) {
			return
		}
		m := Match{
			Type: t, Shape: s, Shards: max(1, shards), Variables: map[string]string{}, Constants: map[string]string{},
		}
		samePK := m.segments(f.PK.Segments(), s.PK.Segments(), false)
		if samePK && m.segments(f.SK.Segments(), s.SK.Segments(), f.Kind == Query) {
			found = append(found, m)
		}
	}
	for _, t := range types {
		if f.Index == "" {
			try(t, t.Item, t.Shards)
			for _, c := range t.Copies {
				try(t, c.Shape, 1)
			}
			continue
		}
		for _, ix := range t.Indexes {
			if ix.Name == f.Index {
				try(t, ix.Shape, ix.Shards)
			}
		}
	}
	return found
}

// mayMatch reports whether a field's partition key and that of a shape do not differ in a literal at their beginning.
func mayMatch(field, shape []keys.Segment) bool {
	return len(field) == len(shape) && (len(field) == 0 || field[0].Variable != "" || shape[0].Variable != "" ||
		field[0].Literal == shape[0].Literal)
}

// segments matches the field's segments with the shape's, and reports whether they match. With
// prefix, the shape may have more segments, and the field's last literal may be the beginning of
// the shape's.
func (m *Match) segments(field, shape []keys.Segment, prefix bool) bool {
	if len(field) > len(shape) || len(field) < len(shape) && !prefix {
		return false
	}
	for i, fs := range field {
		ss := shape[i]
		last := prefix && i == len(field)-1
		switch {
		case fs.Glued != ss.Glued:
			return false
		case fs.Variable != "":
			if ss.Variable == "" || fs.Literal != ss.Literal || fs.Width != ss.Width || fs.Bucket != ss.Bucket ||
				fs.Case != ss.Case {
				return false
			}
			m.Variables[ss.Variable] = fs.Variable
		case ss.Variable == "":
			if fs.Literal != ss.Literal && !(last && strings.HasPrefix(ss.Literal, fs.Literal)) {
				return false
			}
		case last && strings.HasPrefix(ss.Literal, fs.Literal):
		case len(fs.Literal) > len(ss.Literal) && strings.HasPrefix(fs.Literal, ss.Literal) &&
			ss.Width == 0 && ss.Bucket == 0:
			text := fs.Literal[len(ss.Literal):]
			isGlued := i+1 < len(shape) && shape[i+1].Glued
			if a := m.Type.Attribute(ss.Variable); a != nil && !a.Kind.CanBe(text) || isGlued || ss.Case.Of(text) != text {
				return false
			}
			m.Constants[ss.Variable] = text
		default:
			return false
		}
	}
	return true
}

// value returns the value of a variable of the shape, from those of the field's variables.
func (m *Match) value(name string, values func(name string) keys.Value) keys.Value {
	if text, ok := m.Constants[name]; ok {
		return keys.StringValue(text)
	}
	return values(m.Variables[name])
}
