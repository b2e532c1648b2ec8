package keys

import "strings"

// Match is a shape that a field's condition selects items of.
type Match struct {
	Type   *Type
	Shape  Shape
	Shards int
	// Variables maps each variable of the shape to the field's variable in its
	// place; a literal of the field in place of a variable is in Constants.
	Variables map[string]string
	Constants map[string]string
}

// FindMatches returns the shapes that a declared field's condition selects: same index,
// partition keys alike, and for a Get the sort keys alike, for a Query a sort key that
// the field's SK can begin.
func FindMatches(types []*Type, f *Field) []Match {
	var found []Match
	try := func(t *Type, s Shape, shards int) {
		m := Match{Type: t, Shape: s, Shards: shards, Variables: map[string]string{}, Constants: map[string]string{}}
		if !m.segments(f.PK.segments, s.PK.segments, false) || !m.segments(f.SK.segments, s.SK.segments, f.Kind == Query) {
			return
		}
		found = append(found, m)
	}
	for _, t := range types {
		if f.Index == "" {
			try(t, t.Item, 1)
			for _, c := range t.Copies {
				try(t, c, 1)
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

// segments aligns the field's segments with the shape's; as a prefix, the
// shape may go on and the field's last literal may be cut short.
func (m *Match) segments(field, shape []Segment, prefix bool) bool {
	if len(field) > len(shape) || len(field) < len(shape) && !prefix {
		return false
	}
	for i, fs := range field {
		ss := shape[i]
		last := prefix && i == len(field)-1
		switch {
		case fs.Variable != "":
			if ss.Variable == "" || fs.Literal != ss.Literal || fs.Width != ss.Width || fs.Bucket != ss.Bucket {
				return false
			}
			m.Variables[ss.Variable] = fs.Variable
		case ss.Variable == "":
			if fs.Literal != ss.Literal && !(last && strings.HasPrefix(ss.Literal, fs.Literal)) {
				return false
			}
		case last && strings.HasPrefix(ss.Literal, fs.Literal):
		case strings.HasPrefix(fs.Literal, ss.Literal) && ss.Width == 0 && ss.Bucket == 0 && len(fs.Literal) > len(ss.Literal):
			m.Constants[ss.Variable] = fs.Literal[len(ss.Literal):]
		default:
			return false
		}
	}
	return true
}

// rest is how the sort keys of a Query's matched shapes go on after the
// field's own SK.
type rest struct {
	// next is the segment in which the first free variable stands; its variable
	// is "" when the matched shapes differ or none is left.
	next Segment
	// glue stands between the prefix and that variable.
	glue string
	// more reports whether segments follow the one of next.
	more bool
	// closed is set when SK is the whole sort key.
	closed bool
	// whole is set when SK ends in all of a variable, or in a literal that stands
	// for one: the delimiter after it belongs to the prefix.
	whole bool
}

// Matches are the shapes that the condition of a design's field selects.
func (f *Field) Matches() []Match { return f.matches }

// Next is the attribute that a range argument of the field bounds when it is
// named so: the first variable after SK in the sort keys of the matched shapes,
// or "" when these differ or none is left.
func (f *Field) Next() string { return f.rest.next.Variable }

func restOf(f *Field, matches []Match) rest {
	r := restAfter(f.SK.segments, matches[0].Shape.SK.segments)
	for _, m := range matches[1:] {
		other := restAfter(f.SK.segments, m.Shape.SK.segments)
		if other != r {
			r = rest{whole: r.whole && other.whole}
		}
	}
	return r
}

func restAfter(field, shape []Segment) rest {
	n := len(field)
	switch {
	case len(shape) == 0:
		return rest{closed: true}
	case n == 0:
		return rest{next: shape[0], glue: shape[0].Literal, more: len(shape) > 1}
	}
	last, ss := field[n-1], shape[n-1]
	cut := ""
	if last.Variable == "" && strings.HasPrefix(ss.Literal, last.Literal) {
		cut = ss.Literal[len(last.Literal):]
	}
	switch {
	case last.Variable == "" && ss.Variable != "" && strings.HasPrefix(ss.Literal, last.Literal):
		// The last literal begins a segment that ends in a variable.
		return rest{next: ss, glue: cut, more: len(shape) > n}
	case len(shape) == n:
		return rest{closed: cut == ""}
	}
	next := shape[n]
	r := rest{next: next, glue: next.Literal, more: len(shape) > n+1, whole: ss.Variable != ""}
	if !r.whole {
		r.glue = cut + Delimiter + r.glue
	}
	return r
}
