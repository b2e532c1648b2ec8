package keys

import "strings"

// Extent is which sort keys a Query selects when all variables of its SK are set.
type Extent uint8

// With Text, the sort keys begin with SK. With Children, the delimiter follows SK. With Exact, they are SK. A Tree is
// an item with SK itself as its sort key, and its Children.
const (
	Text Extent = iota
	Children
	Exact
	Tree
)

// rest describes how the sort keys of a Query's matched shapes continue after the field's SK.
type rest struct {
	// next is the segment with the first variable after SK. Its variable is "" if the matched shapes
	// differ or have no further variable.
	next Segment
	// glue is the text between the prefix and that variable.
	glue string
	// more is set if segments follow next, and glued if the first of them follows it without a delimiter.
	more, glued bool
	// extent is Children only if SK ends with a complete variable, or with a literal in its place: the delimiter after it
	// belongs to the prefix.
	extent Extent
	// divided is set if a delimiter follows SK, also after a literal.
	divided bool
}

// Matches returns the shapes that the condition of a field of a design selects.
func (f *Field) Matches() []Match { return f.matches }

// Next returns the name of a range argument that would limit the field's range: the first variable
// after SK in the sort keys of the matched shapes. It is "" if these differ or have no further
// variable.
func (f *Field) Next() string { return f.rest.next.Variable }

// Extent returns which sort keys a Query of a design selects.
func (f *Field) Extent() Extent { return f.rest.extent }

// EndsOpen returns what follows SK in the sort keys of a matched shape, if SK ends with a variable whose values can
// also be the beginning of longer ones, because no delimiter follows. ok reports whether there is such a shape.
func (f *Field) EndsOpen() (stored Segment, ok bool) {
	n := len(f.SK.Segments())
	if n == 0 || f.SK.Segments()[n-1].Variable == "" || f.Kind != Query {
		return Segment{}, false
	}
	for i := range f.matches {
		m := &f.matches[i]
		s := m.Shape.SK.Segments()
		if len(s) <= n {
			continue
		}
		if a := m.Type.Attribute(s[n-1].Variable); a != nil && a.As.KeyLayout(a.Kind, s[n-1].Bucket) != "" {
			continue
		}
		if isGlued(s, n) && s[n-1].Bytes() == 0 {
			return s[n], true
		}
	}
	return Segment{}, false
}

func restOf(f *Field, matches []Match) rest {
	delimiter := matches[0].Shape.SK.Delimiter()
	r := restAfter(f.SK.Segments(), matches[0].Shape.SK.Segments(), delimiter)
	for _, m := range matches[1:] {
		if other := restAfter(f.SK.Segments(), m.Shape.SK.Segments(), delimiter); other != r {
			r = rest{extent: r.with(other), divided: r.divided && other.divided}
		}
	}
	return r
}

// with returns the extent of a Query that selects the sort keys of both.
func (r rest) with(other rest) Extent {
	switch {
	case r.extent == other.extent:
		return r.extent
	case r.hasItem() && (other.hasItem() || other.divided), other.hasItem() && r.divided:
		return Tree
	case r.divided && other.divided:
		return Children
	}
	return Text
}

// hasItem reports whether the item with SK itself as its sort key is selected, and none whose sort key continues it
// without a delimiter.
func (r rest) hasItem() bool { return r.extent == Exact || r.extent == Tree }

func restAfter(field, shape []Segment, delimiter string) rest {
	n := len(field)
	switch {
	case len(shape) == 0:
		return rest{extent: Exact}
	case n == 0:
		return rest{next: shape[0], glue: shape[0].Literal, more: len(shape) > 1, glued: isGlued(shape, 1)}
	}
	last, ss := field[n-1], shape[n-1]
	cut := ""
	if last.Variable == "" && strings.HasPrefix(ss.Literal, last.Literal) {
		cut = ss.Literal[len(last.Literal):]
	}
	switch {
	case last.Variable == "" && ss.Variable != "" && strings.HasPrefix(ss.Literal, last.Literal):
		// The last literal begins a segment that ends in a variable.
		return rest{next: ss, glue: cut, more: len(shape) > n, glued: isGlued(shape, n)}
	case len(shape) == n && cut == "":
		return rest{extent: Exact}
	case len(shape) == n:
		return rest{}
	}
	next := shape[n]
	r := rest{next: next, glue: next.Literal, more: len(shape) > n+1, glued: isGlued(shape, n+1), divided: cut == ""}
	switch {
	case next.Glued:
		r.divided = false
	case ss.Variable != "":
		r.extent = Children
	default:
		r.glue = cut + delimiter + r.glue
	}
	return r
}

// isGlued reports whether there is an i-th segment, and no delimiter before it.
func isGlued(shape []Segment, i int) bool { return i < len(shape) && shape[i].Glued }
