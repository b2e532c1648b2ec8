package design

import (
	"fmt"
	"slices"
	"strings"

	"github.com/partita/partita/keys"
)

// EndsOpen returns what follows SK in the sort keys of a matched shape, if SK ends with a variable whose values can
// also be the beginning of longer ones, because no delimiter follows. ok reports whether there is such a shape.
func (f *Field) EndsOpen() (stored keys.Segment, ok bool) {
	n := len(f.SK.Segments())
	if n == 0 || f.SK.Segments()[n-1].Variable == "" || f.Kind != Query {
		return keys.Segment{}, false
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
	return keys.Segment{}, false
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
func (r rest) with(other rest) keys.Extent {
	switch {
	case r.extent == other.extent:
		return r.extent
	case r.hasItem() && (other.hasItem() || other.divided), other.hasItem() && r.divided:
		return keys.Tree
	case r.divided && other.divided:
		return keys.Children
	}
	return keys.Text
}

// hasItem reports whether the item with SK itself as its sort key is selected, and none whose sort key continues it
// without a delimiter.
func (r rest) hasItem() bool { return r.extent == keys.Exact || r.extent == keys.Tree }

func restAfter(field, shape []keys.Segment, delimiter string) rest {
	n := len(field)
	switch {
	case len(shape) == 0:
		return rest{extent: keys.Exact}
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
		return rest{extent: keys.Exact}
	case len(shape) == n:
		return rest{}
	}
	next := shape[n]
	r := rest{next: next, glue: next.Literal, more: len(shape) > n+1, glued: isGlued(shape, n+1), divided: cut == ""}
	switch {
	case next.Glued:
		r.divided = false
	case ss.Variable != "":
		r.extent = keys.Children
	default:
		r.glue = cut + delimiter + r.glue
	}
	return r
}

// isGlued reports whether there is an i-th segment, and no delimiter before it.
func isGlued(shape []keys.Segment, i int) bool { return i < len(shape) && shape[i].Glued }

// hasGap returns what HasGap returns. A longer value of the variable at the end of SK makes a gap if it continues with
// a character that sorts before the delimiter.
func (f *Field) hasGap() bool {
	if f.rest.extent != keys.Tree {
		return false
	}
	n := len(f.SK.Segments())
	last := f.SK.Segments()[n-1]
	if last.Variable == "" {
		return true // Which literals other programs write is unknown.
	}
	return slices.ContainsFunc(f.matches, func(m Match) bool {
		s := m.Shape.SK.Segments()[n-1]
		a := m.Type.Attribute(s.Variable)
		kind := keys.Other
		if a != nil {
			kind = a.Kind
		}
		return s.SortsBefore(kind, f.SK.Delimiter())
	})
}

// shorterKeys returns what f.shorter has.
func (f *Field) shorterKeys(types []*Type) []keys.Template {
	if f.rest.extent == keys.Exact || f.rest.extent == keys.Tree {
		return nil
	}
	most := len(keys.Parts(f.SK.Segments()))
	if n := len(f.SK.Segments()); n > 0 && f.SK.Segments()[n-1] == (keys.Segment{}) {
		most--
	}
	var shorter []keys.Template
	add := func(s keys.Shape) {
		n := len(s.SK.Segments())
		if n > 0 && len(keys.Parts(s.SK.Segments())) <= most && s.SK.Segments()[n-1].Variable != "" &&
			keys.SamePartition(s.PK, f.PK) {
			shorter = append(shorter, s.SK)
		}
	}
	for _, t := range types {
		if f.Index == "" {
			for _, s := range t.Shapes() {
				add(s)
			}
			continue
		}
		for _, ix := range t.Indexes {
			if ix.Name == f.Index {
				add(ix.Shape)
			}
		}
	}
	return shorter
}

// Resolve returns a copy of a declared field with everything that follows from the shapes that its
// condition selects. It returns an error if the condition selects none.
func Resolve(types []*Type, declared *Field) (*Field, error) {
	f := *declared
	if f.Kind.IsByID() {
		return &f, nil
	}
	f.matches = slices.DeleteFunc(FindMatches(types, &f), func(m Match) bool {
		return len(f.Types) > 0 && !slices.Contains(f.Types, m.Type.Name)
	})
	if len(f.matches) == 0 {
		return nil, fmt.Errorf("%s: no item is stored under pk %q, sk %q", f.Coordinate(), f.PK, f.SK)
	}
	f.shards = keys.ShardLabels(shardNumbers(f.matches)...)
	f.setFormats(f.matches[0].Shape)
	f.keyOnly, f.needed = keyOnlyOf(&f.matches[0]), f.fromElsewhere()
	if f.Kind == Query {
		f.rest = restOf(&f, f.matches)
		f.gap = f.hasGap()
		f.shorter = f.shorterKeys(types)
	}
	f.bucketed = f.Bucketed()
	return &f, nil
}

// shardNumbers returns the numbers of shards that matched shapes have.
func shardNumbers(matches []Match) []int {
	var numbers []int
	for _, m := range matches {
		numbers = append(numbers, m.Shards)
	}
	return numbers
}
